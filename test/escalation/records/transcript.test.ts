import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cpuTime } from "../../fixtures/cpu-time.ts";
import type { TranscriptLine } from "../../../src/escalation/stores/record.ts";
import {
  addLines,
  toChatHistory,
  type Transcript,
  MAX_HISTORY,
  TRANSCRIPT_LIMITS,
  formatTranscript,
} from "../../../src/escalation/records/transcript.ts";
import { textOfHtml, wordsOfHtml } from "../../../src/locales/html-text.ts";
import { anyText, runs } from "../../fixtures/runs.ts";

const NOTHING: Transcript = { lines: [], dropped: 0 };
const ROLES = { reader: "Customer", bot: "Assistant", agent: "Agent" };

function says(text: string, who: TranscriptLine["who"] = "reader", at = 0): TranscriptLine {
  return { who, said: text, at };
}

describe("the lines that are kept", () => {
  test("are those that have a text, in their order", () => {
    const kept = addLines(NOTHING, [says("a"), says(" \n"), says("b")]);
    expect(kept).toEqual({ lines: [says("a"), says("b")], dropped: 0 });
  });

  test("are the newest, and the others are counted", () => {
    const many = Array.from({ length: TRANSCRIPT_LIMITS.lines }, (_, index) => says(`${index}`));
    const kept = addLines(addLines(NOTHING, many), [says("x"), says("y")]);
    expect(kept.dropped).toBe(2);
    expect(kept.lines).toHaveLength(TRANSCRIPT_LIMITS.lines);
    expect(kept.lines.at(0)?.said).toBe("2");
    expect(kept.lines.at(-1)?.said).toBe("y");
  });

  test("are bounded in bytes, but for the last one", () => {
    const long = Array.from({ length: 40 }, () => says("é".repeat(4000)));
    const { lines, dropped } = addLines(NOTHING, long);
    expect(dropped).toBeGreaterThan(0);
    expect(lines.length + dropped).toBe(40);
    expect(new TextEncoder().encode(JSON.stringify(lines)).length).toBeLessThan(
      TRANSCRIPT_LIMITS.bytes,
    );
  });

  test("are cut at a whole character", () => {
    const text = `${"a".repeat(TRANSCRIPT_LIMITS.characters - 2)}😀 and more`;
    const [line] = addLines(NOTHING, [{ ...says(text), shown: text }]).lines;
    expect(line?.said).toBe(`${"a".repeat(TRANSCRIPT_LIMITS.characters - 2)}…`);
    expect(line?.shown).toBe(line?.said);
  });

  test("never exceed the bounds, and none gets lost uncounted", () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(anyText({ maxLength: 50 }), { maxLength: 90 }), {
          maxLength: 8,
        }),
        (turns) => {
          let kept = NOTHING;
          let count = 0;
          for (const turn of turns) {
            kept = addLines(
              kept,
              turn.map((text) => says(text)),
            );
            count += turn.filter((text) => text.trim() !== "").length;
          }
          expect(kept.lines.length).toBeLessThanOrEqual(TRANSCRIPT_LIMITS.lines);
          expect(kept.lines.length + kept.dropped).toBe(count);
          expect(kept.lines.every(({ said }) => said.isWellFormed())).toBe(true);
        },
      ),
      { numRuns: runs(100) },
    );
  });
});

describe("a chat's history", () => {
  test("has the reader and agents under their ids and all others as the assistant, in Unix seconds", () => {
    const lines: TranscriptLine[] = [
      says("Hi, is <b> a tag?", "reader", 10),
      says("<p>Hello,</p><p>yes &amp; no</p>", "bot", 11),
      says("A person?<br>Or not?", "afterword", 12),
      { ...says("I'm <Sam>", "agent", 13), agent: "a-1" },
      says("From before ids were kept", "agent", 14),
      says('<img src="x.png">', "bot", 15),
    ];
    expect(toChatHistory({ lines, dropped: 0 }, "u-1", "cut")).toEqual([
      { sender: "u-1", message: "Hi, is <b> a tag?", created: 10 },
      { sender: "assistant", message: "Hello,\nyes & no", created: 11 },
      { sender: "assistant", message: "A person?\nOr not?", created: 12 },
      { sender: "a-1", message: "I'm <Sam>", created: 13 },
      { sender: "assistant", message: "From before ids were kept", created: 14 },
      { sender: "assistant", message: '<img src="x.png">', created: 15 },
    ]);
  });

  test("shows what the reader saw, and behind it what the engine had said", () => {
    const line: TranscriptLine = {
      who: "bot",
      said: "No results.",
      shown: "Nothing found, sorry.",
      at: 1,
    };
    const [entry] = toChatHistory({ lines: [line], dropped: 0 }, "u", null);
    expect(entry?.message).toBe("Nothing found, sorry.\n[No results.]");
  });

  test("holds the newest entries behind a note when there were more", () => {
    const lines = Array.from({ length: 200 }, (_, index) => says(`${index}`, "reader", index));
    const entries = toChatHistory({ lines, dropped: 0 }, "u", "The beginning is in the file.");
    expect(entries).toHaveLength(MAX_HISTORY);
    expect(entries[0]).toEqual({
      sender: "assistant",
      message: "The beginning is in the file.",
      created: 51,
    });
    expect(entries[1]?.message).toBe("51");
    expect(entries.at(-1)?.message).toBe("199");
    expect(toChatHistory({ lines, dropped: 0 }, "u", null)[0]?.message).toBe("50");
    expect(toChatHistory({ lines: lines.slice(0, 3), dropped: 1 }, "u", "cut")).toHaveLength(4);
    expect(toChatHistory({ lines: lines.slice(0, 150), dropped: 0 }, "u", "cut")[0]?.message).toBe(
      "0",
    );
    expect(toChatHistory({ lines: [], dropped: 0 }, "u", "cut")).toEqual([]);
  });
});

