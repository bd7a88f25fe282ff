import { expect, test } from "vitest";
import { createReporter } from "../../../src/yaml/diagnostic.ts";
import { createSource } from "../../../src/yaml/source.ts";
import { parseYaml } from "../../../src/yaml/yaml.ts";
import { cpuTime } from "../../fixtures/cpu-time.ts";

/** The mistakes that are found in a text, each behind its line. */
function findMistakes(text: string): readonly string[] {
  const reporter = createReporter();
  parseYaml(createSource("long.yaml", text), reporter);
  return reporter.diagnostics().map(({ line, message }) => `${line}: ${message}`);
}

const TOO_DEEP = "1: lists and mappings are nested in more than 64 levels here";

test.each<[string, string, string]>([
  ["opens a million brackets", "[".repeat(1_000_000), TOO_DEEP],
  ["opens a million braces", "{".repeat(1_000_000), TOO_DEEP],
  ["begins a list in a list in a list", "- ".repeat(500_000), TOO_DEEP],
  ["maps to a mapping in one line", "a: ".repeat(300_000), TOO_DEEP],
  ["asks for keys without end", "? ".repeat(500_000), TOO_DEEP],
  [
    "has more aliases than anybody writes",
    `a: &a 1\nb: [${"*a,".repeat(2000)}]\n`,
    "2: this file has more than 1000 aliases",
  ],
])("a file that %s is refused at once, with the limit", async (_, text, message) => {
  const took = await cpuTime(() => expect(findMistakes(text)).toEqual([message]));
  expect(took).toBeLessThan(2000);
});

test("64 levels are read, and one more is not", () => {
  const nest = (levels: number): string => `${"[".repeat(levels)}${"]".repeat(levels)}`;
  expect(findMistakes(nest(64))).toEqual([]);
  expect(findMistakes(nest(65))).toEqual([TOO_DEEP]);
});

test("a million mistakes are not described one by one", async () => {
  for (const text of ["]".repeat(1_000_000), `[${",".repeat(100_000)}]`]) {
    const took = await cpuTime(() => {
      const { length } = findMistakes(text);
      expect(length).toBeGreaterThan(0);
      expect(length).toBeLessThanOrEqual(5);
    });
    expect(took).toBeLessThan(4000);
  }
});

test("twice as many keys take about twice as long, and one that stands twice is found", async () => {
  const keys = (count: number): string =>
    Array.from({ length: count }, (_, index) => `key${index}: 1\n`).join("");
  findMistakes(keys(2000));
  const few = await cpuTime(() => findMistakes(keys(8000)));
  const many = await cpuTime(() => findMistakes(keys(32_000)));
  // Four times the keys took sixteen times the time when each was compared with all before it.
  expect(many).toBeLessThan(few * 10);
  expect(findMistakes(`${keys(20_000)}key7: 2\n`)).toEqual([
    "20001: the key key7 stands here twice",
  ]);
});
