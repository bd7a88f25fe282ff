import { canonicalTag, findLanguageFault } from "../../config/schema/values.ts";
import { unusable } from "../command/arguments.ts";

/**
 * The language that an option names, in its canonical spelling.
 *
 * @throws AfterwordError `argument-invalid`
 */
export function readLanguage(command: string, given: string): string {
  const tag = canonicalTag(given);
  if (tag === null) {
    throw unusable(command, `--language is a language tag such as fr or pt-BR, not "${given}"`);
  }
  const fault = findLanguageFault(given);
  if (fault === null) return tag;
  throw unusable(command, `--language: ${fault}`);
}
