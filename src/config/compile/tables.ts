import type { Line, Table, TableSet, TextFormat } from "../../locales/types.ts";
import type { CompiledFile } from "./lines.ts";
import { nameChains, type PreparedTables } from "../load/prepared-tables.ts";
import { createInstance } from "i18next";
import { formatOf } from "../../locales/formats.ts";
import { isRegionOf, listRelatives, isSameLanguage } from "../../locales/relatives.ts";
import { parseTag } from "../../locales/tag.ts";

/** The sources of one table set. */
export interface TableSetInput {
  /** Files by locale, one map per layer, the preferred layer first. */
  readonly layers: readonly ReadonlyMap<string, CompiledFile>[];
  /** Explicit chains by lower-cased tag. */
  readonly chains: Readonly<Record<string, readonly string[]>>;
  readonly fallback: string;
  /** Format per channel; `""` is for all others. */
  readonly formats: Readonly<Record<string, TextFormat>>;
}

/** Compiles table sets. Those made of the same files share tables. */
export interface TableCompiler {
  compile(input: TableSetInput): Promise<TableSet>;
}

/** One compiler per load. */
export function createTableCompiler(prepared: PreparedTables | null = null): TableCompiler {
  const knownChains = new Map<string, Promise<ReadonlyMap<string, readonly string[]>>>();
  const knownTables = new Map<string, Table>();
  return {
    async compile({ layers, chains, fallback, formats }) {
      const chain = await chainsOf(layers, chains, fallback);
      const channels = [...channelsOf(layers, formats)].map((channel) => {
        const format = formatOf(formats, channel);
        const tables = [...chain].map(([locale, codes]) => {
          const files = listFilesAlong(codes, layers, channel, format);
          return [locale, tableOf(locale, files, channel, format)] as const;
        });
        return [channel, toRecord(tables)] as const;
      });
      return { channels: toRecord(channels), chains, fallback };
    },
  };

  function chainsOf(
    layers: TableSetInput["layers"],
    chains: TableSetInput["chains"],
    fallback: string,
  ): Promise<ReadonlyMap<string, readonly string[]>> {
    const locales = [...new Set(layers.flatMap((layer) => [...layer.keys()]))].sort();
    const name = nameChains(locales, chains, fallback);
    const ready = prepared?.chains[name];
    const known =
      knownChains.get(name) ??
      (ready ? Promise.resolve(new Map(ready)) : createFallbackChains(locales, chains, fallback));
    knownChains.set(name, known);
    return known;
  }

  /** Builds a table in which the first file's lines come before those of the others. */
  function tableOf(
    locale: string,
    files: readonly CompiledFile[],
    channel: string,
    format: TextFormat,
  ): Table {
    const name = [locale, channel, format, ...files.map((file) => file.id)].join(" ");
    const known = knownTables.get(name);
    if (known !== undefined) return known;
    const [file, ...others] = files;
    const rest = file === undefined ? {} : tableOf(locale, others, channel, format).lines;
    const table = { locale, lines: withoutPrototype({ ...rest }) };
    for (const [key, lines] of file?.linesFor(channel, format) ?? []) {
      table.lines[key] = cutAfterFinal([...lines, ...(rest[key] ?? [])]);
    }
    knownTables.set(name, table);
    return table;
  }
}

/**
 * Lists the files along a chain, preferred layers first, without files whose lines can never be
 * used. An owner's file of the language comes before the shipped one of a region: `es` before
 * `es-419`.
 */
function listFilesAlong(
  codes: readonly string[],
  layers: TableSetInput["layers"],
  channel: string,
  format: TextFormat,
): readonly CompiledFile[] {
  const files: CompiledFile[] = [];
  const final: ReadonlySet<string>[] = [];
  const add = (file: CompiledFile | undefined): void => {
    const isReachable = (key: string): boolean => !final.some((keys) => keys.has(key));
    if (file === undefined || files.includes(file) || !file.keys.some(isReachable)) return;
    files.push(file);
    final.push(readFinalKeys(file.linesFor(channel, format)));
  };
  for (const code of codes) {
    const language = codes.find((other) => isRegionOf(code, other));
    for (const [index, layer] of layers.entries()) {
      add(layer.get(code));
      if (language !== undefined && index < layers.length - 1) add(layer.get(language));
    }
  }
  return files;
}

