import { findMarkupFault, TAG } from "../../locales/markup.ts";
import { isRegionOf } from "../../locales/relatives.ts";
import type { DiagnosticParams, Reporter } from "../../yaml/diagnostic.ts";
import { didYouMean, guessOf } from "../../yaml/nearest.ts";
import { parsePlaceholders, placeholdersOf, slotsOf } from "../compile/placeholders.ts";
import type { Source } from "../../yaml/source.ts";
import { MAX_ROWS, readCsv } from "./csv.ts";
import { findLocaleWithoutRegion, didYouMeanLocale, readLocale } from "./locale-names.ts";
import type { TranslatedRow } from "./row.ts";
import { isSameBranch, type TranslationUnit, unitsOf } from "../edit/unit.ts";
import type { Change, LanguageChanges, Workbook } from "../edit/workbook.ts";
import { dropTrailing } from "../../text.ts";
import { withoutEscapedCodes } from "./xliff-inline.ts";
import { readXliff } from "./xliff-read.ts";

/** The effect of an import on one language. */
export interface ReviewedLanguage extends LanguageChanges {
  readonly unchanged: number;
  /** The unchanged texts that came back with other white space or normalization. */
  readonly respaced: number;
  readonly untranslated: number;
}

/** Reviews what a translator's file, CSV or XLIFF, would do; see {@link reviewRows}. */
export function reviewSource(
  source: Source,
  workbook: Workbook,
  reporter: Reporter,
): readonly ReviewedLanguage[] {
  const read = source.text.trimStart().startsWith("<") ? readXliff : readCsv;
  const rows = read(source, reporter) ?? [];
  const [first] = rows.slice(MAX_ROWS);
  if (first === undefined) return reviewRows(rows, workbook, source, reporter);
  const message = `this file has ${rows.length} rows, and at most ${MAX_ROWS} are read: divide it`;
  reporter.error(source, first.span, "invalid-value", message);
  return [];
}

/** The comparison stops after this many rows with faults. */
const maxFaults = 200;

/** Compares a translator's rows with the texts. Rows that would lose or break a text are errors. */
export function reviewRows(
  rows: readonly TranslatedRow[],
  workbook: Workbook,
  source: Source,
  reporter: Reporter,
): readonly ReviewedLanguage[] {
  const languages = new Map<string, Language>();
  const localeOf = createLocaleReader(workbook, source, reporter);
  let faults = 0;
  for (const written of rows) {
    if (faults >= maxFaults) {
      reporter.error(source, written.span, "invalid-value", "there are too many mistakes to go on");
      break;
    }
    const locale = localeOf(written);
    if (locale === null) {
      faults++;
      continue;
    }
    const language = languages.get(locale) ?? openLanguage(locale, workbook);
    languages.set(locale, language);
    const unit = language.byId.get(written.id);
    const row = withoutCodes(written, unit, source, reporter);
    if (unit === undefined) {
      const message = `${locale} has no text "${row.id}".${didYouMean(row.id, language.byId.keys())}`;
      reporter.error(source, row.span, "unknown-key", message);
      faults++;
    } else if (language.seen.has(row.id)) {
      const message = `${row.id} in ${locale} stands in this file twice`;
      reporter.error(source, row.span, "duplicate", message);
      faults++;
    } else {
      language.seen.add(row.id);
      reviewRow(row, unit, language, workbook, source, reporter);
    }
  }
  for (const language of languages.values()) {
    for (const { row, message } of findIncomplete(language)) {
      reporter.error(source, row.span, "missing-key", message);
    }
  }
  return Array.from(languages.values(), (language) => ({
    locale: language.locale,
    units: language.units,
    changes: language.changes.map(({ unit, text }) => ({ unit, text })),
    unchanged: language.unchanged,
    respaced: language.respaced,
    untranslated: language.untranslated,
  }));
}

