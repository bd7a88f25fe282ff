import { hash } from "node:crypto";
import { join } from "node:path";
import { loadMatchingWords } from "../../src/config/load/matching-words.ts";
import { createNameLimit } from "../../src/insights/batch.ts";
import { createNotedFacts } from "../../src/insights/noted-facts.ts";
import { createQuestionLanguages } from "../../src/insights/questions.ts";
import { createInsightsStore } from "../../src/insights/store.ts";
import { openInsightsDatabase } from "../../src/insights/tables.ts";
import { readSmallBases } from "../intents/small-bases.ts";
import { medianOf } from "../statistics.ts";
import { createUnansweredTurn } from "./unanswered-turn.ts";

const inBatch = 100;
const bases = join(import.meta.dirname, "../intents/bases/tuning");

/**
 * Compares the cost of a question without an answer with and without storing its words: batches of
 * 100, alternating, CPU of this process with SQLite's thread. The questions are those of the
 * English bases of `bench/intents`.
 *
 * @param file the store's new file
 */
export async function measureQuestions(file: string): Promise<void> {
  const texts = readSmallBases(bases)
    .filter(({ language }) => language === "en")
    .flatMap(({ questions, contents }) => [
      ...questions.map(({ text }) => text),
      ...contents.flatMap(({ phrases }) => phrases),
    ]);
  const database = await openInsightsDatabase(file);
  const digest = (text: string): string => hash("sha256", text, "hex");
  const languages = createQuestionLanguages(loadMatchingWords);
  const questions = { languages, retention: 90 * 86_400_000, isOwn: () => false };
  const shared = { database, digest, createSalt: () => "salt" };
  const stores = {
    kept: createInsightsStore({ ...shared, questions }),
    counted: createInsightsStore({ ...shared, questions: null }),
  };
  const used = { kept: new Array<number>(), counted: new Array<number>() };
  let reader = 0;
  // The first round creates the groups.
  for (let round = 0; round < 3; round++) {
    for (let at = 0; at + inBatch <= texts.length; at += inBatch) {
      for (const name of ["kept", "counted"] as const) {
        const noting = { digest, names: createNameLimit(), keepsQuestions: name === "kept" };
        const noted = createNotedFacts(noting);
        for (const text of texts.slice(at, at + inBatch))
          noted.note(createUnansweredTurn(`reader ${reader++}`, text, Date.now()));
        const before = process.cpuUsage();
        await stores[name].write(noted, [], Date.now());
        const { user, system } = process.cpuUsage(before);
        if (round > 0) used[name].push((user + system) / inBatch);
      }
    }
  }
  const { groups } = await database.kysely
    .selectFrom("insight_questions")
    .select(({ fn }) => fn.countAll<number>().as("groups"))
    .executeTakeFirstOrThrow();
  await database.close();
  const [kept, counted] = [medianOf(used.kept), medianOf(used.counted)];
  console.log(
    `a question among ${groups} groups: ${kept.toFixed(0)} µs of CPU kept, ${counted.toFixed(0)} µs counted alone`,
  );
}
