import { relative, sep } from "node:path";
import type { TsdownPlugin } from "tsdown";

/**
 * In the bundled command a module keeps the address it has in the unbundled package: threads are
 * started from there, and the files beside a module are found there. Modules of the command itself
 * have no other place than the bundle.
 *
 * @param source folder of the modules
 * @param from where the bundle lies, as seen from the unbundled modules: `cli`
 */
export function ownAddresses(source: string, from: string): TsdownPlugin {
  return {
    name: "own-addresses",
    transform(code, id) {
      const path = relative(source, id).split(sep).join("/");
      if (path.startsWith("..") || path.startsWith(`${from}/`)) return null;
      if (!code.includes("import.meta.url")) return null;
      const address = `new URL("../${path.replace(/\.ts$/, ".js")}", import.meta.url).href`;
      return { code: code.replaceAll("import.meta.url", address), map: null };
    },
  };
}
