import { compileCondition, type Condition } from "./condition.ts";
import { pluralCategory } from "./formats.ts";
import { slotValue } from "./slots.ts";
import { stableHash } from "./stable-hash.ts";
import {
  createTemplateCompiler,
  fill,
  type CompiledTemplate,
  type CompileTemplate,
} from "./template.ts";
import type { Line, Phrase, Scene, TableSet, Template, Utterance } from "./types.ts";

/** Says lines from one set of tables. */
export interface Speaker {
  /**
   * What to say for a key, or null when no candidate has all its values. Candidates are tried in the table's order; within
   * a line the conditions first. A channel or key without a table of its own uses the channel `""`.
   *
   * @param count for plural forms and `{{count}}`; null when the line counts nothing
   */
  say(key: string, scene: Scene, count: number | null): Utterance | null;
}

/**
 * Makes the speakers of one snapshot. Sets that are the same object share one speaker, lines that are the same object are
 * compiled once, and equal texts are encoded once: an instance with nothing of its own costs nothing. Lines are compiled
 * when they are first said.
 */
export function createSpeakers(): (set: TableSet) => Speaker {
  const shared: Shared = {
    compile: createTemplateCompiler(),
    places: createPlaces(),
    sources: new Map(),
    compiled: new WeakMap(),
  };
  const speakers = new WeakMap<TableSet, Speaker>();
  return (set) => {
    const known = speakers.get(set);
    if (known !== undefined) return known;
    const speaker = new SetSpeaker(set, shared);
    speakers.set(set, speaker);
    return speaker;
  };
}

/** What the speakers of a snapshot have in common. */
interface Shared {
  readonly compile: CompileTemplate;
  readonly places: Places;
  /** The same few places in files are named by ten thousand owners' texts. */
  readonly sources: Map<string, Source>;
  readonly compiled: WeakMap<readonly Line[], { readonly key: string; readonly said: Said }>;
}

type Source = Utterance["source"];

/** What a key's lines say: always the same, or what the candidates choose. */
type Said = Utterance | readonly Candidate[];

interface Candidate {
  readonly holds: Condition | null;
  readonly choose: (key: string, scene: Scene, count: number | null) => Utterance | null;
  /** What is said in every scene, where that is so. */
  readonly fixed: Utterance | null;
}

/**
 * An owner chosen at random among ten thousand is in none of the processor's caches: what counts is how many objects lie
 * between a key and its bytes. From here it is a map, its table, the utterance and the bytes.
 */
class SetSpeaker implements Speaker {
  readonly #said = new Map<number, Said>();
  readonly #set: TableSet;
  readonly #shared: Shared;

  constructor(set: TableSet, shared: Shared) {
    this.#set = set;
    this.#shared = shared;
  }

  say(key: string, scene: Scene, count: number | null): Utterance | null {
    const said = this.#saidIn(scene.channel, scene.locale, key);
    if ("json" in said) return said;
    for (const candidate of said) {
      if (candidate.holds !== null && !candidate.holds(scene)) continue;
      const utterance = candidate.fixed ?? candidate.choose(key, scene, count);
      if (utterance !== null) return utterance;
    }
    return null;
  }

  #saidIn(channel: string, locale: string, key: string): Said {
    const { places } = this.#shared;
    // A channel that no table has yet spoken through may be the client's own invention: such names are not kept.
    const spoken = places.knows(channel) || own(this.#set.channels, channel) !== null;
    const place = places.of(spoken ? channel : "", locale, key);
    const known = this.#said.get(place);
    if (known !== undefined) return known;
    const lines = this.#linesOf(channel, locale, key) ?? this.#linesOf("", locale, key) ?? [];
    const said = saidBy(lines, key, this.#shared);
    this.#said.set(place, said);
    return said;
  }

  #linesOf(channel: string, locale: string, key: string): readonly Line[] | null {
    const tables = own(this.#set.channels, channel);
    const table = tables === null ? null : own(tables, locale);
    return table === null ? null : own(table.lines, key);
  }
}

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
  const first = candidates[0];
  const said = first?.holds === null && first.fixed !== null ? first.fixed : candidates;
  // One list stands under one key; whoever puts it under two has it compiled for each set.
  if (known === undefined && lines.length > 0) shared.compiled.set(lines, { key, said });
  return said;
}

