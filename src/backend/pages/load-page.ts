import { readdir, readFile } from "node:fs/promises";
import nodeModule from "node:module";
import { join } from "node:path";
import { parse } from "yaml";
import { packageRoot } from "../../config/load/package-root.ts";
import { PACKAGES, type ServedFiles, withServedImports } from "../../pages/page-files.ts";

const loaded = new Map<string, Promise<ServedFiles>>();

/**
 * Reads a page (TypeScript in a checkout, scripts in the package), its packages and words. A
 * process reads each once, as it does its own modules; a failure is tried again.
 */
export function loadServedPage(page: "desk" | "console"): Promise<ServedFiles> {
  const known = loaded.get(page);
  if (known !== undefined) return known;
  const files = load(page);
  loaded.set(page, files);
  files.catch(() => loaded.delete(page));
  return files;
}

async function load(page: "desk" | "console"): Promise<ServedFiles> {
  const folder = new URL(`../../pages/${page}/`, import.meta.url);
  const shared = new URL("../shared/", folder);
  const names = [
    ...(await readdir(folder, { recursive: true })),
    ...(await readdir(shared)).map((name) => `../shared/${name}`),
  ];
  const read = (name: string): Promise<string> => readFile(new URL(name, folder), "utf8");
  const parts = new Map<string, string>();
  for (const name of names
    .filter((one) => /^(?:views\/|\.\.\/shared\/)?[\w-]+\.(?:css|ts|js)$/.test(one))
    .toSorted()) {
    const source = await read(name);
    const place = name.replace(/^\.\.\//, "");
    if (name.endsWith(".css")) {
      parts.set(place, source);
      continue;
    }
    const script = name.endsWith(".ts") ? withoutTypes(source) : source;
    const served = place.replace(/\.ts$/, ".js");
    parts.set(served, withServedImports(script, served));
  }
  for (const [specifier, name] of Object.entries(PACKAGES)) {
    const source = await readFile(new URL(import.meta.resolve(specifier)), "utf8");
    parts.set(name, withServedImports(source, name));
  }
  for (const [name, words] of await pageWords([page])) parts.set(name, words);
  return { html: await read("index.html"), parts };
}

/**
 * `words-<tag>.json` for every language that the pages speak, with the words of these sections of
 * `locales/pages/<tag>.yaml`. What a language has no word for yet is said in English.
 */
export async function pageWords(
  sections: readonly string[],
): Promise<ReadonlyMap<`words-${string}.json`, string>> {
  const texts = join(packageRoot(), "locales", "pages");
  const wordsOf = async (name: string): Promise<object> => {
    const words: { readonly [section: string]: object } = parse(
      await readFile(join(texts, name), "utf8"),
    );
    return Object.assign({}, ...sections.map((section) => words[section]));
  };
  const english = await wordsOf("en.yaml");
  const files = new Map<`words-${string}.json`, string>();
  for (const name of (await readdir(texts)).toSorted()) {
    const words = { ...english, ...(await wordsOf(name)) };
    files.set(`words-${name.replace(/\.yaml$/, "")}.json`, JSON.stringify(words));
  }
  return files;
}

/** Strips types without Node's warning that this may change: only used in a checkout. */
function withoutTypes(source: string): string {
  const bun: unknown = Reflect.get(globalThis, "Bun");
  if (isBun(bun)) return new bun.Transpiler({ loader: "ts" }).transformSync(source);
  const kept = Object.getOwnPropertyDescriptor(process, "emitWarning");
  process.emitWarning = () => undefined;
  try {
    return nodeModule.stripTypeScriptTypes(source, { mode: "transform" });
  } finally {
    if (kept !== undefined) Object.defineProperty(process, "emitWarning", kept);
  }
}

/** As much of Bun as is used: it has no `stripTypeScriptTypes`. */
interface Bun {
  readonly Transpiler: new (options: { readonly loader: "ts" }) => {
    transformSync(source: string): string;
  };
}

function isBun(value: unknown): value is Bun {
  return typeof value === "object" && value !== null && "Transpiler" in value;
}
