import type { Reporter } from "./diagnostic.ts";
import { messageTexts } from "./message-texts.ts";
import { didYouMean } from "./nearest.ts";
import { parsePlaceholders, placeholdersOf, slotsOf } from "./placeholders.ts";
import { pluralForms } from "./plural-categories.ts";
import type { MessagesFile } from "./read-messages.ts";
import type { WrittenPhrase } from "./schema-messages.ts";
import type { Path } from "./yaml.ts";

/**
 * Reports placeholders that nothing fills: unknown names, and double braces that are no placeholder
 * at all. Some of the gateway's own lines have placeholders of their own.
 *
 * @param variables lower-cased conversation variables that some instance lists
 */
export function checkPlaceholders(
  file: MessagesFile,
  variables: ReadonlySet<string>,
  reporter: Reporter,
): void {
  // Most files have no placeholder at all; a backslash may spell one.
  if (!/\{\{|\\/.test(file.yaml.source.text)) return;
  for (const { key, text, path } of messageTexts(file)) {
    const { parts, broken } = parsePlaceholders(text);
    const filled = placeholdersOf(key);
    const unknown = slotsOf({ parts }).filter(
      (slot) => !filled.includes(slot) && !variables.has(slot),
    );
    if (broken.length + unknown.length === 0) continue;
    const span = file.yaml.locate(path);
    for (const found of broken) {
      const message = `"${found}" is no placeholder; a reader would see it as it stands`;
      const hint = "A placeholder is {{name}}: letters, digits, dots, hyphens and underscores.";
      reporter.error(file.yaml.source, span, "broken-placeholder", message, hint);
    }
    for (const slot of unknown) {
      const known = [...filled, ...variables];
      const message = `nothing fills the placeholder {{${slot}}}.${didYouMean(slot, known)}`;
      const hint = "List conversation variables in the instance's variables.";
      reporter.error(file.yaml.source, span, "unknown-placeholder", message, hint);
    }
  }
}

/**
 * Warns of plural categories that the file's language needs and a line lacks, or has and can never
 * use.
 */
export function checkPlurals(file: MessagesFile, reporter: Reporter): void {
  const check = (phrase: WrittenPhrase, path: Path): void => {
    if (phrase.plural === undefined) return;
    const { needed, samples } = pluralForms(file.locale);
    const given = Object.keys(phrase.plural);
    const missing = needed.filter((category) => !given.includes(category));
    // A place is asked for only where there is something to say of it: the file is read once more
    // for that.
    if (missing.length > 0) {
      const span = file.yaml.locate([...path, "plural"], "key");
      const message = `${file.locale} also has the plural ${missing.join(", ")}; "other" stands in`;
      reporter.warn(file.yaml.source, span, "plural-missing", message);
    }
    for (const category of given) {
      if ([...samples.keys()].some((used) => used === category)) continue;
      const place = file.yaml.locate([...path, "plural", category], "key");
      const message = `${file.locale} has no plural "${category}"; this is never said`;
      reporter.warn(file.yaml.source, place, "plural-unused", message);
    }
  };
  for (const line of file.lines.values()) {
    const at = [line.writtenKey];
    check(line, at);
    for (const [index, condition] of line.when.entries()) check(condition, [...at, "when", index]);
    for (const [channel, written] of Object.entries(line.channels)) {
      check(written, [...at, "channels", channel]);
    }
  }
}
