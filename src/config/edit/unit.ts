import type { MessagesFile } from "../load/read-messages.ts";
import {
  CATEGORIES,
  type Formats,
  type MessageText,
  listLineTexts,
  formatTextId,
  type TextAddress,
} from "../load/message-texts.ts";
import { LINE_KEYS } from "../schema/messages.ts";
import { readPluralForms } from "../compile/plurals.ts";

/** One text to translate into one language. */
export interface TranslationUnit {
  /** As `formatTextId` writes it. It is the same in every language. */
  readonly id: string;
  readonly address: TextAddress;
  /** The text of the default language at this address, or null when it has none. */
  readonly source: string | null;
  /** The text in force, or null when there is none. */
  readonly target: string | null;
  /** The target's author: the owner or Afterword. */
  readonly origin: "own" | "shipped" | null;
  /** The formats for a line or branch that is added for this text. */
  readonly formats: Formats;
}

/** One language's texts. The owner's come before Afterword's. */
export interface LanguageSheet {
  readonly own: MessagesFile | null;
  readonly shipped: MessagesFile | null;
}

/** Lists a language's texts beside the default's, in flag order, with the language's plurals. */
export function unitsOf(
  locale: string,
  source: LanguageSheet,
  target: LanguageSheet,
): readonly TranslationUnit[] {
  const keys = new Set([...LINE_KEYS, ...keysOf(source), ...keysOf(target)]);
  return [...keys].flatMap((key) => unitsOfKey(key, locale, source, target));
}

/** True for texts of one line for the same readers. */
export function isSameBranch(
  { address: one }: TranslationUnit,
  { address: other }: TranslationUnit,
): boolean {
  return (
    formatTextId({ ...one, part: { kind: "text" } }) ===
    formatTextId({ ...other, part: { kind: "text" } })
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
  const from = collectEffectiveTexts(key, source);
  const to = collectEffectiveTexts(key, target);
  const texts = new Map<string, MessageText>();
  const addText = (text: MessageText): void => {
    const id = formatTextId(text.address);
    if (!texts.has(id)) texts.set(id, text);
  };
  for (const text of from.values()) {
    for (const form of expandPlural(text, locale)) addText(form);
  }
  for (const text of to.values()) addText(text);
  return Array.from(texts, ([id, { address, formats }]) => ({
    id,
    address,
    source: (from.get(id) ?? from.get(nameOtherForm(address)))?.text ?? null,
    target: to.get(id)?.text ?? null,
    origin: to.get(id)?.origin ?? null,
    formats,
  }));
}

interface EffectiveText extends MessageText {
  readonly origin: "own" | "shipped";
}

/**
 * Collects the texts that readers get for a key. An own text without conditions hides all of
 * Afterword's.
 */
function collectEffectiveTexts(
  key: string,
  { own, shipped }: LanguageSheet,
): ReadonlyMap<string, EffectiveText> {
  const texts = new Map<string, EffectiveText>();
  const add = (file: MessagesFile | null, origin: EffectiveText["origin"]): void => {
    const line = file?.lines.get(key);
    for (const text of line === undefined ? [] : listLineTexts(key, line)) {
      const id = formatTextId(text.address);
      if (!texts.has(id)) texts.set(id, { ...text, origin });
    }
  };
  add(own, "own");
  if (![...texts.values()].some(({ address }) => address.branch.kind === "line")) {
    add(shipped, "shipped");
  }
  return texts;
}

/** Expands a plural form of the default language to all forms that this language has. */
function expandPlural(text: MessageText, locale: string): readonly MessageText[] {
  const { part } = text.address;
  if (part.kind !== "plural") return [text];
  const { needed } = readPluralForms(locale);
  return CATEGORIES.filter((category) => needed.includes(category)).map((category) => ({
    ...text,
    address: { ...text.address, part: { kind: "plural", category } },
  }));
}

/** Names the form `other`, the source of a plural form that the default language lacks. */
function nameOtherForm(address: TextAddress): string {
  return address.part.kind === "plural"
    ? formatTextId({ ...address, part: { kind: "plural", category: "other" } })
    : "";
}
