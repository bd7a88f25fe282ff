import { readdir, readFile } from "node:fs/promises";
import { stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
import { parse } from "yaml";
import { packageRoot } from "../../config/load/package-root.ts";
import { PACKAGES, withServedImports } from "./desk-files.ts";
import type { DeskFiles } from "./desk-files.ts";

const folder = new URL("../../pages/desk/", import.meta.url);

/** Reads the desk (TypeScript in a checkout, scripts in the package), its packages and words. */
export async function loadDesk(): Promise<DeskFiles> {
  const names = await readdir(folder, { recursive: true });
  const read = (name: string): Promise<string> => readFile(new URL(name, folder), "utf8");
  const parts = new Map<string, string>([["desk.css", await read("desk.css")]]);
  for (const name of names
    .filter((one) => /^(?:views\/)?[\w-]+\.(?:ts|js)$/.test(one))
    .toSorted()) {
    const source = await read(name);
    const script = name.endsWith(".ts") ? withoutTypes(source) : source;
    const served = name.replace(/\.ts$/, ".js");
    parts.set(served, withServedImports(script, served));
  }
  for (const [specifier, name] of Object.entries(PACKAGES)) {
    const source = await readFile(new URL(import.meta.resolve(specifier)), "utf8");
    parts.set(name, withServedImports(source, name));
  }
  const texts = join(packageRoot(), "locales", "pages");
  for (const name of (await readdir(texts)).toSorted()) {
    const { desk }: { readonly desk: object } = parse(await readFile(join(texts, name), "utf8"));
    parts.set(`words-${name.replace(/\.yaml$/, "")}.json`, JSON.stringify(desk));
  }
  return { html: await read("index.html"), parts };
}

/** Strips types without Node's warning that this may change: only used in a checkout. */
function withoutTypes(source: string): string {
  const kept = Object.getOwnPropertyDescriptor(process, "emitWarning");
  process.emitWarning = () => undefined;
  try {
    return stripTypeScriptTypes(source, { mode: "transform" });
  } finally {
    if (kept !== undefined) Object.defineProperty(process, "emitWarning", kept);
  }
}
