import type { Line, Table, TableSet, TextFormat } from "../locales/types.ts";
import type { CompiledFile } from "./compile-lines.ts";
import { fallbackChains } from "./fallback-chains.ts";

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

/** Compiles table sets, which share what they have in common: whole tables, and single lists of candidates. */
export interface TableCompiler {
  compile(input: TableSetInput): Promise<TableSet>;
}

/**
 * One compiler per load. Ten thousand owners with a few lines each must not cost ten thousand times all tables: a table
 * starts from the shipped one, and stays that very object when an owner's lines can't be reached from it.
 */
export function createTableCompiler(): TableCompiler {
  const chainsOf = new Map<string, Promise<ReadonlyMap<string, readonly string[]>>>();
  const tables = new Map<string, Table>();
  const candidates = new Map<string, Candidates>();
  return {
    async compile(input) {
      const { layers, chains, fallback } = input;
      const locales = [...new Set(layers.flatMap((layer) => [...layer.keys()]))].sort();
      const chainKey = JSON.stringify([locales, chains, fallback]);
      const resolved = chainsOf.get(chainKey) ?? fallbackChains(locales, chains, fallback);
      chainsOf.set(chainKey, resolved);
      const chain = await resolved;
      const channels: Record<string, Record<string, Table>> = record();
      for (const channel of channelsOf(input)) {
        const format = input.formats[channel] ?? input.formats[""] ?? "html";
        const byLocale: Record<string, Table> = record();
        for (const [locale, codes] of chain) {
          const files = codes.flatMap((code) => layers.flatMap((layer) => layer.get(code) ?? []));
          byLocale[locale] = tableOf({ locale, files, channel, format });
        }
        channels[channel] = byLocale;
      }
      return { channels, chains, fallback };
    },
  };

  function tableOf(voice: Voice): Table {
    const name = signature(voice, voice.files);
    const known = tables.get(name);
    if (known !== undefined) return known;
    const own = voice.files.filter((file) => file.file.origin === "own");
    const made =
      own.length === 0 || own.length === voice.files.length
        ? { locale: voice.locale, lines: linesOf(voice, keysOf(voice.files)) }
        : withOwn(voice, own);
    tables.set(name, made);
    return made;
  }

  /** The shipped table with the owner's lines in it, or itself when none of them can ever be said. */
  function withOwn(voice: Voice, own: readonly CompiledFile[]): Table {
    const shipped = voice.files.filter((file) => file.file.origin === "shipped");
    const base = tableOf({ ...voice, files: shipped });
    const changed = Object.entries(linesOf(voice, keysOf(own))).filter(
      ([key, list]) => base.lines[key] !== list,
    );
    if (changed.length === 0) return base;
    const lines = Object.assign(record<readonly Line[]>(), base.lines);
    for (const [key, list] of changed) lines[key] = list;
    return { locale: voice.locale, lines };
  }

  function linesOf(voice: Voice, keys: Iterable<string>): Record<string, readonly Line[]> {
    const lines: Record<string, readonly Line[]> = record();
    for (const key of keys) {
      const list = candidatesOf(voice, key);
      if (list.length > 0) lines[key] = list;
    }
    return lines;
  }

  function candidatesOf({ files, channel, format }: Voice, key: string): readonly Line[] {
    let found = NOTHING;
    for (const file of files) {
      if (found.final) break;
      const list = file.linesFor(channel, format).get(key);
      if (list === undefined) continue;
      const from = `${found.from} ${file.id}${file.channels.has(channel) ? `@${channel}` : ""}`;
      const name = `${format} ${key}${from}`;
      let next = candidates.get(name);
      if (next === undefined) {
        const last = list.findIndex(alwaysSpeaks);
        const reachable = last === -1 ? list : list.slice(0, last + 1);
        next = { from, lines: [...found.lines, ...reachable], final: last !== -1 };
        candidates.set(name, next);
      }
      found = next;
    }
    return found.lines;
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

function signature(voice: Voice, files: readonly CompiledFile[]): string {
  const spoken = files.map((file) => (file.channels.has(voice.channel) ? `${file.id}@` : file.id));
  return `${voice.locale} ${voice.format} ${voice.channel} ${spoken.join(" ")}`;
}

function keysOf(files: readonly CompiledFile[]): ReadonlySet<string> {
  return new Set(files.flatMap((file) => [...file.file.lines.keys()]));
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

/** Looked up by names from outside, so it inherits none. */
function record<Value>(): Record<string, Value> {
  return Object.create(null);
}
