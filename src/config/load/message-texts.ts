import type { PluralCategory, TextFormat } from "../../locales/types.ts";
import type { MessageLine, MessagesFile } from "./read-messages.ts";
import {
  type ConditionFields,
  fieldsOf,
  isConditionField,
  type WrittenPhrase,
} from "../schema/messages.ts";
import { parseJson } from "../../json/values.ts";
import type { Path } from "../../yaml/yaml.ts";

/** The readers of a text: all, those of one channel, or those a condition fits. */
export type Branch =
  | { readonly kind: "line" }
  | { readonly kind: "channel"; readonly name: string }
  | {
      readonly kind: "when";
      readonly fields: ConditionFields;
      /** 0 for the first condition of these fields in the line. */
      readonly nth: number;
    };

/** Which of a branch's texts it is. */
export type TextPart =
  | { readonly kind: "text" }
  | { readonly kind: "variant"; readonly index: number }
  | { readonly kind: "plural"; readonly category: PluralCategory };

/** Identifies a text, regardless of shorthand and order in its file. */
export interface TextAddress {
  readonly key: string;
  readonly branch: Branch;
  readonly part: TextPart;
}

export interface MessageText {
  readonly address: TextAddress;
  readonly text: string;
  /** The keys and indexes that lead to it in the file. */
  readonly path: Path;
  /** The formats that the line, and the branch, ask for. */
  readonly formats: Formats;
}

export interface Formats {
  readonly line: TextFormat | null;
  readonly branch: TextFormat | null;
}

/** A text to put into a messages file. */
export interface TextEdit {
  readonly address: TextAddress;
  readonly text: string;
  /** Formats for a line or branch that the file does not have yet. */
  readonly formats: Formats;
}

/**
 * Formats the id of a text, which is the same in every language: `no-results`,
 * `no-results.channels.voice`, `no-results.variants[0]`,
 * `no-results.when[env=production,userType=3].plural.other`. An id names a condition by what it
 * compares, so two files may list their conditions in different orders.
 */
export function formatTextId({ key, branch, part }: TextAddress): string {
  return key + formatBranchId(branch) + formatPartId(part);
}

/** Parses the id of a text of this line; null if it is not in the form that `formatTextId` writes. */
export function parseTextId(key: string, id: string): TextAddress | null {
  const [end = "", variant, form] =
    /(?:\.variants\[(\d{1,4})\]|\.plural\.([a-z]+))?$/.exec(id) ?? [];
  const category = CATEGORIES.find((one) => one === form);
  const part: TextPart =
    category !== undefined
      ? { kind: "plural", category }
      : variant !== undefined
        ? { kind: "variant", index: Number(variant) }
        : { kind: "text" };
  const branch = parseBranchId(id.slice(key.length, id.length - end.length));
  // An address has one id: other spellings are refused.
  return formatTextId({ key, branch, part }) === id ? { key, branch, part } : null;
}

function parseBranchId(name: string): Branch {
  const [, fields, nth] = /^\.when\[(.+)\](?:#(\d{1,4}))?$/s.exec(name) ?? [];
  if (fields !== undefined) {
    return { kind: "when", fields: parseFields(fields), nth: Number(nth ?? 1) - 1 };
  }
  const [, bare, quoted = ""] = /^\.channels(?:\.(.+)|\[(.+)\])$/s.exec(name) ?? [];
  return name === ""
    ? { kind: "line" }
    : { kind: "channel", name: bare ?? String(parseJson(quoted)) };
}

/** Parses condition fields. A number becomes a number, as in files; conditions compare texts. */
function parseFields(names: string): ConditionFields {
  const found = names.matchAll(/([\w.-]+)=("(?:[^"\\]|\\.)*"|[^\s",=[\]]+)(?:,|$)/gy);
  return Array.from(found, ([, field = "", value = ""]) => {
    const text = value.startsWith('"') ? String(parseJson(value)) : value;
    return [field, String(Number(text)) === text ? Number(text) : text] as const;
  }).filter(([field]) => isConditionField(field));
}

/** Every text of a file. */
export function* listMessageTexts(file: MessagesFile): Generator<MessageText> {
  for (const [key, line] of file.lines) yield* listLineTexts(key, line);
}

/** Every text of one line: the branch for anybody first, then channels, then conditions. */
export function* listLineTexts(key: string, line: MessageLine): Generator<MessageText> {
  for (const { branch, phrase, path, formats } of branchesOf(line)) {
    const createText = (part: TextPart, text: string, below: Path): MessageText => ({
      address: { key, branch, part },
      text,
      path: [...path, ...below],
      formats,
    });
    // If a line is one string, `locate` stops at its key.
    if (phrase.text !== undefined) yield createText({ kind: "text" }, phrase.text, ["text"]);
    for (const [index, text] of (phrase.variants ?? []).entries()) {
      yield createText({ kind: "variant", index }, text, ["variants", index]);
    }
    for (const category of CATEGORIES) {
      const text = phrase.plural?.[category];
      if (text !== undefined) {
        yield createText({ kind: "plural", category }, text, ["plural", category]);
      }
    }
  }
}

/** Lists the phrases of a line, each with its readers. */
export function branchesOf(line: MessageLine): readonly {
  readonly branch: Branch;
  readonly phrase: WrittenPhrase;
  readonly path: Path;
  readonly formats: Formats;
}[] {
  const at = [line.writtenKey];
  const formats = { line: line.format ?? null, branch: null };
  return [
    { branch: { kind: "line" }, phrase: line, path: at, formats },
    ...Object.entries(line.channels).map(([name, phrase]) => ({
      branch: { kind: "channel", name } as const,
      phrase,
      path: [...at, "channels", name],
      formats: { ...formats, branch: phrase.format ?? null },
    })),
    ...line.when.map((phrase, index) => ({
      branch: createConditionBranch(line.when, index),
      phrase,
      path: [...at, "when", index],
      formats,
    })),
  ];
}

/** The branch of the condition at an index of a line's `when`. */
export function createConditionBranch(
  when: readonly Readonly<Record<string, unknown>>[],
  index: number,
): Branch {
  const fields = fieldsOf(when[index] ?? {});
  const name = formatFieldsId(fields);
  const nth = when
    .slice(0, index)
    .filter((other) => formatFieldsId(fieldsOf(other)) === name).length;
  return { kind: "when", fields, nth };
}

/** CLDR's order. */
export const CATEGORIES: readonly PluralCategory[] = Object.freeze([
  "zero",
  "one",
  "two",
  "few",
  "many",
  "other",
]);

function formatBranchId(branch: Branch): string {
  if (branch.kind === "line") return "";
  if (branch.kind === "channel") {
    // A dot in a channel's name would be taken for a separator.
    return branch.name.includes(".")
      ? `.channels[${JSON.stringify(branch.name)}]`
      : `.channels.${branch.name}`;
  }
  const again = branch.nth === 0 ? "" : `#${branch.nth + 1}`;
  return `.when[${formatFieldsId(branch.fields)}]${again}`;
}

function formatPartId(part: TextPart): string {
  if (part.kind === "text") return "";
  return part.kind === "variant" ? `.variants[${part.index}]` : `.plural.${part.category}`;
}

function formatFieldsId(fields: ConditionFields): string {
  const parts = fields.map(([field, value]) => {
    const text = String(value);
    return `${field}=${/^[^\s",=[\]]+$/.test(text) ? text : JSON.stringify(text)}`;
  });
  return parts.toSorted().join(",");
}
