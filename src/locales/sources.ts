import type { Utterance } from "./types.ts";

/** Where something is said: a rule of an owner's or of ours. */
export type Source = Utterance["source"];

/**
 * The same few places in files are named by ten thousand owners' texts: each is kept once, and has
 * a number.
 */
export interface Sources {
  numberOf(source: Source): number;
  at(number: number): Source;
}

export function createSources(): Sources {
  const numbers = new Map<string, number>();
  const sources: Source[] = [];
  return {
    numberOf(source) {
      const name = `${source.origin} ${source.locale} ${source.rule}`;
      const known = numbers.get(name) ?? sources.push(source) - 1;
      numbers.set(name, known);
      return known;
    },
    at(number) {
      const source = sources[number];
      if (source === undefined) throw new RangeError(`there is no source ${number}`);
      return source;
    },
  };
}
