import type { Line, Table, TableSet, TextFormat } from "../locales/types.ts";
import type { CompiledFile } from "./compile-lines.ts";
import { fallbackChains } from "./fallback-chains.ts";
import { chainsName, type PreparedTables } from "./prepared-tables.ts";

/** What one table set is made of. */
export interface TableSetInput {
  /** Files by locale, one map per layer, the preferred layer first. */
  readonly layers: readonly ReadonlyMap<string, CompiledFile>[];
  /** Explicit chains by lower-cased tag. */
  readonly chains: Readonly<Record<string, readonly string[]>>;
  readonly fallback: string;
  /** Format per channel; `""` is that of every other. */
  readonly formats: Readonly<Record<string, TextFormat>>;
}

/**
 * Compiles table sets, which share what they have in common: whole tables, and single lists of
 * candidates.
 */
export interface TableCompiler {
  compile(input: TableSetInput): Promise<TableSet>;
}

/**
 * One compiler per load. Ten thousand owners with a few lines each must not cost ten thousand times
 * all tables: a table starts from the shipped one, and stays that very object when an owner's lines
 * can't be reached from it.
 */
export function createTableCompiler(prepared: PreparedTables | null = null): TableCompiler {
  const grounds = new Map<string, Promise<Ground>>();
  const tables = new Map<string, Table>();
  const candidates = new Map<string, Candidates>();
  return {
    async compile(input) {
      const name = groundName(input);
      const pending = grounds.get(name) ?? lay(input);
      grounds.set(name, pending);
      const ground = await pending;
      const channels = record(
        ground.map((soil) => [soil.channel, tablesOn(soil, input.layers)] as const),
      );
      return { channels, chains: input.chains, fallback: input.fallback };
    },
  };

  /** What sets have in common whose owners have files for the same locales and channels. */
  async function lay(input: TableSetInput): Promise<Ground> {
    const { layers, chains, fallback, formats } = input;
    const locales = [...new Set(layers.flatMap((layer) => [...layer.keys()]))].sort();
    const known = prepared?.chains[chainsName(locales, chains, fallback)];
    const chain = known ? new Map(known) : await fallbackChains(locales, chains, fallback);
    return [...channelsOf(input)].map((channel): Soil => {
      const format = formats[channel] ?? formats[""] ?? "html";
      const openings: Opening[] = [];
      const shipped = [...chain].map(([locale, codes]) => {
        const files = codes.flatMap((code) => layers.flatMap((layer) => layer.get(code) ?? []));
        const voice = { locale, files: files.filter(isShipped), channel, format };
        addOpenings(openings, voice, files);
        return [locale, shippedTable(voice)] as const;
      });
      return { channel, format, chain, shipped: record(shipped), openings, owned: new Map() };
    });
  }

  function shippedTable(voice: Voice): Table {
    const name = signature(voice);
    const known = tables.get(name);
    if (known !== undefined) return known;
    const lines = [...keysOf(voice.files)].map((key) => [key, candidatesOf(voice, key)] as const);
    const made = {
      locale: voice.locale,
      lines: record(lines.filter(([, list]) => list.length > 0)),
    };
    tables.set(name, made);
    return made;
  }

  function tablesOn(soil: Soil, layers: Layers): Readonly<Record<string, Table>> {
    const reached = new Map<string, Reached>();
    for (const { code, closed, locales } of soil.openings) {
      for (const layer of layers) {
        const file = layer.get(code);
        if (file === undefined || isShipped(file)) continue;
        const keys = file.keys.filter((key) => !closed.has(key));
        if (keys.length === 0) continue;
        for (const locale of locales) {
          const known = reached.get(locale) ?? { keys: new Set(), by: "" };
          for (const key of keys) known.keys.add(key);
          known.by += ` ${file.id}`;
          reached.set(locale, known);
        }
      }
    }
    if (reached.size === 0) return soil.shipped;
    const byLocale = copy(soil.shipped);
    for (const [locale, { keys, by }] of reached) {
      const base = soil.shipped[locale];
      if (base === undefined) continue;
      const name = locale + by;
      const table = soil.owned.get(name) ?? withOwn(soil, layers, base, keys);
      soil.owned.set(name, table);
      byLocale[locale] = table;
    }
    return byLocale;
  }

  /**
   * The shipped table with the owner's lines for some keys in it, or itself when none of them can
   * ever be said.
   */
  function withOwn(
    { channel, format, chain }: Soil,
    layers: Layers,
    base: Table,
    keys: ReadonlySet<string>,
  ): Table {
    const { locale } = base;
    const codes = chain.get(locale) ?? [];
    const files = codes.flatMap((code) => layers.flatMap((layer) => layer.get(code) ?? []));
    const voice = { locale, files, channel, format };
    let lines: Record<string, readonly Line[]> | null = null;
    for (const key of keys) {
      const list = candidatesOf(voice, key);
      if (list.length === 0 || list === base.lines[key]) continue;
      lines ??= copy(base.lines);
      lines[key] = list;
    }
    return lines === null ? base : { locale, lines };
  }

  function candidatesOf({ files, channel, format }: Voice, key: string): readonly Line[] {
    let found = NOTHING;
    for (const file of files) {
      if (found.final) break;
      const list = file.linesFor(channel, format).get(key);
      if (list === undefined) continue;
      const last = list.findIndex(alwaysSpeaks);
      // Most keys are answered by the first file that has them, and by all that it says: that list
      // serves as it is.
      if (found === NOTHING && last === list.length - 1) return list;
      const from = `${found.from} ${file.id}${file.channels.has(channel) ? `@${channel}` : ""}`;
      const name = `${format} ${key}${from}`;
      let next = candidates.get(name);
      if (next === undefined) {
        const reachable = last === -1 ? list : list.slice(0, last + 1);
        next = { from, lines: [...found.lines, ...reachable], final: last !== -1 };
        candidates.set(name, next);
      }
      found = next;
    }
    return found.lines;
  }
}

