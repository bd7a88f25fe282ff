import { describe, expect, it } from "vitest";
import { FLAGS } from "../../src/direct-answers/flags.ts";
import { judge, MODERN, saying, utter } from "./fixtures.ts";

describe("a flagged answer", () => {
  it.each([...FLAGS])("with %s gets our text and keeps everything else", (flag) => {
    const { body } = judge(
      `{"answers":[{"type":"polarQuestion","message":"Old","messageList":["Old"],"options":[{"label":"yes","value":1}],"flags":["${flag}"],"x":1.50}]}`,
    );
    expect(body).toBe(
      `{"answers":[{"type":"polarQuestion","message":"${flag}!","messageList":["${flag}!"],"options":[{"label":"yes","value":1}],"flags":["${flag}"],"x":1.50}]}`,
    );
  });

  it("is called unexpected where default content should have taken the flag's place", () => {
    const one = (flag: string): string => `{"answers":[{"message":"a","flags":["${flag}"]}]}`;
    expect(judge(one("no-results"), { rules: MODERN }).steps).toEqual([
      expect.objectContaining({ reason: "rewritten", unexpected: true }),
    ]);
    expect(judge(one("no-results")).steps[0]).not.toHaveProperty("unexpected");
    expect(judge(one("refinement"), { rules: MODERN }).steps[0]).not.toHaveProperty("unexpected");
    const silent = '{"answers":[{"message":"","flags":["welcome"]}]}';
    const left = { reason: "empty-message", unexpected: true };
    expect(judge(silent, { rules: MODERN }).steps).toEqual([expect.objectContaining(left)]);
    expect(judge(silent).steps[0]).not.toHaveProperty("unexpected");
  });

  it("shows what was left alone in a detailed trace, a byte order mark included, and only there", () => {
    const body = '{"answers":[{"message":"\ufeffa","flags":["welcome"]}]}';
    const say = saying("no-results");
    const [step] = judge(body, { say, detail: true }).steps;
    expect(step).toMatchObject({ reason: "no-text", before: '"\ufeffa"' });
    expect(judge(body, { say }).steps[0]).not.toHaveProperty("before");
    const empty = '{"answers":[{"message":"","flags":["welcome"]}]}';
    expect(judge(empty, { detail: true }).steps[0]).not.toHaveProperty("before");
  });

  it("is known by the flag's old name, which stays", () => {
    expect(judge('{"answers":[{"message":"a","flags":["conversation-link"]}]}').body).toBe(
      '{"answers":[{"message":"follow-up-question!","flags":["conversation-link"]}]}',
    );
  });

  it.each([
    ["among others", '["escalate","no-rating","no-results"]', "no-results!"],
    ["escaped", '["no\\u002dresults"]', "no-results!"],
    ["twice", '["no-results","no-results"]', "no-results!"],
    ["between other kinds", '[null,1,{"no-results":1},["welcome"],"no-results"]', "no-results!"],
    ["first of two", '["welcome","no-results"]', "welcome!"],
    ["first of two, the other way", '["no-results","welcome"]', "no-results!"],
  ])("is found by membership: %s", (_how, flags, text) => {
    expect(judge(`{"answers":[{"message":"a","flags":${flags}}]}`).body).toBe(
      `{"answers":[{"message":"${text}","flags":${flags}}]}`,
    );
  });

  it("speaks with the first of its flags that has a text", () => {
    const { body, steps } = judge(
      '{"answers":[{"message":"a","flags":["welcome","refinement","no-results"]}]}',
      {
        say: saying("no-results", "refinement"),
      },
    );
    expect(body).toContain('"refinement!"');
    expect(steps).toMatchObject([{ flag: "refinement", reason: "rewritten" }]);
  });

  it.each([
    ["a list of several becomes one text", '["a","b","c"]', '["no-results!"]'],
    ["white space around the elements stays", '[ "a" ,\n "b"\t]', '[ "no-results!"\t]'],
    ["other kinds among strings go with them", '[null,"a",[1,["x"]]]', '["no-results!"]'],
    ["an empty list stays empty", "[]", "[]"],
    ["a list without strings stays", "[null,1]", "[null,1]"],
    ["null stays null", "null", "null"],
    ["a string stays a string", '"a"', '"a"'],
  ])("messageList: %s", (_what, before, after) => {
    expect(
      judge(`{"answers":[{"message":"a","messageList":${before},"flags":["no-results"]}]}`).body,
    ).toBe(`{"answers":[{"message":"no-results!","messageList":${after},"flags":["no-results"]}]}`);
  });

  it.each(["null", "5", '{"text":"a"}', '["a"]'])(
    "message: %s stays, and messageList is written",
    (message) => {
      expect(
        judge(`{"answers":[{"message":${message},"messageList":["a"],"flags":["no-results"]}]}`)
          .body,
      ).toBe(
        `{"answers":[{"message":${message},"messageList":["no-results!"],"flags":["no-results"]}]}`,
      );
    },
  );

  it("writes only messageList when message is missing, and adds none", () => {
    expect(judge('{"answers":[{"messageList":["a"],"flags":["no-results"]}]}').body).toBe(
      '{"answers":[{"messageList":["no-results!"],"flags":["no-results"]}]}',
    );
  });

  it("with an empty message and a text in messageList gets our text in both", () => {
    expect(
      judge('{"answers":[{"message":"","messageList":["a"],"flags":["no-results"]}]}').body,
    ).toBe(
      '{"answers":[{"message":"no-results!","messageList":["no-results!"],"flags":["no-results"]}]}',
    );
  });

  it.each([
    '{"message":"","messageList":[""],"flags":["end-form"]}',
    '{"message":"","messageList":[],"flags":["end-form"]}',
    '{"message":"","flags":["end-form"]}',
    '{"messageList":["",""],"flags":["end-form"]}',
  ])("that was blanked stays silent: %s", (answer) => {
    const { edits, steps } = judge(`{"answers":[${answer}]}`);
    expect(edits).toEqual([]);
    expect(steps).toMatchObject([{ flag: "end-form", reason: "empty-message" }]);
  });

  it.each([
    '{"flags":["welcome"]}',
    '{"message":null,"messageList":null,"flags":["welcome"]}',
    '{"message":1,"messageList":[1],"flags":["welcome"]}',
  ])("without a place for words is left: %s", (answer) => {
    const { edits, steps } = judge(`{"answers":[${answer}]}`);
    expect(edits).toEqual([]);
    expect(steps).toMatchObject([
      { at: "/answers/0/message", flag: "welcome", reason: "not-a-string" },
    ]);
  });

  it("without a text for it is left alone", () => {
    const { edits, steps } = judge(
      '{"answers":[{"message":"a","flags":["welcome","refinement"]}]}',
      { say: () => null },
    );
    expect(edits).toEqual([]);
    expect(steps).toMatchObject([{ flag: "welcome", reason: "no-text" }]);
  });

  it("is never given an empty message, even by a broken table", () => {
    const { edits, steps } = judge('{"answers":[{"message":"a","flags":["welcome"]}]}', {
      say: () => utter(""),
    });
    expect(edits).toEqual([]);
    expect(steps).toMatchObject([{ reason: "no-text" }]);
  });

  it("that has our text already is left alone, place by place", () => {
    const { body, edits, steps } = judge(
      '{"answers":[{"message":"welcome!","messageList":["old"],"flags":["welcome"]}]}',
    );
    expect(edits).toHaveLength(1);
    expect(body).toContain('"messageList":["welcome!"]');
    expect(steps).toMatchObject([
      { at: "/answers/0/message", reason: "same-text" },
      { at: "/answers/0/messageList", reason: "rewritten" },
    ]);
    expect(steps[1]).not.toHaveProperty("twin");
  });

  it("is counted once for its two places", () => {
    const { steps } = judge(
      '{"answers":[{"message":"a","messageList":["a"],"flags":["welcome"]}]}',
    );
    expect(steps.map((step) => [step.at, step.twin])).toEqual([
      ["/answers/0/message", undefined],
      ["/answers/0/messageList", true],
    ]);
  });

  it("that came in spite of active default content is rewritten and marked", () => {
    const { body, steps } = judge('{"answers":[{"message":"a","flags":["no-results"]}]}', {
      rules: MODERN,
    });
    expect(body).toContain('"message":"no-results!"');
    expect(steps).toMatchObject([{ flag: "no-results", reason: "rewritten", unexpected: true }]);
    expect(
      judge('{"answers":[{"message":"a","flags":["refinement"]}]}', { rules: MODERN }).steps[0],
    ).not.toHaveProperty("unexpected");
  });
});

