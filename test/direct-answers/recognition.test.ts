import { describe, expect, it } from "vitest";
import { judge, MODERN, PLAIN, REPLACING, saying } from "./fixtures.ts";

const restoring = { ...MODERN, restoreFlags: true };

function answer(fields: string): string {
  return `{"answers":[{"message":"Custom",${fields}}]}`;
}

describe("active default content", () => {
  it.each([
    ['"flags":[],"attributes":{"inbMainTitle":"No Results"}', "no-results"],
    ['"flags":[],"attributes":{"title":"  no RESULTS\\n"}', "no-results"],
    ['"flags":[],"attributes":null,"parameters":{"contents":{"title":"Hello"}}', "welcome"],
    ['"flags":[],"attributes":{"inbMainTitle":"Order","title":"Hello"}', "welcome"],
    [
      '"flags":[],"attributes":{"title":"Hello"},"parameters":{"contents":{"title":"No Results"}}',
      "welcome",
    ],
    ['"flags":[],"attributes":{"title":"N\\u006f Results"}', "no-results"],
    ['"attributes":{"inbMainTitle":"No Results"}', "no-results"],
    ['"flags":["escalate"],"attributes":{"inbMainTitle":"No Results"}', "no-results"],
  ])("is known by its title and keeps its words: %s", (fields, flag) => {
    const { edits, steps } = judge(answer(fields), { rules: MODERN });
    expect(edits).toEqual([]);
    expect(steps).toMatchObject([{ at: "/answers/0", flag, reason: "default-content" }]);
  });

  it.each([
    '"flags":[],"attributes":{"inbMainTitle":"No Results at all"}',
    '"flags":[],"attributes":{"inbMainTitle":["No Results"]}',
    // refinement has no default content
    '"flags":[],"attributes":{"inbMainTitle":"Something else"}',
    '"flags":[],"attributes":{"inbMainTitle":"__proto__"}',
    '"flags":[],"attributes":{"other":"No Results"}',
    '"flags":[],"title":"No Results"',
  ])("is not seen where there is none: %s", (fields) => {
    expect(judge(answer(fields), { rules: restoring })).toMatchObject({
      edits: [],
      steps: [{ reason: "no-flag" }],
    });
  });

  it("is not looked for when the instance's is inactive", () => {
    const rules = { ...restoring, activeDefaultContent: [] };
    expect(
      judge(answer('"flags":[],"attributes":{"inbMainTitle":"No Results"}'), { rules }),
    ).toMatchObject({ edits: [], steps: [{ reason: "no-flag" }] });
    expect(
      judge(answer('"flags":[],"attributes":{"inbMainTitle":"No Results"}'), {
        rules: { ...PLAIN, restoreFlags: true },
      }).edits,
    ).toEqual([]);
  });

  it("is not looked for on an answer that has its flag", () => {
    const { steps } = judge(
      answer('"flags":["refinement"],"attributes":{"inbMainTitle":"No Results"}'),
      { rules: restoring },
    );
    expect(steps.map((step) => step.reason)).toEqual(["rewritten"]);
  });
});

