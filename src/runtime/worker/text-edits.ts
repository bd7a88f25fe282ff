import type { Finding } from "../../api/console.ts";
import {
  parsePlaceholders,
  placeholdersOf,
  slotsOf,
  toTemplate,
} from "../../config/compile/placeholders.ts";
import type { Config, InstanceConfig } from "../../config/config.ts";
import { formatOf } from "../../locales/formats.ts";
import { findMarkupFault, TAG } from "../../locales/markup.ts";
import { isRegionOf } from "../../locales/relatives.ts";
import type { Line, Table, TableSet } from "../../locales/types.ts";
import { mapValues } from "./compiled-tables.ts";
import type { ChangedTexts } from "./pushed-texts.ts";

// The console's changes if texts are tables and not files: a line's text for everybody.

/** Reads the owner's text of each line in a language, if it has one for every channel. */
export function readOwnTexts(
  { channels }: TableSet,
  locale: string,
): Readonly<Record<string, string>> {
  const { lines = {} } = channels[""]?.[locale] ?? {};
  const texts = Object.entries(lines).flatMap(([key, candidates]): [string, string][] => {
    const text = textOf(plainOf(candidates, locale));
    return text === null ? [] : [[key, text]];
  });
  return Object.fromEntries(texts.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/**
 * False if a line cannot be removed by itself, because it has several texts, or nothing comes after
 * it: the build drops texts that an owner's text hides.
 */
export function mayGo({ channels }: TableSet, locale: string, key: string): boolean {
  return Object.values(channels).every((tables) => {
    const lines = tables[locale]?.lines[key] ?? [];
    const own = lines.filter((line) => isOwn(line, locale));
    const [only] = own;
    if (only === undefined) return true;
    return own.length === 1 && textOf(only) !== null && !only.when && lines.length > 1;
  });
}

/**
 * Returns the configuration with other texts of a language, for all instances that share them.
 *
 * @param changes null if the owner's text is removed, so that Afterword's is used
 */
export function withTextsChanged(
  config: Config,
  instance: InstanceConfig,
  locale: string,
  changes: ChangedTexts,
): Config {
  const set = config.tableSets[instance.tableSet];
  if (set === undefined) return config;
  const channels = mapValues(set.channels, (tables, channel) => {
    const format = formatOf(instance.formats, channel);
    return mapValues(tables, (table) => ({
      ...table,
      lines: { ...table.lines, ...linesOf(set, table, locale, changes, format) },
    }));
  });
  return { ...config, tableSets: config.tableSets.with(instance.tableSet, { ...set, channels }) };
}

function linesOf(
  { channels }: TableSet,
  table: Table,
  locale: string,
  changes: ChangedTexts,
  format: "html" | "text",
): Table["lines"] {
  const changed = Object.entries(changes).map(([key, text]): [string, readonly Line[]] => {
    const before = textOf(plainOf(channels[""]?.[locale]?.lines[key] ?? [], locale));
    const lines = table.lines[key] ?? [];
    // A channel's own text, which precedes it, stays.
    const at = lines.findLastIndex(
      (line) => before !== null && isOwn(line, locale) && textOf(line) === before,
    );
    if (text === null) return [key, at === -1 ? lines : lines.toSpliced(at, 1)];
    const old = lines[at];
    if (old !== undefined) {
      const say = { text: toTemplate(text, old.say?.text?.format ?? format) };
      return [key, lines.with(at, { ...old, say })];
    }
    const line: Line = { say: { text: toTemplate(text, format) }, origin: "own", locale };
    // An owner's text of a language precedes Afterword's of a region, as in files.
    const speaks = table.locale === locale || isRegionOf(table.locale, locale);
    const place = speaks
      ? lines.filter((one) => isOwn(one, table.locale) || isOwn(one, locale)).length
      : lines.findIndex((one) => one.locale === locale);
    return [key, place === -1 ? lines : lines.toSpliced(place, 0, line)];
  });
  return Object.fromEntries(changed);
}

/**
 * Lists the faults that would hide a text from its readers, or look wrong to them.
 *
 * @param lines the resulting texts of its line, the preferred first
 */
export function faultsOf(
  { variables, formats }: InstanceConfig,
  key: string,
  text: string,
  lines: readonly Line[],
): readonly TextFault[] {
  const { parts, broken } = parsePlaceholders(text);
  const filled = [...placeholdersOf(key), ...variables];
  const fault = formats[""] === "text" ? null : findMarkupFault(text);
  const always = lines.some(({ say }) => say?.text !== undefined && slotsOf(say.text).length === 0);
  const tagged = text.search(TAG) !== -1;
  const plain = Object.keys(formats).filter((channel) => formats[channel] === "text");
  return [
    ...broken.map((found) =>
      createError(
        "broken-placeholder",
        `"${found}" is no placeholder; a reader would see it as it stands`,
        { text: found },
      ),
    ),
    ...slotsOf({ parts })
      .filter((slot) => !filled.includes(slot))
      .map((slot) =>
        createError("unknown-placeholder", `nothing fills the placeholder {{${slot}}}`, {
          placeholder: `{{${slot}}}`,
        }),
      ),
    ...(fault === null ? [] : [createError("markup", fault.message, { tag: fault.tag })]),
    ...(tagged && plain.length > 0 ? [warnOfPlainText(plain)] : []),
    ...(always || broken.length > 0 ? [] : [nothingBehind]),
  ];
}

/** @param channels those of plain text; an empty name stands for all that have no own format */
function warnOfPlainText(channels: readonly string[]): TextFault {
  const message = "tags stand in a text that is shown as plain text too; readers would see them";
  if (channels.includes("")) {
    return { severity: "warning", code: "markup-as-text", message, params: {} };
  }
  const params = { channels: channels.join(", ") };
  return { severity: "warning", code: "inherited-markup", message, params };
}

type TextFault = Pick<Finding, "severity" | "code" | "message" | "params">;

function createError(
  code: string,
  message: string,
  params: NonNullable<Finding["params"]>,
): TextFault {
  return { severity: "error", code, message, params };
}

/** The build drops texts that an owner's text hides, so they cannot be used again. */
const nothingBehind = {
  severity: "warning",
  code: "placeholder-alone",
  message: "where a placeholder has no value, the engine's words stay: no other text is behind it",
  params: {},
} as const;

/** The last line for everybody that is a text: conditions and variants come before it. */
function plainOf(lines: readonly Line[], locale: string): Line | undefined {
  return lines.findLast((line) => isOwn(line, locale) && line.say?.text !== undefined);
}

function isOwn({ origin, locale: its }: Line, locale: string): boolean {
  return origin === "own" && its === locale;
}

function textOf(line: Line | undefined): string | null {
  const parts = line?.say?.text?.parts;
  if (parts === undefined) return null;
  return parts.map((part) => (typeof part === "string" ? part : `{{${part.slot}}}`)).join("");
}
