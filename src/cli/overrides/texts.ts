import type { Config } from "../../config/config.ts";
import { packTables } from "../../runtime/worker/packed-tables.ts";
import type { PushedTexts } from "../../runtime/worker/pushed-texts.ts";

/** What all instances of a configuration say. */
export function textsOf({ tableSets, instances }: Config): PushedTexts {
  return {
    format: 1,
    tables: packTables(tableSets),
    instances: Object.fromEntries(instances.map(({ name, tableSet }) => [name, tableSet])),
  };
}
