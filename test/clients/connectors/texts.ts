import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { root } from "../../runtime/processes/processes.ts";

type Texts = Readonly<Record<string, string>>;

/** Afterword's texts, with their only placeholder filled in. */
export function shippedTexts(locale: string): Texts {
  const entries = Object.entries(read(join(root, "locales", `${locale}.yaml`)));
  return Object.fromEntries(
    // Lines with plural forms are no direct answers.
    entries.flatMap(([key, text]) =>
      typeof text === "string" ? [[key, text.replaceAll("{{maxLength}}", "256")]] : [],
    ),
  );
}

/** The embedded engine's texts. */
export function engineTexts(locale: string): Texts {
  return read(join(root, "config", "backend", "texts", `${locale}.yaml`));
}

function read(file: string): Texts {
  return parse(readFileSync(file, "utf8")) as Texts;
}