/** Reads the language of each row, and notes each tag once that is mapped to another language. */
function createLocaleReader(
  workbook: Workbook,
  source: Source,
  reporter: Reporter,
): (row: TranslatedRow) => string | null {
  const told = new Set<string>();
  return ({ locale: written, exported, span }) => {
    const { locales } = workbook;
    const locale = readLocale(written, locales);
    if (locale === null) {
      const message = `no language is known by the tag "${written}".${didYouMeanLocale(written, locales)}`;
      reporter.error(source, span, "unknown-locale", message);
      return null;
    }
    if (locales.includes(locale) || locale === exported) return locale;
    const meant = findLocaleWithoutRegion(locale, exported, locales);
    const relative = meant ?? locales.find((one) => isRegionOf(locale, one));
    if (relative !== undefined && !told.has(locale)) {
      told.add(locale);
      const message =
        meant === null
          ? `${locale} gets texts of its own, which readers of ${relative} do not see`
          : `these texts are for ${locale}, and go to ${meant}`;
      const hint =
        meant === null
          ? `If they are for all readers of ${relative}, write ${relative} in the place of ${locale}.`
          : `For texts of ${locale} alone, make messages/${locale}.yaml first.`;
      reporter.warn(source, span, "unknown-locale", message, hint);
    }
    return meant ?? locale;
  };
}

/** Removes XLIFF codes that a platform has escaped from the texts of a row. */
function withoutCodes(
  row: TranslatedRow,
  unit: TranslationUnit | undefined,
  source: Source,
  reporter: Reporter,
): TranslatedRow {
  if (row.target === null) return row;
  const { text, lost } = withoutEscapedCodes(row.target);
  // A text may hold such tags by itself.
  if (text === row.target || unit?.target === row.target) return row;
  if (lost !== null) {
    const message = `${row.id}: "${lost}" is a code of the translator's file, and holds nothing that could be put into the text`;
    reporter.error(source, row.span, "invalid-value", message);
  }
  const original = row.source === null ? null : withoutEscapedCodes(row.source).text;
  return { ...row, target: text, source: original };
}

interface Language {
  readonly locale: string;
  readonly units: readonly TranslationUnit[];
  readonly byId: ReadonlyMap<string, TranslationUnit>;
  readonly seen: Set<string>;
  readonly changes: (Change & { readonly row: TranslatedRow })[];
  unchanged: number;
  respaced: number;
  untranslated: number;
}

function openLanguage(locale: string, workbook: Workbook): Language {
  const units = unitsOf(locale, workbook.sheet(workbook.sourceLocale), workbook.sheet(locale));
  return {
    locale,
    units,
    byId: new Map(units.map((unit) => [unit.id, unit])),
    seen: new Set(),
    changes: [],
    unchanged: 0,
    respaced: 0,
    untranslated: 0,
  };
}

function reviewRow(
  row: TranslatedRow,
  unit: TranslationUnit,
  language: Language,
  workbook: Workbook,
  source: Source,
  reporter: Reporter,
): void {
  const text = row.target;
  if (
    text !== null &&
    unit.target !== null &&
    dropTrailingBreaks(text) === dropTrailingBreaks(unit.target)
  ) {
    language.unchanged += 1;
  } else if (text !== null && unit.target !== null && isRespaced(text, unit.target)) {
    language.unchanged += 1;
    language.respaced += 1;
  } else if (text === null || (text === "" && unit.target === null)) language.untranslated += 1;
  else if (text.trim() === "") {
    const hint = "Leave out the row to keep the text that is there.";
    reporter.error(source, row.span, "empty-text", `${unit.id}: this is empty`, hint, {});
  } else {
    reviewText(text, unit, workbook, (severity, code, message, params) => {
      reporter[severity](source, row.span, code, `${unit.id}: ${message}`, null, params);
    });
    if (row.source !== null && foldSpace(row.source) !== foldSpace(unit.source ?? "")) {
      const message = `${unit.id}: the text it was translated from has changed since the export`;
      reporter.warn(source, row.span, "source-changed", message, null, {});
    }
    language.changes.push({ unit, text, row });
  }
}

/** Drops line breaks at the end, which readers never see and tools remove. */
function dropTrailingBreaks(text: string): string {
  return dropTrailing(text, "\r\n");
}

