/** What a page consists of, as a browser gets it. */
export interface ServedFiles {
  /** The page; `{{base}}` is the parts' address, `{{head}}` the place of further elements. */
  readonly html: string;
  /** By name: `desk.css`, `views/list.js`, `shared/words.js`. Imports are relative addresses. */
  readonly parts: ReadonlyMap<string, string>;
}

/** Names of packages' modules as served: browsers know package names by import maps only. */
export const PACKAGES: Readonly<Record<string, string>> = {
  preact: "preact.js",
  "preact/hooks": "preact-hooks.js",
  htm: "htm.js",
  "htm/preact": "htm-preact.js",
};

/**
 * A module with the addresses of what it imports as they are served: packages by their names in
 * {@link PACKAGES}, TypeScript's files as scripts. An import map would do the same, but it is an
 * inline script, which the page's policy forbids.
 *
 * @param name as which the module is served: from `views/list.js` packages are a folder up
 * @throws Error for a package that is not served
 */
export function withServedImports(source: string, name: string): string {
  const root = name.includes("/") ? "../" : "./";
  return (
    source
      .replaceAll(imports, (_, before: string, to: string) => before + servedAt(to, root))
      // Maps are not served.
      .replaceAll(/^\/\/# sourceMappingURL=.*$/gm, "")
  );
}

// `from "x"`, `import "x"` and `import("x")`, as formatters and minifiers write them. The pages'
// sources keep to double quotes.
const imports = /(\bfrom ?"|\bimport ?"|\bimport\( ?")([^"\n]+)(?=")/g;

function servedAt(specifier: string, root: string): string {
  // What several pages share lies beside a page's own folder, and is served inside of it.
  const shared = /^(?:\.\.\/)+shared\/([\w-]+)\.(?:ts|js)$/.exec(specifier)?.[1];
  if (shared !== undefined) return `${root}shared/${shared}.js`;
  if (/^\.\.?\/(?!\.)/.test(specifier)) return specifier.replace(/\.ts$/, ".js");
  const name = PACKAGES[specifier];
  if (name === undefined) throw new Error(`unreachable: a page imports ${specifier}`);
  return `${root}${name}`;
}
