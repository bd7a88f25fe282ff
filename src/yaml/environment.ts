import { type Document, visit } from "yaml";
import type { Reporter } from "./diagnostic.ts";
import type { Environment, Source } from "./source.ts";

/** `$${` is a literal `${`; an unclosed `${` is taken as it stands. */
const REFERENCE = /\$\$\{|\$\{([^}$]*)\}/g;
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/**
 * Replaces `${NAME}` in every string value (not in keys) of the document. The value of a variable
 * is never parsed again, neither as YAML nor for further references. False when a variable is
 * missing; each is reported.
 */
export function substituteEnvironment(
  document: Document.Parsed,
  source: Source,
  environment: Environment,
  reporter: Reporter,
): boolean {
  let complete = true;
  visit(document, {
    Scalar(key, node) {
      if (key === "key" || typeof node.value !== "string" || !node.value.includes("${")) return;
      node.value = node.value.replace(REFERENCE, (reference, name: string | undefined) => {
        const value = valueOf(name, environment);
        if (name === undefined || value !== undefined) return value ?? "";
        complete = false;
        const [from, to] = node.range ?? [0, 0];
        const found = source.text.indexOf(reference, from);
        const start = found === -1 || found >= to ? from : found;
        reporter.error(
          source,
          { start, end: start + reference.length },
          "environment",
          NAME.test(name)
            ? `the environment variable ${name} is not set`
            : `"${reference}" does not name an environment variable`,
          NAME.test(name) ? null : "Write $${ for a literal ${.",
          NAME.test(name) ? { name } : undefined,
        );
        return "";
      });
    },
  });
  return complete;
}

/** Returns the value of a reference; the one without a name is the literal `${`. */
function valueOf(name: string | undefined, environment: Environment): string | undefined {
  if (name === undefined) return "${";
  return NAME.test(name) && Object.hasOwn(environment, name) ? environment[name] : undefined;
}
