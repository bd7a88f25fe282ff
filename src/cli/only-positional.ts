import type { Arguments } from "./arguments.ts";
import { unusable } from "./unusable.ts";

/**
 * The one thing that a command is about.
 *
 * @param ask what to say when it is not there
 * @throws AfterwordError `argument-invalid`
 */
export function onlyPositional(command: string, args: Arguments, ask: string): string {
  const [given] = args.positionals;
  if (given === undefined) throw unusable(command, ask);
  return given;
}
