import type { z } from "zod";
import type { DiagnosticCode, DiagnosticParams, Reporter } from "./diagnostic.ts";
import { didYouMean } from "./nearest.ts";
import type { Path, YamlFile } from "./yaml.ts";

/** Validates the value at `base` of a file. Null after mistakes, which are reported at their positions. */
export function parseWith<Schema extends z.ZodType>(
  schema: Schema,
  file: YamlFile,
  value: unknown,
  reporter: Reporter,
  base: Path = [],
): z.output<Schema> | null {
  const result = schema.safeParse(value, { error: describe });
  if (result.success) return result.data;
  for (const issue of result.error.issues) report(issue, base, file, reporter);
  return null;
}

function report(issue: z.core.$ZodIssue, base: Path, file: YamlFile, reporter: Reporter): void {
  const path = [...base, ...issue.path];
  const reportAt = (
    code: DiagnosticCode,
    part: "key" | "value",
    message: string,
    hint?: string,
  ): void => {
    const params: DiagnosticParams | undefined = code === "empty-text" ? {} : undefined;
    reporter.error(file.source, file.locate(path, part), code, message, hint, params);
  };

  if (issue.code !== "custom" && path.length > 0 && valueAt(file.value, path) === undefined) {
    const holder = file.locate(path.slice(0, -1), "value");
    const name = String(path.at(-1));
    const message = `the key "${name}" is missing here`;
    reporter.error(file.source, holder, "missing-key", message, null, { name });
  } else if (issue.code === "unrecognized_keys") {
    const lines = issue.message.split("\n");
    for (const [index, key] of issue.keys.entries()) {
      const span = file.locate([...path, key], "key");
      const message = lines[index] ?? `unknown key "${key}"`;
      reporter.error(file.source, span, "unknown-key", message, null, { name: key });
    }
  } else if (issue.code === "invalid_union") {
    const variants = issue.errors.filter((variant) => !variant.some(isWrongType));
    const [variant] = variants;
    // The value has the type of exactly one variant, so only the mistakes in this variant are reported.
    if (variants.length === 1 && variant !== undefined) {
      for (const inner of variant) report(inner, path, file, reporter);
    } else reportAt(codeOf(issue.message), "value", issue.message);
  } else if (issue.code === "invalid_key") {
    const message = issue.issues[0]?.message ?? issue.message;
    reportAt(codeOf(message), "key", message);
  } else if (issue.code === "custom" && issue.params?.["at"] === "key") {
    reportAt("unknown-key", "key", issue.message);
  } else {
    const quoted = issue.code === "invalid_type" && issue.expected === "string";
    const hint = quoted && isPlainScalar(file.written(path)) ? "Put it in quotes." : undefined;
    reportAt(codeOf(issue.message), "value", issue.message, hint);
  }
}

export function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (holder, step) =>
      typeof holder === "object" && holder !== null && Object.hasOwn(holder, step)
        ? Reflect.get(holder, step)
        : undefined,
    value,
  );
}

function codeOf(message: string): DiagnosticCode {
  if (message.startsWith("unknown flag")) return "unknown-flag";
  return message.includes("must not be empty") ? "empty-text" : "invalid-value";
}

/** True if a value has another type than this variant of a union, such as a string for a mapping. */
function isWrongType(issue: z.core.$ZodIssue): boolean {
  return (
    issue.path.length === 0 && (issue.code === "invalid_type" || issue.code === "invalid_value")
  );
}

function isPlainScalar(written: string | null): boolean {
  return written !== null && written !== "" && !/^["'|>~]|^null$/i.test(written);
}

/** Describes issues for which a schema has no message. */
function describe(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === "invalid_type") {
    return `${NAMES.get(issue.expected) ?? issue.expected} is needed here, not ${kindOf(issue.input)}`;
  }
  if (issue.code === "invalid_value") {
    const values = issue.values.map(String);
    const guess = typeof issue.input === "string" ? didYouMean(issue.input, values) : "";
    return `${values.length === 1 ? "" : "one of "}${values.join(", ")} is needed here.${guess}`;
  }
  return issue.code === "invalid_union" ? "this has no form that is possible here" : undefined;
}

const NAMES: ReadonlyMap<string, string> = new Map([
  ["string", "a text"],
  ["number", "a number"],
  ["boolean", "true or false"],
  ["object", "a mapping"],
  ["record", "a mapping"],
  ["array", "a list"],
]);

function kindOf(value: unknown): string {
  if (value === null) return "nothing";
  if (Array.isArray(value)) return "a list";
  const kind = typeof value;
  return NAMES.get(kind) ?? kind;
}
