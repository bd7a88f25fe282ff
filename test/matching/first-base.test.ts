import { expect, test } from "vitest";
import { loadMatchingWords } from "../../src/config/load/matching-words.ts";
import { createMatcher } from "../../src/matching/matcher.ts";

// The contents of a bot that is tried for the first time.
const contents = [
  {
    id: 1,
    phrases: ["What are your opening hours?", "When do you open?", "Are you open on Sunday?"],
  },
  {
    id: 2,
    phrases: [
      "How long can I borrow a book?",
      "What is the loan period?",
      "When do I have to return books?",
    ],
  },
  {
    id: 3,
    phrases: [
      "How do I get a library card?",
      "Can I join the library?",
      "Where do I register as a member?",
    ],
  },
  {
    id: 4,
    phrases: [
      "How much are late fees?",
      "What does an overdue book cost?",
      "Do I have to pay a fine?",
    ],
  },
  {
    id: 5,
    phrases: ["Can I print in the library?", "Where is the printer?", "What does a copy cost?"],
  },
];

const meant: readonly (readonly [question: string, id: number])[] = [
  ["are you open on saturday?", 1],
  ["opening times please", 1],
  ["till when is the library open", 1],
  ["for how long may I keep a book", 2],
  ["when must I return my books", 2],
  ["how long is the loan", 2],
  ["I want to become a member", 3],
  ["where can I get a card", 3],
  ["how can I register", 3],
  ["how high is the fine", 4],
  ["is there a fee if I am late", 4],
  ["my book is overdue", 4],
  ["can I print something", 5],
  ["do you have a printer", 5],
  ["how much is a copy", 5],
];

const foreign = [
  "What is the weather like tomorrow?",
  "How long is a marathon?",
  "What is the capital of Australia?",
  "Who won the match yesterday?",
  "How do I bake bread?",
  "Tell me a joke",
  "What is the meaning of life?",
  "Where can I buy cheap shoes?",
  "How old is the universe?",
  "Do you like music?",
  "How do I get rid of ants?",
  "What does a new car cost?",
  "Can I bring my dog on the train?",
  "When does the film start?",
  "How much is a flight to Rome?",
  "What are your favourite colours?",
  "How do I open a jar?",
  "Where is the nearest hospital?",
  "Are you a robot?",
  "What is 12 times 12?",
  "How long do I have to boil an egg?",
  "Do I have to pay taxes on gifts?",
  "Who wrote Hamlet?",
  "Can I get a refund for my phone?",
  "What is the best pizza in town?",
  "How do I learn Spanish?",
  "Is it going to rain on Sunday?",
  "Where do penguins live?",
  "How many people live in India?",
  "When was the printing press invented?",
];

const matcher = createMatcher(contents, { language: "en", words: loadMatchingWords("en") });

test("a base of five contents answers what they are about", () => {
  const wrong = meant.filter(([question, id]) => {
    const { hits, threshold } = matcher.search(question, 1);
    const [best] = hits;
    return best === undefined || best.id !== id || best.score < threshold;
  });
  expect(wrong.slice(1)).toEqual([]);
});

test("a base of five contents says that it does not know what they are not about", () => {
  const answered = foreign.filter((question) => {
    const { hits, threshold } = matcher.search(question, 1);
    return (hits[0]?.score ?? 0) >= threshold;
  });
  expect(answered.slice(3)).toEqual([]);
});
