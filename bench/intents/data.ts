import { readFileSync } from "node:fs";

/**
 * Sentences with the intents that they ask for: `train` is indexed, `val` and `outOfScope` are the
 * test questions.
 */
export interface IntentData {
  readonly train: readonly Sentence[];
  readonly val: readonly Sentence[];
  readonly outOfScope: readonly string[];
}

export interface Sentence {
  readonly text: string;
  readonly intent: string;
}

/**
 * Reads `{"train": [[text, intent], …], "val": […], "oos_val": [[text, "oos"],
 * …]}`; `test` and `oos_test` are read in the place of `val` and `oos_val` where those are missing.
 *
 * @throws TypeError naming the file, the place in it and what belongs there
 */
export function readIntentData(file: string): IntentData {
  const value = parsed(file);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new TypeError(`${file}: the top is to be an object with "train", "val" and "oos_val"`);
  }
  const lists = new Map<string, unknown>(Object.entries(value));
  const train = sentencesOf(file, lists, ["train"]);
  const val = sentencesOf(file, lists, ["val", "test"]);
  const outOfScope = sentencesOf(file, lists, ["oos_val", "oos_test"]);
  const intents = new Set(train.map(({ intent }) => intent));
  const stray = val.find(({ intent }) => !intents.has(intent));
  if (stray !== undefined) {
    throw new TypeError(`${file}: "${stray.intent}" is asked for and has no training sentence`);
  }
  return { train, val, outOfScope: outOfScope.map(({ text }) => text) };
}

function parsed(file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new TypeError(`${file} cannot be read: ${reason}`, { cause: error });
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new TypeError(`${file} is not JSON: ${reason}`, { cause: error });
  }
}

function sentencesOf(
  file: string,
  lists: ReadonlyMap<string, unknown>,
  names: readonly string[],
): readonly Sentence[] {
  const name = names.find((candidate) => lists.has(candidate)) ?? names.join('" or "');
  const list = lists.get(name);
  if (!Array.isArray(list) || list.length === 0) {
    throw new TypeError(`${file}: "${name}" is to be a list of [text, intent], and not empty`);
  }
  return list.map((entry: unknown, at) => {
    if (Array.isArray(entry) && entry.length === 2) {
      const [text, intent]: unknown[] = entry;
      if (typeof text === "string" && typeof intent === "string") return { text, intent };
    }
    throw new TypeError(`${file}: "${name}" entry ${at} is to be [text, intent], two strings`);
  });
}