describe("an answer without a direct-answer flag", () => {
  it.each([
    ["no flags", "", "no-flag"],
    ["empty flags", ',"flags":[]', "no-flag"],
    ["null flags", ',"flags":null', "no-flag"],
    ["a string for flags", ',"flags":"no-results"', "no-flag"],
    ["an object for flags", ',"flags":{"0":"no-results"}', "no-flag"],
    ["other flags", ',"flags":["escalate"]', "unknown-flags"],
    ["a nested flag", ',"flags":[["no-results"]]', "unknown-flags"],
    ["a flag in another case", ',"flags":["NO-RESULTS"]', "unknown-flags"],
    ["a name of Object's", ',"flags":["__proto__","constructor"]', "unknown-flags"],
  ])("keeps its words, even the engine's own: %s", (_what, flags, reason) => {
    const { edits, steps } = judge(
      `{"answers":[{"message":"Sorry, we could not find any answers to your question."${flags}}]}`,
    );
    expect(edits).toEqual([]);
    expect(steps).toMatchObject([{ at: "/answers/0", flag: null, reason }]);
  });

  it("keeps its words when an option or an attribute has a flag", () => {
    const { edits } = judge(
      '{"answers":[{"message":"a","flags":[],"attributes":{"flags":["welcome"]},"options":[{"flags":["welcome"],"message":"c"}]}],"flags":["welcome"],"message":"d"}',
    );
    expect(edits).toEqual([]);
  });
});

