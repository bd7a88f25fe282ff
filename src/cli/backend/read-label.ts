import { unusable } from "../unusable.ts";

/**
 * A name that fits on a line: 1 to 100 characters, none of which moves a terminal's cursor.
 *
 * @param what as the message names it, such as `the name` or `--project`
 * @throws AfterwordError `argument-invalid`
 */
export function readLabel(command: string, what: string, text: string): string {
  const label = text.trim();
  if (/^[^\p{C}\p{Zl}\p{Zp}]{1,100}$/u.test(label)) return label;
  throw unusable(command, `${what} has 1 to 100 characters, and none of them controls a terminal`);
}
