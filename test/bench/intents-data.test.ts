// Suite: slow
import { loadMatchingWords } from "../../src/config/load/matching-words.ts";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { createFolder } from "../fixtures/folder.ts";
import { readIntentData } from "../../bench/intents/data.ts";
import { scoreIntents, shareOf } from "../../bench/intents/measures.ts";
import { createMatcher } from "../../src/matching/matcher.ts";

const folder = createFolder(afterAll);

const fileWith = (text: string): string => {
  const file = join(folder, "data.json");
  writeFileSync(file, text);
  return file;
};

const good = {
  train: [
    ["track my order", "track"],
    ["where is my parcel", "track"],
    ["cancel my order", "cancel"],
    ["stop the purchase", "cancel"],
  ],
  val: [
    ["track the order", "track"],
    ["cancel the order please", "cancel"],
  ],
  oos_val: [["a recipe for pancakes", "oos"]],
};

describe("a file of sentences and intents", () => {
  it.each([
    ["not JSON", "{", /is not JSON/],
    ["a list at the top", "[]", /the top is to be an object/],
    ["no training sentences", JSON.stringify({ ...good, train: [] }), /"train" is to be a list/],
    ["an entry that is no pair", JSON.stringify({ ...good, val: [["x"]] }), /"val" entry 0/],
    [
      "a list missing",
      JSON.stringify({ train: good.train, val: good.val }),
      /"oos_val" or "oos_test"/,
    ],
    [
      "an intent without training",
      JSON.stringify({ ...good, val: [["hello", "greet"]] }),
      /"greet" .* no training sentence/,
    ],
  ])("is refused with its name and the reason: %s", (_, text, reason) => {
    const file = fileWith(text);
    expect(() => readIntentData(file)).toThrow(reason);
    expect(() => readIntentData(file)).toThrow(file);
  });

  it("can name its questions test and oos_test", () => {
    const { train, val, oos_val: outOfScope } = good;
    const file = fileWith(JSON.stringify({ train, test: val, oos_test: outOfScope }));
    expect(readIntentData(file).val).toHaveLength(2);
    expect(readIntentData(file).outOfScope).toEqual(["a recipe for pancakes"]);
  });

  it("is scored by the first result, and by the refusals", () => {
    const data = readIntentData(fileWith(JSON.stringify(good)));
    const intents = ["track", "cancel"];
    const contents = intents.map((name, id) => ({
      id,
      phrases: data.train.filter(({ intent }) => intent === name).map(({ text }) => text),
    }));
    const scores = scoreIntents(
      createMatcher(contents, { language: "en", words: loadMatchingWords("en") }),
      data,
      intents,
    );
    expect(scores.inScope).toMatchObject({ hits: 2, of: 2, share: 1 });
    expect(scores.outOfScope).toMatchObject({ hits: 1, of: 1 });
    expect(scores.precision).toMatchObject({ hits: 2, of: 2 });
  });
});

describe("the interval of a share", () => {
  it("is Wilson's", () => {
    const { low, high } = shareOf(60, 100);
    expect(low).toBeCloseTo(0.502, 3);
    expect(high).toBeCloseTo(0.691, 3);
    expect(shareOf(0, 0)).toMatchObject({ low: 0, high: 1 });
  });
});
