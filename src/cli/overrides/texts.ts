import type { Config } from "../../config/config.ts";
import { compileTables } from "../../runtime/worker/compiled-tables.ts";
import type { PushedTexts } from "../../runtime/worker/pushed-texts.ts";

/** What all instances of a configuration say. */
export function textsOf({ tableSets, instances }: Config): PushedTexts {
  return {
    format: 2,
    tables: compileTables(tableSets),
    instances: Object.fromEntries(instances.map(({ name, tableSet }) => [name, tableSet])),
  };
}