describe("default content that is replaced", () => {
  const title = '"flags":[],"attributes":{"inbMainTitle":"No Results"}';

  it("gets the owner's texts, in both places, when its title shows it", () => {
    const before = `{"answers":[{"message":"Custom","messageList":["Custom","More"],${title}}]}`;
    const { body, steps } = judge(before, { rules: REPLACING, detail: true });
    expect(body).toBe(
      `{"answers":[{"message":"no-results!","messageList":["no-results!"],${title}}]}`,
    );
    expect(steps).toMatchObject([
      { at: "/answers/0/message", flag: "no-results", reason: "rewritten", before: '"Custom"' },
      { at: "/answers/0/messageList", flag: "no-results", reason: "rewritten", twin: true },
    ]);
    expect(steps.some((step) => "unexpected" in step)).toBe(false);
  });

  it.each([
    '"message":"Sorry, nothing."',
    '"message":"  SORRY, nothing.\\n","messageList":["  SORRY, nothing.\\n"]',
    '"messageList":["Sorry, nothing."]',
    '"message":"S\\u006frry, nothing.","attributes":null',
    '"message":"Sorry, nothing.","attributes":{"title":"Order"}',
  ])("is known by the engine's own text too: %s", (fields) => {
    const { body, steps } = judge(`{"answers":[{"flags":[],${fields}}]}`, { rules: REPLACING });
    expect(body).toContain("no-results!");
    expect(steps[0]).toMatchObject({ flag: "no-results", reason: "rewritten" });
  });

  it.each([
    '"message":"Sorry, nothing. Really."',
    '"message":"Sorry, nothing.","messageList":["Sorry, nothing.","But look"]',
    '"message":["Sorry, nothing."]',
    '"title":"Sorry, nothing."',
    '"attributes":{"title":"Sorry, nothing."},"message":"m"',
  ])("is not seen where there is none: %s", (fields) => {
    const before = `{"answers":[{"flags":[],${fields}}]}`;
    expect(judge(before, { rules: REPLACING })).toMatchObject({
      body: before,
      steps: [{ reason: "no-flag" }],
    });
  });

  it("keeps its words without a line, and where that flag is only active", () => {
    const rules = { ...REPLACING, replace: { welcome: [] } };
    expect(judge(answer(title), { rules })).toMatchObject({
      edits: [],
      steps: [{ flag: "no-results", reason: "default-content" }],
    });
    expect(judge(answer(title), { rules: REPLACING, say: saying("welcome") })).toMatchObject({
      edits: [],
      steps: [{ flag: "no-results", reason: "no-text" }],
    });
    expect(judge('{"message":"Sorry, nothing.","flags":[]}', { rules: MODERN }).edits).toEqual([]);
  });

  it("gets its flag back as well, if the owner wants both", () => {
    const { body } = judge(answer(title), { rules: { ...REPLACING, restoreFlags: true } });
    expect(body).toBe(
      `{"answers":[{"message":"no-results!",${title.replace("[]", '["no-results"]')}}]}`,
    );
  });

  it("stays what it is inside another answer, where a title is a search result's", () => {
    const before = `{"answers":[{"message":"m","flags":[],"subAnswers":[{"message":"m",${title}}]}]}`;
    expect(judge(before, { rules: REPLACING }).edits).toEqual([]);
  });
});

describe("restoring the flag", () => {
  const title = ',"attributes":{"inbMainTitle":"No Results"}';

  it.each([
    ["[]", '["no-results"]'],
    ["[ ]", '["no-results" ]'],
    ['["escalate"]', '["escalate","no-results"]'],
    ['[ "a" , "b" ]', '[ "a" , "b","no-results" ]'],
    ["[null]", '[null,"no-results"]'],
  ])("makes %s into %s", (before, after) => {
    const { body, steps } = judge(answer(`"flags":${before}${title}`), {
      rules: restoring,
      detail: true,
    });
    expect(body).toBe(answer(`"flags":${after}${title}`));
    expect(steps).toMatchObject([
      { at: "/answers/0", flag: "no-results", reason: "default-content" },
      { at: "/answers/0/flags", flag: "no-results", reason: "flag-restored", before, after },
    ]);
  });

  it.each(['"x":1', '"flags":null', '"flags":"no-results"', '"flags":{}'])(
    "adds no member and replaces nothing where flags is no array: %s",
    (fields) => {
      const { edits, steps } = judge(answer(`${fields}${title}`), { rules: restoring });
      expect(edits).toEqual([]);
      expect(steps.map((step) => [step.at, step.reason])).toEqual([
        ["/answers/0", "default-content"],
        ["/answers/0/flags", "no-flag"],
      ]);
    },
  );

  it("edits beside a related title in the order of the bytes", () => {
    const { body } = judge(
      '{"parameters":{"contents":{"related":{"relatedTitle":"r"},"title":"hello"}},"message":"m","flags":[]}',
      { rules: restoring },
    );
    expect(body).toBe(
      '{"parameters":{"contents":{"related":{"relatedTitle":"related-title!"},"title":"hello"}},"message":"m","flags":["welcome"]}',
    );
  });
});
