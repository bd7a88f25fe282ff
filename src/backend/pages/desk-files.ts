/** What the desk consists of, as a browser gets it. */
export interface DeskFiles {
  /** The page; `{{base}}` is the parts' address, `{{head}}` the place of further elements. */
  readonly html: string;
  /** Parts by name: `desk.css`, `main.js`, `words-de.json`. Modules import by relative address. */
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
 * @throws Error for a package that is not served
 */
export function withServedImports(source: string): string {
  return (
    source
      .replaceAll(imports, (_, before: string, specifier: string) => before + served(specifier))
      // Maps are not served.
      .replaceAll(/^\/\/# sourceMappingURL=.*$/gm, "")
  );
}

// `from "x"`, `import "x"` and `import("x")`, as formatters and minifiers write them. The desk's
// sources keep to double quotes.
const imports = /(\bfrom ?"|\bimport ?"|\bimport\( ?")([^"\n]+)(?=")/g;

function served(specifier: string): string {
  if (specifier.startsWith("./")) return specifier.replace(/\.ts$/, ".js");
  const name = PACKAGES[specifier];
  if (name === undefined) throw new Error(`unreachable: the desk imports ${specifier}`);
  return `./${name}`;
}