describe("an answer inside an answer", () => {
  it("with a flag says our words, whatever the flags of the answer around it", () => {
    const { body, steps } = judge(
      '{"answers":[{"message":"a","flags":["escalate"],"subAnswers":[null,{"message":"b","messageList":["b"],"flags":["no-results"]},{"message":"c","flags":[]}]}]}',
    );
    expect(body).toBe(
      '{"answers":[{"message":"a","flags":["escalate"],"subAnswers":[null,{"message":"no-results!","messageList":["no-results!"],"flags":["no-results"]},{"message":"c","flags":[]}]}]}',
    );
    expect(steps.map((step) => step.at)).toEqual([
      "/answers/0",
      "/answers/0/subAnswers/1/message",
      "/answers/0/subAnswers/1/messageList",
    ]);
  });

  it("of a bare answer gets it too, and one further inside does not", () => {
    expect(
      judge('{"flags":[],"subAnswers":[{"message":"b","flags":["welcome"],"subAnswers":[]}]}').body,
    ).toContain('"welcome!"');
    expect(
      judge('{"flags":[],"subAnswers":[{"subAnswers":[{"message":"b","flags":["welcome"]}]}]}')
        .edits,
    ).toEqual([]);
  });

  it("gets no flag back for a title such as that of default content: it is a search result", () => {
    const { edits } = judge(
      '{"answers":[{"flags":[],"subAnswers":[{"message":"b","flags":[],"attributes":{"title":"No Results"}}]}]}',
      { rules: { ...MODERN, restoreFlags: true } },
    );
    expect(edits).toEqual([]);
  });
});