type Lines = ReturnType<CompiledFile["linesFor"]>;
const knownFinalKeys = new WeakMap<Lines, ReadonlySet<string>>();

/** Finds the keys that have a line without conditions or values, so that no fallback is needed. */
function readFinalKeys(lines: Lines): ReadonlySet<string> {
  const known = knownFinalKeys.get(lines);
  if (known !== undefined) return known;
  const keys = [...lines].flatMap(([key, list]) => (list.some(isUnconditional) ? [key] : []));
  const found = new Set(keys);
  knownFinalKeys.set(lines, found);
  return found;
}

/** Cuts the list after the first line that needs no value, because later lines are never used. */
function cutAfterFinal(lines: readonly Line[]): readonly Line[] {
  const last = lines.findIndex(isUnconditional);
  return last === -1 ? lines : lines.slice(0, last + 1);
}

function isUnconditional({ say }: Line): boolean {
  return say?.text?.parts.every((part) => typeof part === "string") === true;
}

/** Lists `""` and all channels that differ from it by their own texts or by their format. */
function channelsOf(
  layers: TableSetInput["layers"],
  formats: TableSetInput["formats"],
): ReadonlySet<string> {
  const files = layers.flatMap((layer) => [...layer.values()]);
  const formatted = Object.keys(formats).filter((channel) => formats[channel] !== formats[""]);
  return new Set(["", ...files.flatMap((file) => [...file.channels]), ...formatted]);
}

/** Creates a record without prototype, because names from outside are looked up in it. */
function toRecord<Value>(
  entries: Iterable<readonly [string, Value]>,
): Readonly<Record<string, Value>> {
  return withoutPrototype(Object.fromEntries(entries));
}

function withoutPrototype<Target extends object>(target: Target): Target {
  Object.setPrototypeOf(target, null);
  return target;
}

/**
 * Lists the fallbacks of every locale: itself, its explicit chain, its relatives and siblings of
 * the same language, and the default. i18next computes the order, once per load.
 *
 * @param chains explicit chains by lower-cased tag
 */
export async function createFallbackChains(
  locales: readonly string[],
  chains: Readonly<Record<string, readonly string[]>>,
  fallback: string,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const present = new Set(locales);
  const siblings = createSiblingFinder(locales);
  const instance = createInstance();
  await instance.init({
    lng: fallback,
    // A function, because i18next looks plain objects up by names that objects inherit.
    fallbackLng: (locale: string) => [
      ...(chains[locale.toLowerCase()] ?? []).flatMap((member) =>
        present.has(member) ? member : siblings(member).slice(0, 1),
      ),
      ...siblings(locale),
      fallback,
    ],
    // i18next's own truncation would turn zh-TW into Simplified Chinese.
    load: "currentOnly",
    cleanCode: false,
    resources: {},
    initAsync: false,
  });
  const resolved = new Map<string, readonly string[]>();
  for (const locale of [...present, ...listNamed(chains, present)]) {
    await instance.changeLanguage(locale);
    resolved.set(
      locale,
      [...new Set(instance.languages)].filter((code) => present.has(code)),
    );
  }
  return resolved;
}

/** Lists tags that appear only as keys of chains. They get a table of the chain's members. */
function listNamed(
  chains: Readonly<Record<string, readonly string[]>>,
  present: ReadonlySet<string>,
): readonly string[] {
  return Object.keys(chains)
    .map((tag) => parseTag(tag)?.base ?? tag)
    .filter((locale) => !present.has(locale));
}

/** Creates a function that lists the other locales of a locale's language, nearest first. */
function createSiblingFinder(locales: readonly string[]): (locale: string) => readonly string[] {
  const byTag = new Map(locales.map((other) => [other.toLowerCase(), other]));
  const languages = new Map(locales.map((other) => [other, parseTag(other)?.likely.language]));
  return (locale) => {
    const tag = parseTag(locale);
    if (tag === null) return [];
    const near = listRelatives(tag).flatMap((relative) => byTag.get(relative.tag) ?? []);
    const rest = locales.filter((other) => {
      const language = languages.get(other);
      return language !== undefined && isSameLanguage(tag.likely.language, language);
    });
    return [...near, ...rest].filter((other) => other !== locale);
  };
}
