import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  composeAnswer,
  linkText,
  textOfLine,
  toWrittenText,
} from "../../src/escalation/answers.ts";
import { cancelOption, createPolarOptions, readChoice } from "../../src/escalation/questions.ts";
import { quote } from "../../src/json/quote.ts";
import { anyText } from "../fixtures/runs.ts";

describe("a composed answer", () => {
  test("has every field that clients read", () => {
    expect(JSON.parse(composeAnswer({ text: "Hello" }))).toEqual({
      type: "answer",
      message: "Hello",
      messageList: ["Hello"],
      options: null,
      actionField: null,
      flags: [],
      attributes: {},
      parameters: { contents: null },
    });
  });

  test("asks a yes-or-no question with our options, and names the stream of events", () => {
    const options = createPolarOptions("Yes", "No", 3);
    const answer = composeAnswer({ text: "A person?", options, events: "/r/x/events/1" });
    expect(JSON.parse(answer)).toMatchObject({
      type: "polarQuestion",
      options: [
        { label: "Yes", value: "aw:yes:3" },
        { label: "No", value: "aw:no:3" },
      ],
      attributes: { AFTERWORD_EVENTS: "/r/x/events/1" },
    });
  });

  test("offers anything else as a multiple choice", () => {
    const options = [cancelOption("Cancel", 0)];
    expect(JSON.parse(composeAnswer({ text: "Name?", options }))).toMatchObject({
      type: "multipleChoiceQuestion",
      options: [{ label: "Cancel", value: "aw:cancel:0" }],
    });
  });

  test("is JSON for every text", () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        const { message, messageList } = JSON.parse(composeAnswer({ text })) as Record<
          string,
          unknown
        >;
        expect(message).toBe(text);
        expect(messageList).toEqual([text]);
      }),
    );
  });
});

describe("a choice", () => {
  test.each([
    ["aw:yes:0", { kind: "yes", epoch: 0 }],
    ["aw:no:12", { kind: "no", epoch: 12 }],
    ["aw:cancel:3", { kind: "cancel", epoch: 3 }],
    ["aw:yes:", { kind: "unknown" }],
    ["aw:yes:01", { kind: "unknown" }],
    ["aw:yes:1e3", { kind: "unknown" }],
    ["aw:maybe:1", { kind: "unknown" }],
    ["aw:", { kind: "unknown" }],
    ["yes", null],
    ["AW:yes:1", null],
    [1, null],
    [null, null],
    [undefined, null],
    [["aw:yes:1"], null],
  ])("%j is read as %j", (option, expected) => {
    expect(readChoice(option)).toEqual(expected);
  });

  test("is read back as it was offered", () => {
    fc.assert(
      fc.property(fc.nat(), (epoch) => {
        const [yes, no] = createPolarOptions("y", "n", epoch);
        const options = [yes, no, cancelOption("c", epoch)];
        expect(options.map(({ value }) => readChoice(value))).toEqual([
          { kind: "yes", epoch },
          { kind: "no", epoch },
          { kind: "cancel", epoch },
        ]);
      }),
    );
  });
});

describe("texts of others", () => {
  test("are no markup in either format, and keep their line breaks", () => {
    const typed = " <b>a</b>\r\nb & c\u2028d\ud800 ";
    expect(toWrittenText(typed, "text")).toBe("<b>a</b>\nb & c\nd\ufffd");
    expect(toWrittenText(typed, "html")).toBe("&lt;b&gt;a&lt;/b&gt;<br>b &amp; c<br>d\ufffd");
  });

  test("are links with their label", () => {
    expect(linkText("a<b", "https://x.example/?a=1&b=2", "html")).toBe(
      '<a href="https://x.example/?a=1&amp;b=2" target="_blank" rel="noopener noreferrer">a&lt;b</a>',
    );
    expect(linkText("File", "https://x.example/f", "text")).toBe("File https://x.example/f");
  });

  test("of a said line are its own", () => {
    const source = { locale: "en", origin: "own", rule: "x" } as const;
    expect(textOfLine({ json: quote('a "b"\n'), source })).toBe('a "b"\n');
  });
});
