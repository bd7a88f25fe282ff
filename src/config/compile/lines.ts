import { hash } from "node:crypto";
import type { ConditionalPhrase, Line, Phrase, Template, TextFormat } from "../../locales/types.ts";
import { toTemplate } from "./placeholders.ts";
import { compilePluralTexts } from "./plurals.ts";
import type { PreparedFile } from "../load/prepared-tables.ts";
import type { MessageLine, MessagesFile } from "../load/read-messages.ts";
import { fieldsOf, type WrittenPhrase } from "../schema/messages.ts";

/** The lines of one file, by channel and format; compiled on first use, then shared. */
export interface CompiledFile {
  readonly file: MessagesFile;
  /** Distinguishes compiled files; equal files are compiled once. */
  readonly id: number;
  /** Equal for files with the same texts, regardless of comments and layout. */
  readonly digest: string;
  /** The keys it has lines for. */
  readonly keys: readonly string[];
  /** Channels the file has texts for. */
  readonly channels: ReadonlySet<string>;
  /** True if its texts are known to have no findings. */
  readonly sound: boolean;
  /** Reads the file's lines for a channel, by key. `format` is that of texts which name none. */
  linesFor(channel: string, format: TextFormat): ReadonlyMap<string, readonly Line[]>;
}

/**
 * Compiles one file's texts into lines. `id` must be new.
 *
 * @param prepared the result of the build for the same bytes, or null
 */
export function compileFile(
  file: MessagesFile,
  id: number,
  prepared: PreparedFile | null = null,
): CompiledFile {
  const channels = prepared === null ? channelsOf(file) : NO_CHANNELS;
  const made = new Map<string, ReadonlyMap<string, readonly Line[]>>();
  if (prepared !== null) made.set("html ", new Map(Object.entries(prepared.lines)));
  return {
    file,
    id,
    digest: prepared?.digest ?? digestOf(file),
    keys: prepared === null ? [...file.lines.keys()] : Object.keys(prepared.lines),
    channels,
    sound: prepared !== null,
    linesFor(channel, format) {
      // A channel without its own texts uses those for all channels.
      const spoken = channels.has(channel) ? channel : "";
      const name = `${format} ${spoken}`;
      let lines = made.get(name);
      if (lines === undefined) {
        lines = compileChannel(file, spoken, format);
        made.set(name, lines);
      }
      return lines;
    },
  };
}

function channelsOf({ lines }: MessagesFile): ReadonlySet<string> {
  const names = [...lines.values()].flatMap((line) => Object.keys(line.channels));
  return names.length === 0 ? NO_CHANNELS : new Set(names);
}

const NO_CHANNELS: ReadonlySet<string> = new Set();

function digestOf({ locale, origin, lines, words }: MessagesFile): string {
  const texts = [...lines]
    .map(([key, line]) => [key, { ...line, writtenKey: key }] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return hash("sha256", JSON.stringify([locale, origin, texts, words ?? undefined]));
}

function compileChannel(
  file: MessagesFile,
  channel: string,
  fallbackFormat: TextFormat,
): ReadonlyMap<string, readonly Line[]> {
  const lines = new Map<string, readonly Line[]>();
  for (const [key, line] of file.lines) {
    const format = line.channels[channel]?.format ?? line.format ?? fallbackFormat;
    const compiled = compileLine(line, channel, format, file);
    if (compiled.length > 0) lines.set(key, compiled);
  }
  return lines;
}

/** Lists the candidates of a key: conditions, then the channel's phrases, then those for all. */
function compileLine(
  line: MessageLine,
  channel: string,
  format: TextFormat,
  { locale, origin }: MessagesFile,
): readonly Line[] {
  const particular = channel === "" ? undefined : line.channels[channel];
  const phrases = [
    ...(particular === undefined ? [] : compilePhrases(particular, locale, format)),
    ...compilePhrases(line, locale, format),
  ];
  const conditions = line.when.flatMap((condition): ConditionalPhrase[] => {
    const when = Object.fromEntries(
      fieldsOf(condition).map(([field, value]) => [toConditionField(field), String(value)]),
    );
    return compilePhrases(condition, locale, format).map((say) => ({ when, ...say }));
  });
  const from = { origin, locale };
  const [first, ...rest] = phrases;
  if (first !== undefined && conditions.length + rest.length === 0)
    return [{ say: first, ...from }];
  const head: Line = {
    ...(conditions.length === 0 ? {} : { when: conditions }),
    ...(first === undefined ? {} : { say: first }),
    ...from,
  };
  if (first === undefined && conditions.length === 0) return [];
  return [head, ...rest.map((say): Line => ({ say, ...from }))];
}

/** Variables are compared in lower case, like their placeholders. */
function toConditionField(field: string): string {
  return field.startsWith("variables.") ? field.toLowerCase() : field;
}

/** Lists plural forms, variants and the plain text, since each needs more values than the next. */
function compilePhrases(
  { plural, variants, text }: WrittenPhrase,
  locale: string,
  format: TextFormat,
): readonly Phrase[] {
  const phrases: Phrase[] = [];
  if (plural !== undefined) {
    const forms: Partial<Record<Intl.LDMLPluralRule, Template>> = {};
    for (const [category, form] of compilePluralTexts(locale, plural)) {
      forms[category] = toTemplate(form, format);
    }
    phrases.push({ plural: forms });
  }
  if (variants !== undefined) {
    phrases.push({ variants: variants.map((variant) => toTemplate(variant, format)) });
  }
  if (text !== undefined) phrases.push({ text: toTemplate(text, format) });
  return phrases;
}
