import type { Reporter } from "./diagnostic.ts";
import type { YamlFile } from "./yaml.ts";

/** Warns of an unquoted `no`: it is Norwegian here, and false to readers of YAML 1.1. */
export function checkNorway(file: YamlFile, reporter: Reporter): void {
  for (const span of file.plainNo()) {
    const message = "many tools read this as false (YAML 1.1), not as Norwegian";
    reporter.warn(file.source, span, "norway", message, 'Write "no" in quotes.');
  }
}
