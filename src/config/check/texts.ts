import type { CheckedSet } from "./checked-set.ts";
import type { Reporter } from "../../yaml/diagnostic.ts";
import { didYouMean, guessOf } from "../../yaml/nearest.ts";
import { parsePlaceholders, placeholdersOf, slotsOf } from "../compile/placeholders.ts";
import { readPluralForms } from "../compile/plurals.ts";
import type { MessageLine, MessagesFile } from "../load/read-messages.ts";
import { sectionOf } from "../../yaml/section.ts";
import { branchesOf, listMessageTexts } from "../load/message-texts.ts";

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
  for (const { place, text, path } of listMessageTexts(file)) {
    const section = sectionOf(file.yaml, reporter, path);
    const { parts, broken } = parsePlaceholders(text);
    for (const found of broken) {
      const message = `"${found}" is no placeholder; a reader would see it as it stands`;
      const hint = "A placeholder is {{name}}: letters, digits, dots, hyphens and underscores.";
      section.error("broken-placeholder", message, hint, { text: found });
    }
    const filled = placeholdersOf(place.key);
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

/** Warns of plural categories that the language needs and a line lacks, or has in vain. */
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

/** Warns of `{query}`: readers see single braces. Unknown names are certainly text. */
export function checkBraces(
  file: MessagesFile,
  variables: ReadonlySet<string>,
  reporter: Reporter,
): void {
  for (const { place, text, path } of listMessageTexts(file)) {
    for (const [found, name = ""] of text.matchAll(SINGLE_BRACES)) {
      if (!placeholdersOf(place.key).includes(name) && !variables.has(name.toLowerCase())) continue;
      const message = `readers would see "${found}": a placeholder has two braces`;
      const params = { text: found, meant: `{{${name}}}` };
      const section = sectionOf(file.yaml, reporter, path);
      section.warn("single-brace", message, `Write {{${name}}}.`, params);
    }
  }
}

const SINGLE_BRACES = /(?<!\{)\{ {0,3}([A-Za-z_][A-Za-z0-9_.-]{0,60}) {0,3}\}(?!\})/g;

/** Warns of placeholders missing or added in comparison to the owner's default language. */
export function checkParity(file: MessagesFile, set: CheckedSet, reporter: Reporter): void {
  const reference = set.own.get(set.fallback)?.file;
  if (reference === undefined || reference.locale === file.locale) return;
  for (const [key, line] of file.lines) {
    const mine = slotsOfText(line);
    const theirs = slotsOfText(reference.lines.get(key));
    if (mine === null || theirs === null) continue;
    const missing = theirs.filter((slot) => !mine.includes(slot)).map((slot) => `{{${slot}}}`);
    const added = mine.filter((slot) => !theirs.includes(slot)).map((slot) => `{{${slot}}}`);
    if (missing.length + added.length === 0) continue;
    const parts = [
      ...(missing.length > 0 ? [`lacks ${missing.join(", ")}`] : []),
      ...(added.length > 0 ? [`adds ${added.join(", ")}`] : []),
    ];
    const message = `compared with ${reference.locale}, this text ${parts.join(" and ")}`;
    const section = sectionOf(file.yaml, reporter, [line.writtenKey, "text"]);
    const params = {
      language: reference.locale,
      missing: missing.join(", ") || "–",
      added: added.join(", ") || "–",
    };
    section.warn("placeholder-differs", message, null, params);
  }
}

function slotsOfText(line: MessageLine | undefined): readonly string[] | null {
  return line?.text === undefined ? null : slotsOf(parsePlaceholders(line.text));
}
