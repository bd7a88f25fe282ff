import type { MessagesFile } from "../load/read-messages.ts";
import {
  CATEGORIES,
  type Formats,
  type PlacedText,
  listPlacedTexts,
  placeId,
  type TextPlace,
} from "../load/message-texts.ts";
import { LINE_KEYS } from "../schema/messages.ts";
import { readPluralForms } from "../compile/plurals.ts";

/** One text to translate into one language. */
export interface TranslationUnit {
  /** The place's name, the same in every language. */
  readonly id: string;
  readonly place: TextPlace;
  /** The text of the default language at this place, or null when it says nothing there. */
  readonly source: string | null;
  /** The text in force, or null when there is none. */
  readonly target: string | null;
  /** Whether the target is the owner's or Afterword's. */
  readonly origin: "own" | "shipped" | null;
  /** The formats that a line or branch made for this text should ask for. */
  readonly formats: Formats;
}

/** One language's texts: the owner's before those that come with Afterword. */
export interface LanguageSheet {
  readonly own: MessagesFile | null;
  readonly shipped: MessagesFile | null;
}

/** A language's texts and the default's, in flag order, with the language's plural forms. */
export function unitsOf(
  locale: string,
  source: LanguageSheet,
  target: LanguageSheet,
): readonly TranslationUnit[] {
  const keys = new Set([...LINE_KEYS, ...keysOf(source), ...keysOf(target)]);
  return [...keys].flatMap((key) => unitsOfKey(key, locale, source, target));
}

/** True for texts of one line that are said to the same readers. */
export function isSameBranch(
  { place: one }: TranslationUnit,
  { place: other }: TranslationUnit,
): boolean {
  return (
    placeId({ ...one, part: { kind: "text" } }) === placeId({ ...other, part: { kind: "text" } })
  );
}

function keysOf({ own, shipped }: LanguageSheet): readonly string[] {
  return [own, shipped].flatMap((file) => [...(file?.lines.keys() ?? [])]).toSorted();
}

function unitsOfKey(
  key: string,
  locale: string,
  source: LanguageSheet,
  target: LanguageSheet,
): readonly TranslationUnit[] {
  const from = collectSaidTexts(key, source);
  const to = collectSaidTexts(key, target);
  const texts = new Map<string, PlacedText>();
  const addWanted = (text: PlacedText): void => {
    const id = placeId(text.place);
    if (!texts.has(id)) texts.set(id, text);
  };
  for (const text of from.values()) {
    for (const form of toLanguage(text, locale)) addWanted(form);
  }
  for (const text of to.values()) addWanted(text);
  return Array.from(texts, ([id, { place, formats }]) => ({
    id,
    place,
    source: (from.get(id) ?? from.get(nameOtherForm(place)))?.text ?? null,
    target: to.get(id)?.text ?? null,
    origin: to.get(id)?.origin ?? null,
    formats,
  }));
}

interface SaidText extends PlacedText {
  readonly origin: "own" | "shipped";
}

/**
 * Collects the texts that readers get for a key. An own text for anybody comes before all of
 * Afterword's table.
 */
function collectSaidTexts(
  key: string,
  { own, shipped }: LanguageSheet,
): ReadonlyMap<string, SaidText> {
  const texts = new Map<string, SaidText>();
  const add = (file: MessagesFile | null, origin: SaidText["origin"]): void => {
    const line = file?.lines.get(key);
    for (const text of line === undefined ? [] : listPlacedTexts(key, line)) {
      const id = placeId(text.place);
      if (!texts.has(id)) texts.set(id, { ...text, origin });
    }
  };
  add(own, "own");
  if (![...texts.values()].some(({ place }) => place.branch.kind === "line")) {
    add(shipped, "shipped");
  }
  return texts;
}

/** A plural form of the default language stands for all the forms that this language has. */
function toLanguage(text: PlacedText, locale: string): readonly PlacedText[] {
  const { part } = text.place;
  if (part.kind !== "plural") return [text];
  const { needed } = readPluralForms(locale);
  return CATEGORIES.filter((category) => needed.includes(category)).map((category) => ({
    ...text,
    place: { ...text.place, part: { kind: "plural", category } },
  }));
}

/** The place that a plural form without a counterpart is translated from. */
function nameOtherForm(place: TextPlace): string {
  return place.part.kind === "plural"
    ? placeId({ ...place, part: { kind: "plural", category: "other" } })
    : "";
}
