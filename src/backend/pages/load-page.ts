import { readdir, readFile } from "node:fs/promises";
import nodeModule from "node:module";
import { basename, join } from "node:path";
import { parse } from "yaml";
import { findPackageRoot } from "../../config/load/package-root.ts";
import type { ServedFiles } from "../../pages/served-page.ts";

const pages = new Map<string, Promise<ServedFiles>>();
const sectionsOfWords = new Map<string, Promise<object>>();

/** Reads a page (TypeScript in a checkout, scripts in the package), its packages and words. */
export function loadServedPage(page: "desk" | "console"): Promise<ServedFiles> {
  return readOnce(pages, page, () => load(page));
}

/** A process reads each once, as it does its own modules; a failure is tried again. */
function readOnce<Value>(
  known: Map<string, Promise<Value>>,
  key: string,
  read: () => Promise<Value>,
): Promise<Value> {
  const before = known.get(key);
  if (before !== undefined) return before;
  const value = read();
  known.set(key, value);
  value.catch(() => known.delete(key));
  return value;
}

async function load(page: "desk" | "console"): Promise<ServedFiles> {
  const folder = new URL(`${page}/`, PAGES);
  const names = [
    ...(await readdir(folder, { recursive: true })),
    ...(await readdir(new URL("shared/", PAGES))).map((name) => `../shared/${name}`),
  ];
  const parts = new Map<string, string>();
  for (const name of names
    .filter((one) => /^(?:\.\.\/shared\/|(?:[\w-]+\/)*)[\w-]+\.(?:css|html|ts|js)$/.test(one))
    .toSorted()) {
    const [, path = "", type = ""] = /^(?:\.\.\/)?(.*)\.(\w+)$/.exec(name) ?? [];
    if (type === "css" || type === "html") {
      parts.set(`${path}.${type}`, await readPart(`${page}/${name}`));
      continue;
    }
    const script = await readScript(`${page}/${name.replace(/\.\w+$/, "")}`, type);
    parts.set(`${path}.js`, withServedImports(script, `${path}.js`));
  }
  for (const module of IMPORTED[page]) {
    parts.set(`shared/${basename(module)}.js`, await readScript(`../${module}`));
  }
  for (const [specifier, name] of Object.entries(PACKAGES)) {
    const source = await readPackage(specifier, name);
    parts.set(name, withServedImports(source, name));
  }
  for (const [name, words] of await readPageWords([...SECTIONS[page], "header"]))
    parts.set(name, words);
  return joinSheets(await readPart(`${page}/index.html`), parts);
}

/** Joins a page's own sheets in the order of their links: a request costs more than a sheet's bytes. */
function joinSheets(html: string, parts: Map<string, string>): ServedFiles {
  const links = [
    ...html.matchAll(/<link rel="stylesheet" href="\{\{base\}\}\/([\w-]+\.css)" \/>\n/g),
  ];
  const sheets = links.map(([, name = ""]) => parts.get(name) ?? "");
  for (const [link, name = ""] of links.slice(1)) {
    html = html.replace(link, "");
    parts.delete(name);
  }
  const [, name] = links[0] ?? [];
  if (name !== undefined) parts.set(name, sheets.join("\n"));
  return { html, parts };
}

/**
 * Loads the parts of the interfaces' reference and of the start page; both can be read without a
 * script.
 */
export async function loadReferenceParts(): Promise<ReadonlyMap<string, string>> {
  const parts = new Map<string, string>();
  for (const name of ["tokens.css", "base.css", "header.html", "scheme.js"])
    parts.set(`shared/${name}`, await readPart(`shared/${name}`));
  for (const name of ["docs.css", "docs.js", "try.js"])
    parts.set(name, await readPart(`docs/${name}`));
  parts.set("shared/words.js", await readScript("shared/words"));
  for (const [name, words] of await readPageWords(["header"])) parts.set(name, words);
  return parts;
}

/** Reads a package's module for browsers: the copy in the built package, or the installed one. */
export async function readPackage(specifier: string, name: string): Promise<string> {
  try {
    return await readPart(`packages/${name}`);
  } catch {
    return readFile(new URL(import.meta.resolve(specifier)), "utf8");
  }
}

/** Reads a file of a page's folder, such as `chat/page.css`, in a checkout or the built package. */
export function readPart(name: string): Promise<string> {
  return readFile(new URL(name, PAGES), "utf8");
}

/** Reads a script by its name without extension, and strips its types. */
export async function readScript(name: string, type: string = MODULE_TYPE): Promise<string> {
  const source = await readPart(`${name}.${type}`);
  return type === "ts" ? withoutTypes(source) : source;
}

