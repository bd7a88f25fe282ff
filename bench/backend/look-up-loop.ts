/**
 * What the engine allows: questions answered by the matcher alone, one after the other, no HTTP, no cache. Takes the content
 * directory and the seconds, prints questions per second.
 */
import { loadContent } from "../../src/backend/content/load.ts";
import { createMatcher } from "../../src/backend/matching/matcher.ts";
import { questions } from "./questions.ts";

const [directory = "config/backend", seconds = "3"] = process.argv.slice(2);
const { languages } = await loadContent(directory);
const { items, synonyms } = languages.get("en") ?? { items: [], synonyms: [] };
const searchable = items.map(({ id, title, alternatives }) => ({
  id,
  phrases: [title, ...alternatives],
}));
const matcher = createMatcher(searchable, { language: "en", synonyms });
const end = performance.now() + Number(seconds) * 1000;
let answered = 0;
while (performance.now() < end) {
  for (const question of questions) matcher.search(question);
  answered += questions.length;
}
console.log(Math.round(answered / Number(seconds)));