type Layers = TableSetInput["layers"];

/** By channel, what does not depend on an owner's words. */
type Ground = readonly Soil[];

interface Soil {
  readonly channel: string;
  readonly format: TextFormat;
  /** For each locale those that speak for it. */
  readonly chain: ReadonlyMap<string, readonly string[]>;
  /** The tables of somebody who says nothing; empty where nothing is shipped. */
  readonly shipped: Readonly<Record<string, Table>>;
  readonly openings: readonly Opening[];
  /** Tables with an owner's lines, by locale and the files they come from. */
  readonly owned: Map<string, Table>;
}

/** What of an owner's files is heard in one table. */
interface Reached {
  readonly keys: Set<string>;
  /** The files' ids. */
  by: string;
}

/** A file of the owner that is asked after some keys have found their last word. */
interface Opening {
  /** Its locale. */
  readonly code: string;
  readonly closed: ReadonlySet<string>;
  /** The tables in which this is so. */
  readonly locales: string[];
}

/**
 * Where along the chain an owner's file is asked, and which keys are answered before it for good.
 */
function addOpenings(
  openings: Opening[],
  { locale, channel, format }: Omit<Voice, "files">,
  files: readonly CompiledFile[],
): void {
  if (files.every(isShipped)) return;
  const closed = new Set<string>();
  for (const file of files) {
    if (isShipped(file)) {
      for (const [key, list] of file.linesFor(channel, format)) {
        if (list.some(alwaysSpeaks)) closed.add(key);
      }
      continue;
    }
    const code = file.file.locale;
    const same = openings.find((one) => one.code === code && equal(one.closed, closed));
    if (same === undefined) openings.push({ code, closed: new Set(closed), locales: [locale] });
    else same.locales.push(locale);
  }
}

/** Whose words are heard, through which channel, in which format. */
interface Voice {
  readonly locale: string;
  /** The files along the fallback chain, the preferred first. */
  readonly files: readonly CompiledFile[];
  readonly channel: string;
  readonly format: TextFormat;
}

interface Candidates {
  /** Which files they come from. */
  readonly from: string;
  readonly lines: readonly Line[];
  /** True when one of them needs no value, so that nothing after it is ever said. */
  readonly final: boolean;
}

const NOTHING: Candidates = { from: "", lines: [], final: false };

function alwaysSpeaks({ say }: Line): boolean {
  return say?.text?.parts.every((part) => typeof part === "string") === true;
}

function signature({ locale, files, channel, format }: Voice): string {
  const spoken = files.map((file) => (file.channels.has(channel) ? `${file.id}@` : file.id));
  return `${locale} ${format} ${channel} ${spoken.join(" ")}`;
}

/**
 * Equal for sets whose owners have files for the same locales and channels, over the same shipped
 * files.
 */
function groundName({ layers, chains, fallback, formats }: TableSetInput): string {
  return JSON.stringify([layers.map(layerName), chains, fallback, formats]);
}

const layerNames = new WeakMap<Layers[number], string>();

function layerName(layer: Layers[number]): string {
  const known = layerNames.get(layer);
  if (known !== undefined) return known;
  const files = [...layer.values()].map((file) =>
    isShipped(file) ? file.id : [file.file.locale, ...file.channels].join(" "),
  );
  const name = files.join();
  layerNames.set(layer, name);
  return name;
}

function isShipped({ file }: CompiledFile): boolean {
  return file.origin === "shipped";
}

function equal(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size === other.size && one.isSubsetOf(other);
}

function keysOf(files: readonly CompiledFile[]): ReadonlySet<string> {
  return new Set(files.flatMap((file) => file.keys));
}

/** `""`, and every channel that differs from it: by a text of its own or by its format. */
function channelsOf({ layers, formats }: TableSetInput): ReadonlySet<string> {
  const plain = formats[""] ?? "html";
  const channels = new Set([""]);
  for (const layer of layers) {
    for (const file of layer.values()) for (const channel of file.channels) channels.add(channel);
  }
  for (const [channel, format] of Object.entries(formats)) {
    if (format !== plain) channels.add(channel);
  }
  return channels;
}

/**
 * Looked up by names from outside, so it inherits none. Made this way, and not by
 * `Object.create(null)`, records with the same names share the engine's description of them: a
 * fifth of the memory, and a copy in a fifth of the time.
 */
function record<Value>(
  entries: Iterable<readonly [string, Value]>,
): Readonly<Record<string, Value>> {
  return withoutPrototype(Object.fromEntries(entries));
}

function copy<Value>(known: Readonly<Record<string, Value>>): Record<string, Value> {
  return withoutPrototype({ ...known });
}

function withoutPrototype<Held extends object>(held: Held): Held {
  Object.setPrototypeOf(held, null);
  return held;
}