describe("the transcript as a file", () => {
  test("names the speakers in the reader's language, and says plainly what was said", () => {
    const lines: TranscriptLine[] = [
      says("<b>is no markup</b>", "reader", 1_795_305_600),
      {
        who: "bot",
        said: "No results",
        shown: "<p>Sorry,</p><p>nothing &amp; nobody.</p>",
        at: 1_795_305_601,
      },
      says("Hello", "agent", 1_795_305_602),
      says("A person?", "afterword", 1_795_305_603),
    ];
    expect(formatTranscript({ lines, dropped: 3 }, ROLES)).toBe(
      `[… 3]

2026-11-22 00:00:00 UTC  Customer
<b>is no markup</b>

2026-11-22 00:00:01 UTC  Assistant
Sorry,
nothing & nobody.
[No results]

2026-11-22 00:00:02 UTC  Agent
Hello

2026-11-22 00:00:03 UTC  Assistant
A person?
`,
    );
  });
});

describe("the text of an answer's HTML", () => {
  test.each([
    ["Hello", "Hello"],
    ["<p>One</p><p>Two<br/>Three</p>", "One\nTwo\nThree"],
    ["<ul><li>A</li><li>B</li></ul>", "- A\n- B"],
    ['See <a href="https://x.example/a">this page</a>.', "See this page (https://x.example/a)."],
    ['<a href="https://x.example">https://x.example</a>', "https://x.example"],
    ['<a href="javascript:alert(1)">here</a>', "here"],
    ["a &lt;b&gt; &#39;c&#x27; &nbsp;&unknown; &#0;", "a <b> 'c' &unknown; &#0;"],
    ["&quot;a&apos;&nbsp;b", "\"a' b"],
    ["1 < 2 and 3 > 2", "1 < 2 and 3 > 2"],
    ["<script>x</script>a<!-- b -->", "a"],
    ["<style>a<b>c</b></style>d", "d"],
    ["<script>a<script>b</script>c", "c"],
    ["a<style>b", "a"],
    ["a</script>b", "ab"],
    ["<b>bold</b> text", "bold text"],
    [
      '<a href="https://x.example">a</a>, <a href=https://y.example>b</a>',
      "a (https://x.example), b (https://y.example)",
    ],
    [
      'https://x.example: <a href="https://x.example">here</a>',
      "https://x.example: here (https://x.example)",
    ],
    ['<a href="https://x.example">a<a href="#">b</a>', "a (https://x.example)b"],
    ["a\u202eb\u0007", "ab"],
  ])("of %s is %j", (html, text) => {
    expect(textOfHtml(html)).toBe(text);
  });

  test.each([
    ["<p>One</p>two<br/> three", "One two three"],
    ["one<!-- and -->two", "one two"],
    ["one<script>x</script>two", "one two"],
    ['<a href="https://x.example">here</a>', "here"],
    [" a &amp;\n b ", "a & b"],
    [`${"x ".repeat(100_000)}and more`, "x ".repeat(100_000).trim()],
  ])("to search in, of %s, is %j", (html, words) => {
    expect(wordsOfHtml(html)).toBe(words);
  });

  test("is found for any text, in time", async () => {
    fc.assert(
      fc.property(anyText(), (html) => {
        textOfHtml(html);
      }),
    );
    const long = `${"<a href=".repeat(50_000)}${"<".repeat(200_000)}${"<!--".repeat(50_000)}`;
    expect(await cpuTime(() => textOfHtml(long))).toBeLessThan(2000);
  });
});
