/**
 * Measures the engine's limit: questions answered by the matcher alone, one after the other,
 * without HTTP and caches. Takes the content directory, the seconds, and a file with a question per
 * line. Prints questions per second.
 */
import { readFileSync } from "node:fs";
import { loadMatchingWords } from "../../src/config/load/matching-words.ts";
import { loadContent } from "../../src/backend/content/load.ts";
import { createMatcher } from "../../src/matching/matcher.ts";

const maxResults = 50;
const [directory = "config/backend", seconds = "3", file = ""] = process.argv.slice(2);
const questions = readFileSync(file, "utf8").split("\n");
const { languages } = await loadContent(directory);
const { items, synonyms } = languages.get("en") ?? { items: [], synonyms: [] };
const searchable = items.map(({ id, title, alternatives }) => ({
  id,
  phrases: [title, ...alternatives],
}));
const matcher = createMatcher(searchable, {
  language: "en",
  synonyms,
  words: loadMatchingWords("en"),
});
const lookUp = (question: string): unknown => matcher.search(question, maxResults);
for (let warm = 0; warm < 2_000; warm += 1) lookUp(questions[warm % questions.length] ?? "");
const end = performance.now() + Number(seconds) * 1000;
let answered = 0;
// The clock is read only now and then, because that costs as much as a small search.
while (performance.now() < end) {
  for (let some = 0; some < 10; some += 1, answered += 1) {
    lookUp(questions[answered % questions.length] ?? "");
  }
}
console.log(Math.round(answered / Number(seconds)));
