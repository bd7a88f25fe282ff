import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { seeded } from "./random.ts";

/** The size of an invented content base. */
export interface Size {
  readonly contents: number;
  /** Phrases of each content: its title and its alternatives. */
  readonly phrases: number;
  /**
   * The number of different words, some of which are used far more often than others, as in any
   * language.
   */
  readonly words: number;
  readonly questions: number;
}

/** The size of a service desk after some years. */
export const SERVICE_DESK: Size = { contents: 1000, phrases: 5, words: 4000, questions: 3000 };

/** Twice that: too large to train classifiers, see docs/matching.md. */
export const LARGE_DESK: Size = { ...SERVICE_DESK, contents: 2000 };

/**
 * Writes a content directory of that size, always the same one, and returns questions for it:
 * phrases of its contents with one word replaced. No two are equal, so that no answer comes from a
 * cache.
 */
export async function writeCatalogue(directory: string, size: Size): Promise<readonly string[]> {
  const random = seeded(7);
  const below = (limit: number): number => Math.floor(random() * limit);
  const words = Array.from({ length: size.words }, (_, index) => wordOf(index));
  // A word's frequency falls with the square of its rank, because few words make most of what
  // people write.
  const word = (): string => words[Math.floor(random() ** 2 * words.length)] ?? "";
  const phrase = (own: readonly string[]): string =>
    Array.from({ length: 4 + below(5) }, () =>
      random() < 0.3 ? (own[below(own.length)] ?? "") : word(),
    ).join(" ");
  const contents = Array.from({ length: size.contents }, (_, index) => {
    const own = [word(), word(), word()];
    const [title = "", ...alternatives] = Array.from({ length: size.phrases }, () => phrase(own));
    const answer = `<p>${Array.from({ length: 60 }, word).join(" ")}.</p>`;
    return { id: index + 1, title: `${title} ${index + 1}`, alternatives, answer };
  });
  await mkdir(join(directory, "texts"), { recursive: true });
  const texts = fileURLToPath(new URL("../../config/backend/texts/en.yaml", import.meta.url));
  await copyFile(texts, join(directory, "texts", "en.yaml"));
  // JSON is YAML.
  await writeFile(join(directory, "desk.en.yaml"), JSON.stringify({ language: "en", contents }));
  const questions = new Set<string>();
  while (questions.size < size.questions) {
    const { alternatives } = contents[below(contents.length)] ?? { alternatives: [] };
    const asked = (alternatives[below(alternatives.length)] ?? "").split(" ");
    const at = below(asked.length - 1);
    asked.splice(at, 2, asked[at + 1] ?? "", word());
    questions.add(asked.join(" "));
  }
  return [...questions];
}

/** Returns a pronounceable word, a different one for each number. */
function wordOf(index: number): string {
  const starts = [
    "b",
    "d",
    "f",
    "k",
    "l",
    "m",
    "n",
    "p",
    "r",
    "s",
    "t",
    "v",
    "gr",
    "st",
    "pl",
    "tr",
  ];
  const vowels = ["a", "e", "i", "o", "u", "ea", "oo", "ai"];
  const ends = ["n", "r", "l", "t", "s", "m", "ck", "nd"];
  const part = (number: number): string =>
    `${starts[number % 16]}${vowels[Math.floor(number / 16) % 8]}${ends[Math.floor(number / 128) % 8]}`;
  const scattered = (index * 7919) % 1_048_576;
  return `${part(scattered % 1024)}${part(Math.floor(scattered / 1024))}`;
}
