import type { Reporter } from "../../yaml/diagnostic.ts";
import { didYouMean, guessOf } from "../../yaml/nearest.ts";
import { sectionOf } from "../../yaml/section.ts";
import { parsePlaceholders, placeholdersOf, slotsOf } from "../compile/placeholders.ts";
import { readPluralForms } from "../compile/plurals.ts";
import { branchesOf, listMessageTexts } from "./message-texts.ts";
import type { MessagesFile } from "./read-messages.ts";

/**
 * Reports unknown and malformed placeholders, which nothing fills. Some of the gateway's lines have
 * additional placeholders.
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
  for (const { address, text, path } of listMessageTexts(file)) {
    const section = sectionOf(file.yaml, reporter, path);
    const { parts, broken } = parsePlaceholders(text);
    for (const found of broken) {
      const message = `"${found}" is no placeholder; a reader would see it as it stands`;
      const hint = "A placeholder is {{name}}: letters, digits, dots, hyphens and underscores.";
      section.error("broken-placeholder", message, hint, { text: found });
    }
    const filled = placeholdersOf(address.key);
    for (const slot of slotsOf({ parts })) {
      if (filled.includes(slot) || variables.has(slot)) continue;
      const known = [...filled, ...variables];
      const message = `nothing fills the placeholder {{${slot}}}.${didYouMean(slot, known)}`;
      const hint = "List conversation variables in the instance's variables.";
      const params = { placeholder: `{{${slot}}}`, ...guessOf(slot, known) };
      section.error("unknown-placeholder", message, hint, params);
    }
  }
}

/** Warns of plural categories that a line lacks, or that its language does not use. */
export function checkPlurals(file: MessagesFile, reporter: Reporter): void {
  for (const { phrase, path } of [...file.lines.values()].flatMap(branchesOf)) {
    if (phrase.plural === undefined) continue;
    const section = sectionOf(file.yaml, reporter, [...path, "plural"]);
    const { needed, samples } = readPluralForms(file.locale);
    const given = Object.keys(phrase.plural);
    const missing = needed.filter((category) => !given.includes(category));
    if (missing.length > 0) {
      const message = `${file.locale} also has the plural ${missing.join(", ")}; "other" stands in`;
      const params = { language: file.locale, forms: missing.join(", ") };
      section.key.warn("plural-missing", message, null, params);
    }
    const used: readonly string[] = [...samples.keys()];
    for (const category of given.filter((name) => !used.includes(name))) {
      const message = `${file.locale} has no plural "${category}"; this is never said`;
      const params = { language: file.locale, form: category };
      section.at(category).key.warn("plural-unused", message, null, params);
    }
  }
}