/**
 * True if a text differs only by what platforms normalize: no-break spaces, typographic
 * apostrophes, runs of white space, and Unicode's form C.
 */
function isRespaced(text: string, before: string): boolean {
  if (foldSpace(text) !== foldSpace(before)) return false;
  // A translator who adds them has made a change.
  return (text.match(FINE)?.length ?? 0) <= (before.match(FINE)?.length ?? 0);
}

function foldSpace(text: string): string {
  return text
    .normalize("NFC")
    .replace(/[\s\u200b\u2060]+/gu, " ")
    .replaceAll("\u2019", "'")
    .trim();
}

const FINE = /[\u00a0\u2007\u2009\u202f\u2019\u200b\u2060]/gu;

type Report = (
  severity: "error" | "warn",
  code: "broken-placeholder" | "unknown-placeholder" | "placeholder-differs" | "markup",
  message: string,
  params?: DiagnosticParams,
) => void;

function reviewText(text: string, unit: TranslationUnit, workbook: Workbook, report: Report): void {
  const { parts, broken } = parsePlaceholders(text);
  const slots = slotsOf({ parts });
  for (const found of broken) {
    report("error", "broken-placeholder", `"${found}" is no placeholder`, { text: found });
  }
  const known = [...placeholdersOf(unit.address.key), ...workbook.variables];
  for (const slot of slots.filter((name) => !known.includes(name))) {
    const message = `nothing fills the placeholder {{${slot}}}.${didYouMean(slot, known)}`;
    const params = { placeholder: `{{${slot}}}`, ...guessOf(slot, known) };
    report("error", "unknown-placeholder", message, params);
  }
  if (unit.source === null) return;
  const required = slotsOf(parsePlaceholders(unit.source)).filter(
    (slot) => !mayOmitSlot(slot, unit),
  );
  const missing = required.filter((slot) => !slots.includes(slot)).map((slot) => `{{${slot}}}`);
  if (missing.length > 0) {
    const message = `${missing.join(", ")} of the text it is translated from is missing: put it into the text, or write this text into the language's file by hand`;
    const params = {
      language: workbook.sourceLocale,
      missing: missing.join(", "),
      added: "–",
    };
    report("error", "placeholder-differs", message, params);
  }
  const lost = tagNames(unit.source).filter((name) => !tagNames(text).includes(name));
  if (lost.length > 0) {
    const tags = lost.map((name) => `<${name}>`).join(", ");
    report("warn", "markup", `${tags} of the text it is translated from is missing`);
  }
  const fault = findMarkupFault(text);
  if (fault !== null && findMarkupFault(unit.source) === null) {
    report("error", "markup", fault.message, { tag: fault.tag });
  }
}

function tagNames(text: string): readonly string[] {
  return [...new Set(Array.from(text.matchAll(TAG), ([, , name = ""]) => name.toLowerCase()))];
}

/** True for `{{count}}` in a plural form for one number, such as "One answer". */
function mayOmitSlot(slot: string, { address: { part } }: TranslationUnit): boolean {
  return (
    slot === "count" && part.kind === "plural" && ["zero", "one", "two"].includes(part.category)
  );
}

/** Finds changes that can't be made alone: a variant after a missing one, a plural without `other`. */
function* findIncomplete(
  language: Language,
): Generator<{ readonly row: TranslatedRow; readonly message: string }> {
  const changed = new Set(language.changes.map(({ unit }) => unit.id));
  const hasText = (unit: TranslationUnit): boolean => unit.target !== null || changed.has(unit.id);
  for (const { unit, row } of language.changes) {
    const siblings = language.units.filter((other) => isSameBranch(unit, other));
    const { part } = unit.address;
    const needed = siblings.filter((other) =>
      part.kind === "variant"
        ? other.address.part.kind === "variant" && other.address.part.index < part.index
        : part.kind === "plural" &&
          other.address.part.kind === "plural" &&
          other.address.part.category === "other",
    );
    const missing = needed.find((other) => !hasText(other));
    if (missing === undefined) continue;
    yield { row, message: `${unit.id} needs a text for ${missing.id} too` };
  }
}
