import { AfterwordError } from "../errors.ts";

/** Arguments that a command can do nothing with: one line that names its help, and exit code 2. */
export function unusable(command: string, what: string): AfterwordError {
  return new AfterwordError(
    "argument-invalid",
    `afterword ${command}: ${what} (afterword ${command} --help)`,
  );
}