// Channel names come from clients: `constructor` is no channel.
function own<T>(record: { readonly [name: string]: T }, name: string): T | null {
  return Object.hasOwn(record, name) ? (record[name] ?? null) : null;
}

interface Origin {
  readonly locale: string;
  readonly origin: "own" | "shipped";
}

function compileLine(key: string, line: Line, shared: Shared): readonly Candidate[] {
  const conditional = (line.when ?? []).map(({ when, ...phrase }, index): Candidate => ({
    holds: compileCondition(when),
    ...compilePhrase(phrase, `${key}.when[${index}]`, line, shared),
  }));
  if (line.say === undefined) return conditional;
  return [...conditional, { holds: null, ...compilePhrase(line.say, key, line, shared) }];
}

function compilePhrase(
  phrase: Phrase,
  rule: string,
  from: Origin,
  shared: Shared,
): Pick<Candidate, "choose" | "fixed"> {
  const option = (template: Template, path: string): Option =>
    compileOption(shared.compile(template), sourceOf(from, path, shared));

  if (phrase.plural !== undefined) {
    const forms = new Map(
      Object.entries(phrase.plural).map(([name, form]) => [
        name,
        option(form, `${rule}.plural.${name}`).choose,
      ]),
    );
    return {
      fixed: null,
      choose(_key, scene, count) {
        if (count === null) return null;
        const form = forms.get(pluralCategory(from.locale, count)) ?? forms.get("other");
        return form === undefined ? null : form(scene, count);
      },
    };
  }
  if (phrase.variants !== undefined) {
    const options = phrase.variants.map(
      (variant, index) => option(variant, `${rule}.variants[${index}]`).choose,
    );
    return {
      fixed: null,
      choose: (key, scene, count) => chooseVariant(options, key, scene, count),
    };
  }
  if (phrase.text === undefined) return { fixed: null, choose: () => null };
  const { fixed, choose } = option(phrase.text, rule);
  return { fixed, choose: (_key, scene, count) => choose(scene, count) };
}

function sourceOf({ locale, origin }: Origin, rule: string, { sources }: Shared): Source {
  const name = `${origin} ${locale} ${rule}`;
  const known = sources.get(name);
  if (known !== undefined) return known;
  const source: Source = { locale, origin, rule };
  sources.set(name, source);
  return source;
}

interface Option {
  /** What is said in every scene, where that is so. */
  readonly fixed: Utterance | null;
  readonly choose: Choose;
}

type Choose = (scene: Scene, count: number | null) => Utterance | null;

function compileOption(template: CompiledTemplate, source: Source): Option {
  if (template.segments.length === 0) {
    const fixed = template.fixed === null ? null : { json: template.fixed, source };
    return { fixed, choose: () => fixed };
  }
  const choose: Choose = (scene, count) => {
    const json = fill(template, (slot) =>
      slotValue(slot, scene, count, source.locale, template.format),
    );
    return json === null ? null : { json, source };
  };
  return { fixed: null, choose };
}

// The hash chooses where to begin; a variant that lacks a value leaves the word to the next one.
function chooseVariant(
  options: readonly Choose[],
  key: string,
  scene: Scene,
  count: number | null,
): Utterance | null {
  const first = options.length > 1 ? stableHash([key, ...scene.seed()]) % options.length : 0;
  for (let step = 0; step < options.length; step++) {
    const utterance = options[(first + step) % options.length]?.(scene, count);
    if (utterance !== undefined && utterance !== null) return utterance;
  }
  return null;
}