const PAGES = new URL("../../pages/", import.meta.url);

/** Modules are TypeScript in a checkout and scripts in the built package, as this one is. */
const MODULE_TYPE = import.meta.url.endsWith(".ts") ? "ts" : "js";

/** The sections of `locales/pages` that each page uses. */
const SECTIONS = { desk: ["desk"], console: ["console", "findings"] } as const;

/** Modules of other parts that run in these pages too. */
const IMPORTED = { desk: ["api/call/server-sent", "locales/person"], console: [] } as const;

/**
 * `words-<tag>.json` for every language that the pages speak, with the words of these sections of
 * `locales/pages/<tag>.yaml`. English words stand in for missing ones.
 */
export async function readPageWords(
  sections: readonly string[],
): Promise<ReadonlyMap<`words-${string}.json`, string>> {
  const texts = join(findPackageRoot(), "locales", "pages");
  const wordsOf = async (name: string): Promise<object> => {
    const words = sections.map((section) => readSection(join(texts, name), section));
    return Object.assign({}, ...(await Promise.all(words)));
  };
  const english = await wordsOf("en.yaml");
  const files = new Map<`words-${string}.json`, string>();
  for (const name of (await readdir(texts)).toSorted()) {
    const words = { ...english, ...(await wordsOf(name)) };
    files.set(`words-${name.replace(/\.yaml$/, "")}.json`, JSON.stringify(words));
  }
  return files;
}

/**
 * Reads a section of a file of words. To parse all sections of all languages takes half a second,
 * and most pages show few of them.
 */
function readSection(file: string, section: string): Promise<object> {
  return readOnce(sectionsOfWords, `${section} of ${file}`, async () => {
    const text = `\n${await readFile(file, "utf8")}`;
    const start = text.indexOf(`\n${section}:`);
    if (start === -1) return {};
    const after = text.slice(start + `\n${section}:`.length);
    const end = after.search(/\n\w/);
    const words: object | null = parse(end === -1 ? after : after.slice(0, end));
    return words ?? {};
  });
}

/** Names of packages' modules as served: browsers know package names by import maps only. */
export const PACKAGES: Readonly<Record<string, string>> = {
  preact: "preact.js",
  "preact/hooks": "preact-hooks.js",
  htm: "htm.js",
  "htm/preact": "htm-preact.js",
};

/**
 * Rewrites a module's imports to served addresses: packages to their names in {@link PACKAGES}, and
 * TypeScript files to scripts. An import map would do the same, but it is an inline script, which
 * the page's policy forbids.
 *
 * @param name the served name of the module: for `views/list.js`, packages are one folder up. A
 *   module imports nothing above the page's own folder but what is shared
 * @throws Error for a package that is not served
 */
export function withServedImports(source: string, name: string): string {
  const depth = name.split("/").length - 1;
  return (
    source
      .replaceAll(imports, (_, before: string, to: string) => before + servedAt(to, depth))
      // Maps are not served.
      .replaceAll(/^\/\/# sourceMappingURL=.*$/gm, "")
  );
}

// `from "x"`, `import "x"` and `import("x")`, as formatters and minifiers write them. The pages'
// sources keep to double quotes.
const imports = /(\bfrom ?"|\bimport ?"|\bimport\( ?")([^"\n]+)(?=")/g;

function servedAt(specifier: string, depth: number): string {
  const root = "../".repeat(depth) || "./";
  // Shared files lie beside a page's own folder, and are served inside of it.
  const shared = /^(?:\.\.\/)+(?:shared|api\/call|locales)\/([\w-]+)\.(?:ts|js)$/.exec(
    specifier,
  )?.[1];
  if (shared !== undefined) return `${root}shared/${shared}.js`;
  const isWithin = specifier.startsWith(".") && specifier.split("../").length <= depth + 1;
  if (isWithin) return specifier.replace(/\.ts$/, ".js");
  const name = PACKAGES[specifier];
  if (name === undefined) throw new Error(`unreachable: a page imports ${specifier}`);
  return `${root}${name}`;
}

/** Strips types without Node's warning that this may change: only used in a checkout. */
function withoutTypes(source: string): string {
  const kept = Object.getOwnPropertyDescriptor(process, "emitWarning");
  process.emitWarning = () => undefined;
  try {
    return nodeModule.stripTypeScriptTypes(source, { mode: "transform" });
  } finally {
    if (kept !== undefined) Object.defineProperty(process, "emitWarning", kept);
  }
}
