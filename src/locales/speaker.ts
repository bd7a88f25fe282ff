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
  const compileTemplate = createTemplateCompiler();
  const speakers = new WeakMap<TableSet, Speaker>();
  const compiled = new WeakMap<readonly Line[], Map<string, readonly Candidate[]>>();

  const candidatesOf = (key: string, lines: readonly Line[]): readonly Candidate[] => {
    const byKey = compiled.get(lines) ?? new Map<string, readonly Candidate[]>();
    const known = byKey.get(key);
    if (known !== undefined) return known;
    const fresh = lines.flatMap((line) => compileLine(key, line, compileTemplate));
    compiled.set(lines, byKey.set(key, fresh));
    return fresh;
  };

  return (set) => {
    const known = speakers.get(set);
    if (known !== undefined) return known;
    const speaker = createSpeaker(set, candidatesOf);
    speakers.set(set, speaker);
    return speaker;
  };
}

type CandidatesOf = (key: string, lines: readonly Line[]) => readonly Candidate[];

interface Candidate {
  readonly holds: Condition | null;
  readonly choose: (key: string, scene: Scene, count: number | null) => Utterance | null;
}

function createSpeaker(set: TableSet, candidatesOf: CandidatesOf): Speaker {
  const linesOf = (channel: string, locale: string, key: string): readonly Line[] | null => {
    const tables = own(set.channels, channel);
    const table = tables === null ? null : own(tables, locale);
    return table === null ? null : own(table.lines, key);
  };
  return {
    say(key, scene, count) {
      const lines =
        linesOf(scene.channel, scene.locale, key) ?? linesOf("", scene.locale, key) ?? [];
      for (const candidate of candidatesOf(key, lines)) {
        if (candidate.holds !== null && !candidate.holds(scene)) continue;
        const utterance = candidate.choose(key, scene, count);
        if (utterance !== null) return utterance;
      }
      return null;
    },
  };
}

// Channel names come from clients: `constructor` is no channel.
function own<T>(record: { readonly [name: string]: T }, name: string): T | null {
  return Object.hasOwn(record, name) ? (record[name] ?? null) : null;
}

interface Origin {
  readonly locale: string;
  readonly origin: "own" | "shipped";
}

function compileLine(key: string, line: Line, compile: CompileTemplate): readonly Candidate[] {
  const conditional = (line.when ?? []).map(({ when, ...phrase }, index): Candidate => ({
    holds: compileCondition(when),
    choose: compilePhrase(phrase, `${key}.when[${index}]`, line, compile),
  }));
  if (line.say === undefined) return conditional;
  return [...conditional, { holds: null, choose: compilePhrase(line.say, key, line, compile) }];
}

function compilePhrase(
  phrase: Phrase,
  rule: string,
  from: Origin,
  compile: CompileTemplate,
): Candidate["choose"] {
  const option = (template: Template, path: string): Option =>
    compileOption(compile(template), { locale: from.locale, origin: from.origin, rule: path });

  if (phrase.plural !== undefined) {
    const forms = new Map(
      Object.entries(phrase.plural).map(([name, form]) => [
        name,
        option(form, `${rule}.plural.${name}`),
      ]),
    );
    return (_key, scene, count) => {
      if (count === null) return null;
      const form = forms.get(pluralCategory(from.locale, count)) ?? forms.get("other");
      return form === undefined ? null : form(scene, count);
    };
  }
  if (phrase.variants !== undefined) {
    const options = phrase.variants.map((variant, index) =>
      option(variant, `${rule}.variants[${index}]`),
    );
    return (key, scene, count) => chooseVariant(options, key, scene, count);
  }
  if (phrase.text === undefined) return () => null;
  const text = option(phrase.text, rule);
  return (_key, scene, count) => text(scene, count);
}

type Option = (scene: Scene, count: number | null) => Utterance | null;

function compileOption(template: CompiledTemplate, source: Utterance["source"]): Option {
  if (template.segments.length === 0) {
    const fixed = template.fixed === null ? null : { json: template.fixed, source };
    return () => fixed;
  }
  return (scene, count) => {
    const json = fill(template, (slot) =>
      slotValue(slot, scene, count, source.locale, template.format),
    );
    return json === null ? null : { json, source };
  };
}

// The hash chooses where to begin; a variant that lacks a value leaves the word to the next one.
function chooseVariant(
  options: readonly Option[],
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
