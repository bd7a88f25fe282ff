import { toCanonicalTag, findLanguageFault } from "../../config/schema/values.ts";
import { createArgumentError } from "../command/arguments.ts";

/**
 * The language that an option names, in its canonical spelling.
 *
 * @throws AfterwordError `argument-invalid`
 */
export function readLanguage(command: string, given: string): string {
  const tag = toCanonicalTag(given);
  if (tag === null) {
    throw createArgumentError(
      command,
      `--language is a language tag such as fr or pt-BR, not "${given}"`,
    );
  }
  const fault = findLanguageFault(given);
  if (fault === null) return tag;
  throw createArgumentError(command, `--language: ${fault}`);
}
