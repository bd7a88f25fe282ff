import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { CHECKLIST, COUNTS } from "./checklist.ts";

const titles = new Map<string, ReadonlySet<string>>();

/**
 * Titles of the tests that stand in a file below test/; those of `describe` are none. Throws for a
 * file that is not there.
 */
function titlesIn(file: string): ReadonlySet<string> {
  const read = titles.get(file) ?? readTitles(file);
  titles.set(file, read);
  return read;
}

function readTitles(file: string): ReadonlySet<string> {
  const text = readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");
  const calls = text.matchAll(
    /(\bdescribe\(\s*)?(["'`])((?:\\.|(?!\2)[^\\])*)\2,\s*(?:async\s*)?(?:\(|\w+ =>)/gs,
  );
  return new Set(
    [...calls]
      .filter(([, describe]) => describe === undefined)
      .map(([, , , title = ""]) => title.replaceAll(/\\(.)/gs, "$1")),
  );
}

describe("the checklist of the specification", () => {
  test("has as many rows as the specification says things, section by section", () => {
    const counts = Map.groupBy(CHECKLIST, ({ section }) => section);
    expect(
      Object.fromEntries([...counts].map(([section, rows]) => [section, rows.length])),
    ).toEqual(COUNTS);
  });

  test("names each thing once, by an id with its area, in words", () => {
    const ids = CHECKLIST.map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    expect(ids.filter((id) => !/^[a-z][a-z-]*\.[a-z0-9-]+$/.test(id))).toEqual([]);
    expect(CHECKLIST.filter(({ statement }) => !/\w.*\w/.test(statement))).toEqual([]);
  });

  test("has a test for every row", () => {
    expect(CHECKLIST.filter(({ tests }) => tests.length === 0).map(({ id }) => id)).toEqual([]);
    console.log(`The specification's checklist: ${CHECKLIST.length} rows, each with its tests.`);
  });

  test("names only tests that are there", () => {
    const missing = CHECKLIST.flatMap(({ id, tests }) =>
      tests
        .filter(({ file, title }) => !titlesIn(file).has(title))
        .map(({ file, title }) => `${id}: ${file}: ${title}`),
    );
    expect(missing).toEqual([]);
  });

  test("would notice a missing test, and does not take a group for a test", () => {
    expect(titlesIn("clients/specification/checklist.test.ts")).toContain(
      "names only tests that are there",
    );
    expect(titlesIn("clients/specification/checklist.test.ts")).not.toContain(
      "the checklist of the specification",
    );
    expect(() => titlesIn("clients/specification/nowhere.test.ts")).toThrow("ENOENT");
  });
});
