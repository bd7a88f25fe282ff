import { join } from "node:path";
import { onTestFinished } from "vitest";
import { loadMatchingWords } from "../../src/config/load/matching-words.ts";
import type { Fact, ShownContents } from "../../src/insights/facts.ts";
import { createQuestionLanguages, type KeptQuestions } from "../../src/insights/questions.ts";
import { createInsightsStore, type StoreOptions } from "../../src/insights/store.ts";
import { openInsightsDatabase } from "../../src/insights/tables.ts";
import { createFolder } from "../fixtures/folder.ts";
import { noteAll, digest } from "./counting.ts";

/** The turn of a reader whose question found nothing. */
export function ask(question: {
  readonly at: number;
  readonly instance: string;
  readonly language: string;
  readonly session: string | null;
  readonly typed: string;
}): Extract<Fact, { kind: "turn" }> {
  const { at, instance, language, session, typed } = question;
  const source = { origin: "own", locale: language, rule: "text" } as const;
  return {
    kind: "turn",
    at,
    instance,
    session,
    isHandedOver: false,
    readRequest: () => ({ isOption: false, typed }),
    decided: {
      gate: null,
      locale: language,
      localeReason: "",
      instance,
      channel: "web",
      steps: [
        {
          at: "/answers/0/message",
          flag: "no-results",
          reason: "rewritten",
          source,
        },
      ],
    },
  };
}

/** The turn of a reader whose question a content answered. */
export function showContent(
  asked: Parameters<typeof ask>[0],
  id: number,
  shown: Partial<ShownContents> = {},
): ReturnType<typeof ask> {
  const { language } = asked;
  const isReply = async () => false;
  return {
    ...ask(asked),
    decided: "bytes",
    readContents: async () => ({ ids: [id], language, channel: "web", isReply, ...shown }),
  };
}

/** A store that keeps questions, with a clock that the test sets. */
export async function openStoreAt(
  start: string,
  options: Partial<KeptQuestions>,
  more: Pick<StoreOptions, "languageOfContents"> = {},
) {
  const database = await openInsightsDatabase(join(createFolder(), "insights.db"));
  onTestFinished(() => database.close());
  const time = { now: Date.parse(start) };
  const kept = { languages, retention: 90 * 86_400_000, isOwn: () => true, ...options };
  const hashing = { digest, questions: kept };
  const createSalt = () => `salt of ${time.now}`;
  const store = createInsightsStore({ ...hashing, ...more, database, createSalt });
  const write = (facts: readonly Fact[]) => store.write(noteAll(facts, hashing), [], time.now);
  return { database, time, kept, write };
}

const languages = createQuestionLanguages(loadMatchingWords);
