import type { ContentRefusal } from "../../backend/content/source.ts";
import type { Logger } from "../../gateway/platform.ts";

/** Tells the operator, in one line, why changed contents are not in force: the first mistake with its place, and how many there are. */
export function contentRefused(log: Logger): (refusal: ContentRefusal) => void {
  return function refused({ diagnostics, error }) {
    const errors = diagnostics.filter(({ severity }) => severity === "error");
    const [first] = errors;
    const detail =
      first === undefined
        ? String(error)
        : `${first.file}:${first.line}:${first.column}: ${first.message}`;
    log("warn", "content-refused", { errors: errors.length, detail });
  };
}
