import type { ByteStore } from "./byte-store.ts";
import { compileCondition, type Condition } from "./condition.ts";
import { pluralCategory } from "./formats.ts";
import { slotValue } from "./slots.ts";
import type { Source, Sources } from "./sources.ts";
import { stableHash } from "./stable-hash.ts";
import { fill, type CompiledTemplate, type CompileTemplate, type Kept } from "./template.ts";
import type { Line, Phrase, Scene, Template, Utterance } from "./types.ts";

/** One of the things that a line may say, ready to be said. */
export interface Candidate {
  readonly holds: Condition | null;
  readonly choose: (key: string, scene: Scene, count: number | null) => Utterance | null;
  /** What is said in every scene, where that is so. */
  readonly fixed: Fixed | null;
}

export interface Fixed {
  readonly kept: Kept;
  /** Its number. */
  readonly source: number;
}

/** What lines are compiled with: the same for all of a snapshot. */
export interface Means {
  readonly compile: CompileTemplate;
  readonly store: ByteStore;
  readonly sources: Sources;
}

/** What a line says, in the order in which it is tried. */
export function compileLine(key: string, line: Line, means: Means): readonly Candidate[] {
  const conditional = (line.when ?? []).map(({ when, ...phrase }, index): Candidate => ({
    holds: compileCondition(when),
    ...compilePhrase(phrase, `${key}.when[${index}]`, line, means),
  }));
  if (line.say === undefined) return conditional;
  return [...conditional, { holds: null, ...compilePhrase(line.say, key, line, means) }];
}

function compilePhrase(
  phrase: Phrase,
  rule: string,
  from: Pick<Line, "locale" | "origin">,
  means: Means,
): Pick<Candidate, "choose" | "fixed"> {
  const option = (template: Template, path: string): Option =>
    compileOption(
      means.compile(template),
      { locale: from.locale, origin: from.origin, rule: path },
      means,
    );

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

interface Option {
  /** What is said in every scene, where that is so. */
  readonly fixed: Fixed | null;
  readonly choose: Choose;
}

type Choose = (scene: Scene, count: number | null) => Utterance | null;

function compileOption(template: CompiledTemplate, from: Source, means: Means): Option {
  const number = means.sources.numberOf(from);
  const source = means.sources.at(number);
  if (template.segments.length === 0) {
    const kept = template.fixed;
    if (kept === null) return { fixed: null, choose: () => null };
    const { address, length } = kept;
    return {
      fixed: { kept, source: number },
      choose: () => ({ json: means.store.view(address, length), source }),
    };
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
