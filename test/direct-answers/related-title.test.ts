import { describe, expect, it } from "vitest";
import { judge, saying } from "./fixtures.ts";

const at = "/answers/0/parameters/contents/related/relatedTitle";

function body(parameters: string, more = ""): string {
  return `{"answers":[{${more}"parameters":${parameters}}]}`;
}

describe("the related title", () => {
  it.each([
    "",
    '"flags":[],',
    '"flags":null,',
    '"flags":["escalate"],',
    '"message":"a","flags":["multiple-options"],',
  ])("is replaced with and without flags: %j", (flags) => {
    const { body: after, steps } = judge(
      body('{"contents":{"related":{"relatedTitle":"Old"}}}', flags),
    );
    expect(after).toContain('"relatedTitle":"related-title!"');
    expect(steps).toContainEqual(expect.objectContaining({ at, flag: null, reason: "rewritten" }));
  });

  it.each([
    "null",
    "[]",
    "1",
    '"x"',
    "{}",
    '{"contents":null}',
    '{"contents":[]}',
    '{"contents":{}}',
    '{"contents":{"related":null}}',
    '{"contents":{"related":"x"}}',
    '{"contents":{"related":[{"relatedTitle":"x"}]}}',
    '{"contents":{"related":{}}}',
    '{"contents":{"related":{"relatedTitle":null}}}',
    '{"contents":{"related":{"relatedTitle":""}}}',
    '{"contents":{"relatedTitle":"x"}}',
    '{"related":{"relatedTitle":"x"}}',
    '{"contents":{"related":{"relatedTitle":"x"},"related":null}}',
    '{"contents":{"related":{"relatedTitle":"x"}},"contents":{}}',
  ])("is not looked for beyond a missing or other level: %s", (parameters) => {
    const { edits, steps } = judge(body(parameters));
    expect(edits).toEqual([]);
    expect(steps.map((step) => step.at)).toEqual(["/answers/0"]);
  });

  it("of another kind is left and named", () => {
    const { edits, steps } = judge(body('{"contents":{"related":{"relatedTitle":["x"]}}}'));
    expect(edits).toEqual([]);
    expect(steps).toContainEqual(expect.objectContaining({ at, reason: "not-a-string" }));
  });

  it("stays when there is no text for it", () => {
    const { edits, steps } = judge(body('{"contents":{"related":{"relatedTitle":"x"}}}'), {
      say: saying("welcome"),
    });
    expect(edits).toEqual([]);
    expect(steps).toContainEqual(expect.objectContaining({ at, reason: "no-text" }));
  });

  it("of an answer inside an answer is replaced", () => {
    expect(
      judge(
        '{"answers":[{"subAnswers":[{"parameters":{"contents":{"related":{"relatedTitle":"x"}}}}]}]}',
      ).body,
    ).toContain('"relatedTitle":"related-title!"');
  });

  it("that is empty is written where related contents follow it, and stays where none do", () => {
    const empty = (contents: string): string =>
      body(`{"contents":{"related":{"relatedTitle":"","relatedContents":${contents}}}}`);
    expect(judge(empty('[{"id":1,"title":"Returns"}]')).body).toContain('"related-title!"');
    for (const none of ["[]", "null", "{}", '"x"']) expect(judge(empty(none)).edits).toEqual([]);
  });

  it("of a bare answer is replaced", () => {
    expect(judge('{"parameters":{"contents":{"related":{"relatedTitle":"x"}}}}').body).toContain(
      '"related-title!"',
    );
  });
});
