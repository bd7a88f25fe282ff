import type { TsdownPlugin } from "tsdown";
import { PACKAGES, readPackage } from "../src/backend/pages/load-page.ts";

/** Puts the packages that browsers load where src/backend/pages/load-page.ts looks for them. */
export function servedPackages(): TsdownPlugin {
  return {
    name: "served-packages",
    async generateBundle() {
      for (const [specifier, name] of Object.entries(PACKAGES)) {
        const source = await readPackage(specifier, name);
        this.emitFile({ type: "asset", fileName: `pages/packages/${name}`, source });
      }
    },
  };
}
