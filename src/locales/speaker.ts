import { createByteStore } from "./byte-store.ts";
import { type Candidate, compileLine, type Fixed, type Means } from "./candidates.ts";
import { createSaidTable } from "./said-table.ts";
import { createSources } from "./sources.ts";
import { createTemplateCompiler } from "./template.ts";
import type { Line, Scene, TableSet, Utterance } from "./types.ts";

/** Says lines from the sets of one snapshot. */
export interface Speakers {
  /**
   * What to say for a key, or null when no candidate has all its values. Candidates are tried in
   * the table's order; within a line the conditions first. A channel or key without a table of its
   * own uses the channel `""`.
   *
   * @param set its number among the sets; one that isn't there says nothing
   * @param count for plural forms and `{{count}}`; null when the line counts nothing
   */
  say(set: number, key: string, scene: Scene, count: number | null): Utterance | null;
}

/** Says lines from one set of tables, as {@link Speakers.say} does. */
export interface Speaker {
  say(key: string, scene: Scene, count: number | null): Utterance | null;
}

/**
 * Makes the speakers of one snapshot. Lines that are the same object are compiled once, and equal
 * texts are encoded once: an instance with nothing of its own costs nothing. Lines are compiled
 * when they are first said.
 *
 * An owner chosen at random among ten thousand is in none of the processor's caches: what counts is
 * how much memory lies between a key and its bytes. For a plain line it is one cell of a table, and
 * the bytes.
 */
export function createSpeakers(sets: readonly TableSet[]): Speakers {
  const store = createByteStore();
  const shared: Shared = {
    compile: createTemplateCompiler(store),
    store,
    sources: createSources(),
    compiled: new WeakMap(),
  };
  const places = createPlaces();
  const table = createSaidTable();
  const chosen: (readonly Candidate[])[] = [];

  return {
    say(number, key, scene, count) {
      const { channel, locale } = scene;
      // A channel that no table has yet spoken through may be the client's own invention: such
      // names are not kept.
      const spoken = places.knows(channel) || speaks(sets[number], channel);
      const place = places.of(spoken ? channel : "", locale, key);
      let at = table.find(number, place);
      if (at === -1) {
        const set = sets[number];
        if (set === undefined) return null;
        const lines = linesOf(set, channel, locale, key) ?? linesOf(set, "", locale, key) ?? [];
        put(number, place, saidBy(lines, key, shared));
        at = table.find(number, place);
      }
      const first = table.cells[at] ?? 0;
      const second = table.cells[at + 1] ?? 0;
      if (second !== CHOSEN) {
        const source = shared.sources.at(Math.floor(second / LONGEST));
        return { json: store.view(first, second % LONGEST), source };
      }
      return choose(chosen[first] ?? [], key, scene, count);
    },
  };

  function put(set: number, place: number, said: Said): void {
    if ("kept" in said) table.put(set, place, said.kept.address, lastOf(said));
    else table.put(set, place, chosen.push(said) - 1, CHOSEN);
  }
}

function speaks(set: TableSet | undefined, channel: string): boolean {
  return set !== undefined && own(set.channels, channel) !== null;
}

/**
 * What is said where candidates choose stands in a list; of a plain text the cell has its address,
 * its source and length.
 */
const CHOSEN = -1;
const LONGEST = 8_192;

function lastOf({ source, kept }: Fixed): number {
  return source * LONGEST + kept.length;
}

function fitsCell(fixed: Fixed): boolean {
  const { address, length } = fixed.kept;
  return length < LONGEST && address <= MOST && lastOf(fixed) <= MOST;
}

const MOST = 0x7f_ff_ff_ff;

function choose(
  candidates: readonly Candidate[],
  key: string,
  scene: Scene,
  count: number | null,
): Utterance | null {
  for (const candidate of candidates) {
    if (candidate.holds !== null && !candidate.holds(scene)) continue;
    const utterance = candidate.choose(key, scene, count);
    if (utterance !== null) return utterance;
  }
  return null;
}

function linesOf(
  set: TableSet,
  channel: string,
  locale: string,
  key: string,
): readonly Line[] | null {
  const tables = own(set.channels, channel);
  const table = tables === null ? null : own(tables, locale);
  return table === null ? null : own(table.lines, key);
}

/** What the speakers of a snapshot have in common. */
interface Shared extends Means {
  readonly compiled: WeakMap<readonly Line[], { readonly key: string; readonly said: Said }>;
}

/** What a key's lines say: always the same, or what the candidates choose. */
type Said = Fixed | readonly Candidate[];

/** Numbers for where something is said; all sets of a snapshot use the same ones. */
interface Places {
  /** True when a number was given for this channel. */
  knows(channel: string): boolean;
  of(channel: string, locale: string, key: string): number;
}

function createPlaces(): Places {
  const byChannel = new Map<string, Map<string, Map<string, number>>>([["", new Map()]]);
  let count = 0;
  return {
    knows: (channel) => byChannel.has(channel),
    of(channel, locale, key) {
      const byLocale = entryOf(byChannel, channel);
      let byKey = byLocale.get(locale);
      if (byKey === undefined) byLocale.set(locale, (byKey = new Map()));
      let place = byKey.get(key);
      if (place === undefined) byKey.set(key, (place = count++));
      return place;
    },
  };
}

function entryOf<Value>(maps: Map<string, Map<string, Value>>, name: string): Map<string, Value> {
  const known = maps.get(name);
  if (known !== undefined) return known;
  const made = new Map<string, Value>();
  maps.set(name, made);
  return made;
}

function saidBy(lines: readonly Line[], key: string, shared: Shared): Said {
  const known = shared.compiled.get(lines);
  if (known?.key === key) return known.said;
  const candidates = lines.flatMap((line) => compileLine(key, line, shared));
  const fixed = candidates[0]?.holds === null ? candidates[0].fixed : null;
  const said = fixed !== null && fitsCell(fixed) ? fixed : candidates;
  // One list stands under one key; whoever puts it under two has it compiled for each set.
  if (known === undefined && lines.length > 0) shared.compiled.set(lines, { key, said });
  return said;
}

// Channel names come from clients: `constructor` is no channel.
function own<T>(record: { readonly [name: string]: T }, name: string): T | null {
  return Object.hasOwn(record, name) ? (record[name] ?? null) : null;
}
