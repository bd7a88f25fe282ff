/** What the desk consists of, as a browser gets it. */
export interface DeskFiles {
  /**
   * The page. `{{base}}` stands where the address of the parts goes, `{{head}}` where further
   * elements go.
   */
  readonly html: string;
  /**
   * Style sheet, modules and texts by name, such as `desk.css`, `main.js` and `words-de.json`.
   * Modules name each other by relative address.
   */
  readonly parts: ReadonlyMap<string, string>;
}

/**
 * Names under which the modules of packages are served. A browser knows no package names without an
 * import map.
 */
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
