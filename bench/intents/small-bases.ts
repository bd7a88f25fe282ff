import { loadMatchingWords } from "../../src/config/load/matching-words.ts";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { createMatcher } from "../../src/matching/matcher.ts";
import type { Searchable } from "../../src/matching/types.ts";
import { type Share, shareOf } from "./measures.ts";

const meantQuestion = z.object({ text: z.string(), id: z.number() });

const baseFile = z.object({
  /** BCP 47, lower case. */
  language: z.string(),
  about: z.string(),
  contents: z.array(
    z.object({ id: z.number(), title: z.string(), alternatives: z.array(z.string()).default([]) }),
  ),
  inScope: z.object({
    /** Questions that share a content word, in any form, with a phrase of their content. */
    shared: z.array(meantQuestion),
    /** Questions that share none. */
    different: z.array(meantQuestion),
  }),
  /** Questions that no content answers. */
  outOfScope: z.object({
    smallTalk: z.array(z.string()),
    /** Questions about the same business. */
    neighbouring: z.array(z.string()),
    /** Questions with the function words and one content word of a phrase. */
    sharing: z.array(z.string()),
  }),
});

type BaseFile = z.infer<typeof baseFile>;

/** One question of a small base, and the matcher's result. */
export interface Asked {
  readonly base: string;
  readonly kind: "shared" | "different" | "smallTalk" | "neighbouring" | "sharing";
  readonly text: string;
  /** The expected content; null if there is none. */
  readonly id: number | null;
  /** The best hit, and its score; null and 0: none. */
  readonly best: number | null;
  readonly score: number;
  readonly outcome: "right" | "offered" | "wrong" | "refused";
}

/** A small base as a matcher takes it, with its questions. */
export interface SmallBase {
  readonly base: string;
  readonly language: string;
  readonly contents: readonly Searchable[];
  readonly questions: readonly Pick<Asked, "kind" | "text" | "id">[];
}

/** Reads every `*.yaml` in a folder. @throws Error naming an unreadable file */
export function readSmallBases(folder: string): readonly SmallBase[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".yaml"))
    .sort()
    .map((name) => {
      const { language, contents, inScope, outOfScope } = readBase(join(folder, name));
      return {
        base: name.slice(0, -".yaml".length),
        language,
        contents: contents.map(({ id, title, alternatives }) => ({
          id,
          phrases: [title, ...alternatives],
        })),
        questions: [
          ...inScope.shared.map((one) => ({ kind: "shared" as const, ...one })),
          ...inScope.different.map((one) => ({ kind: "different" as const, ...one })),
          ...outOfScopeKinds.flatMap((kind) =>
            outOfScope[kind].map((text) => ({ kind, text, id: null })),
          ),
        ],
      };
    });
}

const outOfScopeKinds = ["smallTalk", "neighbouring", "sharing"] as const;

/** Asks every question of every `*.yaml` in a folder. @throws Error naming an unreadable file */
export function askSmallBases(folder: string): readonly Asked[] {
  return readSmallBases(folder).flatMap(askBase);
}

function readBase(file: string): BaseFile {
  const read = baseFile.safeParse(parse(readFileSync(file, "utf8")));
  if (!read.success) throw new Error(`${file}: ${z.prettifyError(read.error)}`);
  return read.data;
}

function askBase({ base, language, contents, questions }: SmallBase): readonly Asked[] {
  const matcher = createMatcher(contents, { language, words: loadMatchingWords(language) });
  return questions.map(({ kind, text, id }) => {
    const { hits, threshold, offer, rivals } = matcher.search(text, 1);
    const [first] = hits;
    const [best, score] = first === undefined ? [null, 0] : [first.id, first.score];
    const outcome = (): Asked["outcome"] => {
      if (score < offer) return "refused";
      if (rivals.length > 1) return rivals.some((rival) => rival.id === id) ? "offered" : "wrong";
      if (best !== id) return "wrong";
      return score < threshold ? "offered" : "right";
    };
    return { base, kind, text, id, best, score, outcome: outcome() };
  });
}

/** The scores of the answers to some of the questions. */
export interface SmallScores {
  /** In scope: answered correctly, or offered. */
  readonly own: Share;
  /** The same of those with a shared word. */
  readonly shared: Share;
  readonly different: Share;
  /** Out of scope: neither answered nor offered a content. */
  readonly refused: Share;
  readonly smallTalk: Share;
  readonly neighbouring: Share;
  readonly sharing: Share;
}

export function scoreSmallBases(asked: readonly Asked[]): SmallScores {
  const share = (kinds: readonly string[], outcomes: readonly string[]): Share => {
    const some = asked.filter(({ kind }) => kinds.includes(kind));
    return shareOf(some.filter(({ outcome }) => outcomes.includes(outcome)).length, some.length);
  };
  const right = ["right", "offered"];
  return {
    own: share(["shared", "different"], right),
    shared: share(["shared"], right),
    different: share(["different"], right),
    refused: share(["smallTalk", "neighbouring", "sharing"], ["refused"]),
    smallTalk: share(["smallTalk"], ["refused"]),
    neighbouring: share(["neighbouring"], ["refused"]),
    sharing: share(["sharing"], ["refused"]),
  };
}

/** How reliable scores are: of the best hits with a score in this range, the correct ones. */
export function reliability(
  asked: readonly Asked[],
): readonly { readonly from: number; readonly to: number; readonly right: Share }[] {
  const edges = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.01];
  return edges.slice(0, -1).map((from, at) => {
    const to = edges[at + 1] ?? 1;
    const some = asked.filter(({ best, score }) => best !== null && score >= from && score < to);
    const right = some.filter(({ best, id }) => best === id).length;
    return { from, to: Math.min(1, to), right: shareOf(right, some.length) };
  });
}
