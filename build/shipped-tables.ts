import { join } from "node:path";
import type { TsdownPlugin } from "tsdown";
import { prepareTables } from "../src/config/prepare-tables.ts";
import { readWords } from "../src/config/recognition-words.ts";

/** Writes what the shipped tables come to where src/config/prepared-tables.ts looks for it. */
export function shippedTables(directory: string): TsdownPlugin {
  return {
    name: "shipped-tables",
    async generateBundle() {
      const source = JSON.stringify(await prepareTables(directory));
      this.emitFile({ type: "asset", fileName: "config/tables.json", source });
      const words = JSON.stringify(readWords(join(directory, "recognition")));
      this.emitFile({ type: "asset", fileName: "config/recognition.json", source: words });
    },
  };
}
