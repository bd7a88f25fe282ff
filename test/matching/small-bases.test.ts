import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { askSmallBases, reliability, scoreSmallBases } from "../../bench/intents/small-bases.ts";

const folder = fileURLToPath(new URL("../../bench/intents/bases/tuning", import.meta.url));
const asked = askSmallBases(folder);

test("a small base refuses what it has no answer to, and answers or offers what shares a word with it", () => {
  const { shared, refused, smallTalk, neighbouring } = scoreSmallBases(asked);
  console.log(`shared ${shared.share.toFixed(3)}, refused ${refused.share.toFixed(3)}`);
  expect(refused.share).toBeGreaterThan(0.83);
  expect(shared.share).toBeGreaterThan(0.93);
  expect(smallTalk.share).toBeGreaterThan(0.98);
  expect(neighbouring.share).toBeGreaterThan(0.92);
  const foreign = asked.filter(({ id }) => id === null);
  const unanswered = foreign.filter(({ score }) => score < 0.5);
  expect(unanswered.length / foreign.length).toBeGreaterThan(0.93);
});

test("a score of 0.9 is right nine times in ten, and a low one seldom", () => {
  const rows = reliability(asked);
  expect(rows.at(-1)?.right.share).toBeGreaterThan(0.93);
  expect(rows.at(0)?.right.share).toBeLessThan(0.25);
});

test("reading the folder of the bases counts every question once", () => {
  const kinds = Map.groupBy(asked, ({ kind }) => kind);
  expect([...kinds.keys()].toSorted()).toEqual(
    ["different", "neighbouring", "shared", "sharing", "smallTalk"].toSorted(),
  );
  expect(new Set(asked.map(({ base, text }) => `${base} ${text}`)).size).toBe(asked.length);
});
