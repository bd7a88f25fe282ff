import { SENSITIVE_OPERATIONS } from "./caller-operations.ts";
import type { Config } from "./config.ts";
import type { Reporter } from "./diagnostic.ts";
import type { YamlFile } from "./yaml.ts";

/**
 * Warns of callers that can do nothing, and of operations that are open to everybody who writes an
 * Origin.
 */
export function checkCallers(config: Config, file: YamlFile, reporter: Reporter): void {
  for (const [index, { name, jwt, keys, operations }] of config.callers.entries()) {
    if (operations.length === 0) {
      const message = `the caller "${name}" may do nothing: it has no operations`;
      reporter.warn(file.source, file.locate(["callers", index, "name"]), "unreachable", message);
    }
    if (jwt !== null || keys.length > 0) continue;
    for (const [at, operation] of operations.entries()) {
      if (!SENSITIVE_OPERATIONS.has(operation.name)) continue;
      const message = `${operation.name} is open to everybody: a program that is no browser writes any Origin`;
      const span = file.locate(["callers", index, "operations", at]);
      reporter.warn(file.source, span, "open-operation", message, "Ask for a jwt or a key too.");
    }
  }
}
