import { type WrittenConfig, configSchema } from "../schema/config.ts";
import type { Reporter } from "../../yaml/diagnostic.ts";
import { readSource } from "../../yaml/read-file.ts";
import { parseWith } from "../../yaml/schema-issues.ts";
import { type Environment, START } from "../../yaml/source.ts";
import { parseYaml, type YamlFile } from "../../yaml/yaml.ts";

/** A configuration as its owner wrote it: `written` is null if `reporter` got an error. */
export interface ReadConfig {
  readonly yaml: YamlFile | null;
  readonly written: WrittenConfig | null;
}

/** Reads and validates a configuration file alone, without the texts that belong to it. */
export function readConfig(path: string, environment: Environment, reporter: Reporter): ReadConfig {
  const absent = "`afterword init` writes a configuration to start from; --config names another.";
  const source = readSource(path, MAX_BYTES, reporter, absent);
  const yaml = source === null ? null : parseYaml(source, reporter, environment);
  if (source === null || yaml === null) return { yaml: null, written: null };
  if (yaml.value === null) {
    const message = "the file is empty; `afterword init` writes a configuration to start from";
    reporter.error(source, START, "missing-key", message);
    return { yaml, written: null };
  }
  return { yaml, written: parseWith(configSchema, yaml, yaml.value, reporter) };
}

/** Ten thousand instances fit; a larger file is not a configuration. */
const MAX_BYTES = 4_194_304;