describe("a response", () => {
  it("with several answers is judged answer by answer", () => {
    const { body, steps } = judge(
      '{"answers":[{"message":"a","flags":["welcome"]},{"message":"b","flags":[]},{"flags":["no-results"],"message":"c"}]}',
    );
    expect(body).toBe(
      '{"answers":[{"message":"welcome!","flags":["welcome"]},{"message":"b","flags":[]},{"flags":["no-results"],"message":"no-results!"}]}',
    );
    expect(steps.map((step) => step.at)).toEqual([
      "/answers/0/message",
      "/answers/1",
      "/answers/2/message",
    ]);
  });

  it("that is one bare answer is accepted", () => {
    const { body, steps } = judge('{"message":"a","flags":["welcome"],"messageList":["a"]}');
    expect(body).toBe('{"message":"welcome!","flags":["welcome"],"messageList":["welcome!"]}');
    expect(steps[0]?.at).toBe("/message");
  });

  it("with members in any order is edited in the order of its bytes", () => {
    const { body } = judge(
      '{"answers":[{"parameters":{"contents":{"related":{"relatedTitle":"r"}}},"messageList":["a"],"flags":["welcome"],"message":"a"}]}',
    );
    expect(body).toBe(
      '{"answers":[{"parameters":{"contents":{"related":{"relatedTitle":"related-title!"}}},"messageList":["welcome!"],"flags":["welcome"],"message":"welcome!"}]}',
    );
  });

  it("skips what is no answer and counts it", () => {
    const { body, steps } = judge(
      '{"answers":[null,1,"x",[{"message":"a","flags":["welcome"]}],{"message":"b","flags":["welcome"]}]}',
    );
    expect(body).toContain('{"message":"b","flags":["welcome"]}'.replace('"b"', '"welcome!"'));
    expect(body).toContain('[{"message":"a"');
    expect(steps.map((step) => step.at)).toEqual(["/answers/4/message"]);
  });

  it.each([
    ["doubled flags count by the last", '{"flags":["welcome"],"message":"a","flags":[]}', null],
    [
      "doubled flags count by the last, the other way",
      '{"flags":[],"message":"a","flags":["welcome"]}',
      '{"flags":[],"message":"welcome!","flags":["welcome"]}',
    ],
    [
      "of a doubled message the last is written",
      '{"message":"a","flags":["welcome"],"message":"b"}',
      '{"message":"a","flags":["welcome"],"message":"welcome!"}',
    ],
    [
      "an escaped key is a key",
      '{"m\\u0065ssage":"a","fl\\u0061gs":["welcome"]}',
      '{"m\\u0065ssage":"welcome!","fl\\u0061gs":["welcome"]}',
    ],
    [
      "a doubled message that ends null stays",
      '{"message":"a","flags":["welcome"],"message":null}',
      null,
    ],
    ["a flag inside a string is none", '{"message":"\\"flags\\":[\\"welcome\\"]"}', null],
  ])("%s", (_what, before, after) => {
    expect(judge(before).body).toBe(after ?? before);
    expect(judge(`{"answers":[${before}]}`).body).toBe(`{"answers":[${after ?? before}]}`);
  });

  it.each([
    "",
    "{",
    '{"answers":[]',
    '{"answers":[{"message":"a","flags":["welcome"]}]}}',
    "<html>",
    '{"answers":[{"flags":["welcome"],"message":"a\u0001"}]}',
    "{'a':1}",
  ])("that is no JSON is left alone: %j", (body) => {
    expect(judge(body)).toMatchObject({ gate: "invalid-json", edits: [], steps: [], body });
  });

  it.each([
    "[]",
    "null",
    '"answers"',
    "1",
    "{}",
    '{"errors":[{"code":400,"message":"Session expired"}]}',
    '{"answers":null,"flags":["welcome"],"message":"a"}',
    '{"answers":{"message":"a","flags":["welcome"]}}',
    '{"answers":"x"}',
    '[{"message":"a","flags":["welcome"]}]',
  ])("of another shape is left alone: %j", (body) => {
    expect(judge(body)).toMatchObject({ gate: "unknown-shape", edits: [], steps: [], body });
  });

  it("without answers is fine", () => {
    expect(judge('{"answers":[]}')).toMatchObject({ gate: null, edits: [], steps: [] });
  });
});

describe("the number of things offered", () => {
  it.each([
    ['"options":[{},{},{}]', 3],
    ['"options":[]', null],
    ['"options":null', null],
    ['"x":1', null],
  ])("with %s is %s", (options, count) => {
    const counts: unknown[] = [];
    judge(`{"answers":[{"message":"a","flags":["refinement"],${options}}]}`, {
      say: (_key, counted) => (counts.push(counted()), null),
    });
    expect(counts).toEqual([count]);
  });

  it("beside a related title is that of its contents", () => {
    const { body } = judge(
      '{"parameters":{"contents":{"related":{"relatedContents":[{},{}],"relatedTitle":"r"}}}}',
      {
        say: (key, count) => utter(`${key} ${count()}`),
      },
    );
    expect(body).toContain('"related-title 2"');
  });
});

describe("detail", () => {
  const body =
    '{"answers":[{"message":"caf\\u00e9","messageList":["a", "b"],"flags":["welcome"]}]}';

  it("shows each place before and after", () => {
    expect(judge(body, { detail: true }).steps).toMatchObject([
      { before: '"caf\\u00e9"', after: '"welcome!"' },
      { before: '"a", "b"', after: '"welcome!"' },
    ]);
  });

  it("is not made without being asked for", () => {
    for (const step of judge(body).steps) {
      expect(step).not.toHaveProperty("before");
      expect(step).not.toHaveProperty("after");
    }
  });

  it("changes nothing in what is decided", () => {
    expect(judge(body, { detail: true }).body).toBe(judge(body).body);
  });
});
