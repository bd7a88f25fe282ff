import { editMessages } from "../../config/edit/messages.ts";
import type { Reporter } from "../../config/load/diagnostic.ts";
import { createSource, START } from "../../config/load/source.ts";
import type { TextEdit } from "../../config/load/message-texts.ts";
import type { LanguageChanges } from "./review.ts";
import { sameBranch, type TranslationUnit } from "./unit.ts";
import type { Workbook } from "./workbook.ts";

/** One file as it will be. */
export interface PlannedFile {
  readonly file: string;
  readonly text: string;
}

/** The owner's files that change. What can't be put into a file is reported. */
export function planFiles(
  languages: readonly LanguageChanges[],
  workbook: Workbook,
  reporter: Reporter,
): readonly PlannedFile[] {
  return languages.flatMap((language): PlannedFile[] => {
    if (language.changes.length === 0) return [];
    const { locale } = language;
    const file = workbook.ownFile(locale);
    const { own } = workbook.sheet(locale);
    const before = own?.yaml.source.text ?? headOf(locale, workbook);
    const text = editMessages(before, locale, editsOf(language));
    if (text !== null) return [{ file, text }];
    const source = own?.yaml.source ?? createSource(file, "");
    const message = "this file's anchors or its shape leave no way to put these texts in";
    const hint = "Write the texts it shares out in full, then import again.";
    reporter.error(source, START, "invalid-value", message, hint);
    return [];
  });
}

/** A new file takes over the schema line from one beside it: editors read it there. */
function headOf(locale: string, workbook: Workbook): string {
  const schema = workbook.locales
    .flatMap((other) => workbook.sheet(other).own?.yaml.source.text.split(/\r?\n/, 1) ?? [])
    .find((line) => line.startsWith("# yaml-language-server: $schema="));
  const name = new Intl.DisplayNames("en", { type: "language" }).of(locale) ?? locale;
  const first = schema === undefined ? "" : `${schema}\n#\n`;
  return `${first}# What the bot says in ${name}. A line that is not here comes from Afterword.\n`;
}

function editsOf({ units, changes }: LanguageChanges): readonly TextEdit[] {
  const texts = new Map(changes.map(({ unit, text }) => [unit.id, text]));
  for (const { unit } of changes) {
    for (const other of units) {
      if (other.origin !== "shipped" || other.target === null || texts.has(other.id)) continue;
      if (goesAlong(unit, other)) texts.set(other.id, other.target);
    }
  }
  return units.flatMap(({ id, place, formats }) => {
    const text = texts.get(id);
    return text === undefined ? [] : [{ place, text, formats }];
  });
}

/**
 * An own plural or list of variants takes the place of Afterword's as a whole, and an own text for
 * anybody that of Afterword's channels and conditions: what is still meant to be said goes into the
 * file along with it.
 */
function goesAlong(changed: TranslationUnit, other: TranslationUnit): boolean {
  if (changed.place.key !== other.place.key) return false;
  if (sameBranch(changed, other)) {
    const { kind } = changed.place.part;
    return kind !== "text" && kind === other.place.part.kind;
  }
  return changed.place.branch.kind === "line" && other.place.branch.kind !== "line";
}
