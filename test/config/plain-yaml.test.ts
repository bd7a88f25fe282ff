import { chmod, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseDocument } from "yaml";
import { checkConfig } from "../../src/config/check.ts";
import { createReporter } from "../../src/config/diagnostic.ts";
import { readPlainYaml } from "../../src/config/plain-yaml.ts";
import { createSource } from "../../src/config/source.ts";
import { parseYaml } from "../../src/config/yaml.ts";
import { cpuTime } from "../fixtures/cpu-time.ts";
import { MINIMAL, workspace } from "./workspace.ts";

const OPTIONS = {
  version: "1.2",
  schema: "core",
  merge: false,
  uniqueKeys: true,
  stringKeys: true,
  prettyErrors: false,
  logLevel: "error",
} as const;

/** What the whole parser makes of a text; the errors and warnings it has, if any. */
function whole(text: string): { value: unknown; findings: readonly string[] } {
  const document = parseDocument(text, OPTIONS);
  const findings = [...document.errors, ...document.warnings].map(String);
  return { value: findings.length > 0 ? null : document.toJS(), findings };
}

/** Equal, with the keys in the same order. */
function expectSame(text: string, plain: unknown): void {
  const { value, findings } = whole(text);
  expect({ findings, value: plain, order: JSON.stringify(plain), text }).toStrictEqual({
    findings: [],
    value,
    order: JSON.stringify(value),
    text,
  });
}

describe("plain YAML", () => {
  test.each<[string, string]>([
    [
      "texts in every quote",
      "a: plain text, with {{query}}\nb: \"double \\\"q\\\" \\u00e9\"\nc: 'it''s'\n",
    ],
    ["nested mappings and lists", "a:\n  b:\n    - c\n    - d: e\n      f: g\n  h: i\n"],
    ["a list as far left as its key", "a:\n- b\n-   c: d\n    e: f\ng: h\n"],
    ["braces and brackets on one line", "a: { b: [c, 'd', { e: \"f\" }], g: {}, h: [] }\n"],
    ["comments and blank lines", "# one\n\na: b # two\n   # three\n\nc: # four\n  d: e\n#five"],
    ["Windows' line breaks", "a: b\r\nc:\r\n  - d # e\r\n\r\n# f\r\ng: h"],
    ["values without a text", "a:\nb: null\nc: true\nd: false\ne: 12\nf: 0\n"],
    ["what only looks like a number", "a: 2018-06-01\nb: 30s\nc: 127.0.0.1\nd: 1MiB\ne: no\n"],
    ["addresses", "a: http://127.0.0.1:9/x\nb: { c: https://example.com/y, d: ./messages }\n"],
    ["names that objects inherit", "constructor: a\ntoString: b\nhasOwnProperty: c\n"],
    ["other scripts", "a: Où\u202f?\nb: \"日本語\"\nc: 日本語\nd: Ελλάδα\ne: '😀'\n"],
  ])("with %s is read as the whole parser reads it", (_, text) => {
    const plain = readPlainYaml(text);
    expect(plain).not.toBeNull();
    expectSame(text, plain);
  });

  test.each<[string, string]>([
    ["the same key twice", "a: 1\na: 2\n"],
    ["the same key twice in braces", "a: { b: 1, b: 2 }\n"],
    ["a line break of old", "a: b\rc: d\n"],
    ["a tab", "a:\n\tb: c\n"],
    ["two documents", "a: b\n---\nc: d\n"],
    ["an anchor", "a: &b c\n"],
    ["an alias", "a: *b\n"],
    ["a tag", "a: !!str 1\n"],
    ["a block text", "a: |\n  b\n"],
    ["a text of several lines", "a: b\n  c\n"],
    ["quotes of several lines", 'a: "b\n  c"\n'],
    ["brackets of several lines", "a: [b,\n  c]\n"],
    ["a mapping inside a text", "a: b: c\n"],
    ["brackets that do not match", "a: [b}\n"],
    ["a bracket of the other kind first", "a: {]b: c}\n"],
    ["text behind a quote", 'a: "b" c\n'],
    ["a comment without a blank", "a: 'b'#c\n"],
    ["an indentation that nothing has", "a:\n    b: c\n  d: e\n"],
    ["a list beside keys", "a: b\n- c\n"],
    ["a text instead of a mapping", "hello\n"],
    ["comments only", "# nothing\n"],
    ["nothing", ""],
    ["a number of another kind", "a: 0x1f\n"],
    ["a fraction", "a: 1.5\n"],
    ["a large number", "a: 12345678901234567890\n"],
    ["infinity", "a: .inf\n"],
    ["a word in capitals", "a: TRUE\n"],
    ["a half of a character", 'a: "\\ud83d"\n'],
    ["an escape that JSON has not", 'a: "\\x41"\n'],
    ["the name of the prototype", "__proto__: a\n"],
    ["a byte order mark inside", "a: b\ufeff\n"],
    ["a line break of another kind", "a: b\u2028c: d\n"],
    ["hopeless nesting", `a: ${"[".repeat(100)}${"]".repeat(100)}\n`],
  ])("with %s is left to the whole parser", (_, text) => {
    expect(readPlainYaml(text)).toBeNull();
  });

  test("reads what it reads as the whole parser does, whatever stands there", () => {
    let read = 0;
    fc.assert(
      fc.property(texts, (text) => {
        const plain = readPlainYaml(text);
        if (plain === null) return;
        read += 1;
        expectSame(text, plain);
      }),
      { numRuns: 5000 },
    );
    // Otherwise the property says nothing.
    expect(read).toBeGreaterThan(200);
  });

  test.each<[string, string]>([
    ["escapes", `a: "${"\\n".repeat(500_000)}`],
    ["quotes", `a: '${"''".repeat(500_000)}`],
    ["colons", `a: b${":b".repeat(500_000)}: c`],
    ["blanks", `a: "b"${" ".repeat(1_000_000)}c`],
    ["brackets", `a: ${"[".repeat(1_000_000)}`],
    ["comments", `${"#\n".repeat(500_000)}${"#".repeat(500_000)}`],
  ])("is given up soon in a megabyte of %s", async (_, text) => {
    expect(await cpuTime(() => expect(readPlainYaml(text)).toBeNull())).toBeLessThan(2000);
  });

  test("fills in variables as the whole parser does", () => {
    const lines = ['a: "${A}"', "b: '${B} $${B} ${B'", 'c: ["${A}-${B}", { d: "${N}" }]', ""];
    const text = lines.join("\n");
    const environment = { A: "${B}: *x", B: "1", N: "" };
    const reporter = createReporter();
    expect(readPlainYaml(text)).not.toBeNull();
    const [plain, other] = [text, `${text}#\t\n`].map((one) =>
      parseYaml(createSource("a.yaml", one), reporter, environment),
    );
    expect(plain?.value).toStrictEqual({
      a: "${B}: *x",
      b: "1 ${B} ${B",
      c: ["${B}: *x-1", { d: "" }],
    });
    expect(other?.value).toStrictEqual(plain?.value);
    expect(plain?.written(["a"])).toBe(other?.written(["a"]));
    expect(plain?.locate(["c", 1, "d"])).toStrictEqual(other?.locate(["c", 1, "d"]));
    expect(reporter.diagnostics()).toStrictEqual([]);
  });
});

describe("a configuration in plain YAML", () => {
  test("has the hash, the texts and the findings that it has with the whole parser", async () => {
    const codes = new Set<string>();
    let loaded = 0;
    await fc.assert(
      fc.asyncProperty(configurations, async (entries) => {
        const [plain, other] = [await checked(entries, " "), await checked(entries, "\t")];
        expect(plain).toStrictEqual(other);
        for (const { code } of plain.diagnostics) codes.add(code);
        if (plain.config !== null) loaded += 1;
      }),
      { numRuns: 60, endOnFailure: true },
    );
    // Both kinds came, and mistakes of many kinds.
    expect(loaded).toBeGreaterThan(3);
    expect([...codes]).toEqual(
      expect.arrayContaining(["unknown-flag", "encoding", "yaml", "unreadable", "environment"]),
    );
  });
});

/** Texts of YAML's own pieces, well-formed or not. */
const pieces = fc.constantFrom(
  ..."a|key|no-results|true|null|12|0x1f|1e3|3s|2018-06-01|127.0.0.1|.5|.inf|~|{{query}}|:|-|- |  | |#| #|# c".split(
    "|",
  ),
  ..."\"|'|\"q\"|'it''s'|\"\\u00e9\\n\"|\\|{|}|[|]|{ a: b, c: d }|[a, b]|, |,|&a |*a|!t |> |? |%|@|`|é|\u00a0|😀|---|...".split(
    "|",
  ),
  ..."\n|\n|\n|\n  |\n  |\n    |\n- |\n  - |a: |b: |c: |\nb: |\n  c: |\n  d: |\n    e: |\na:\n|\n\n|http://x/y|\t|\r\n|\u2028|\ufeff|<<: ".split(
    "|",
  ),
  "|",
);
const texts = fc
  .array(pieces, { maxLength: 14 })
  .map((parts) => parts.join(""))
  .chain((text) => fc.constantFrom(text, `a: ${text}`, `a: ${text}\nb: { c: ${text} }\n`));

type Kind = "file" | "latin1" | "utf16" | "directory" | "locked";
const line = fc.constantFrom(
  "welcome: Hello",
  'no-results: "Nothing for {{query}}"',
  "no-results:\n  text: 'Nothing'\n  channels: { voice: Nothing }",
  "end-form: |\n  Done.\n",
  "no-question:\n  variants:\n    - One?\n    - Two?",
  "escalation.offer: A person?",
  "conversation-link: old",
  "no-resluts: a mistake",
  "welcome:",
  "end-form: { plural: { one: 1 } }",
  "welcome: {{nobody}}",
  "welcome: 'Hello {{nobody}}'",
  "wrong: [",
  "\ttab: x",
  "sys-unsubscribe: no",
);
const entries = fc.uniqueArray(
  fc.record({
    name: fc.constantFrom("en.yaml", "fr.yaml", "pt-BR.yaml", "x.yaml", "not a tag.yaml", "de.yml"),
    kind: fc.constantFrom<Kind>(
      "file",
      "file",
      "file",
      "file",
      "latin1",
      "utf16",
      "directory",
      "locked",
    ),
    text: fc.array(line, { maxLength: 3 }).map((lines) => lines.join("\n")),
  }),
  { selector: ({ name }) => name, maxLength: 3 },
);
const heads = fc.constantFrom(
  ...["", "", "", "data: '${HERE}'\n", "data: '${MISSING}'\n", "dta: ./x\n", "data: |\n  ./x\n"],
);
const configurations = fc.record({ head: heads, owners: fc.array(entries, { maxLength: 4 }) });

type Configuration = typeof configurations extends fc.Arbitrary<infer Value> ? Value : never;

/**
 * What a check finds. Behind every text stands a comment of a blank or a tab and nothing else:
 * frames show both alike, and with a tab no file is plain.
 */
async function checked({ head, owners }: Configuration, blank: " " | "\t") {
  const end = `\n#${blank}end\n`;
  const instances = owners.map(
    (_, owner) =>
      `  - { name: owner-${owner}, match: { apiKey: key-${owner} }, created: 2018-06-01, messages: { dir: ./owners/${owner} } }\n`,
  );
  const list = instances.length === 0 ? "" : `instances:\n${instances.join("")}`;
  const directory = await workspace({
    "locales/en.yaml": "welcome: Hello\nno-results: Nothing\n",
    "locales/fr.yaml": "welcome: Bonjour\n",
    "afterword.yaml": `${MINIMAL}${head}${list}${end}`,
  });
  for (const [owner, files] of owners.entries()) {
    await mkdir(join(directory, "owners", String(owner)), { recursive: true });
    for (const { name, kind, text } of files) {
      await put(join(directory, "owners", String(owner), name), kind, text + end);
    }
  }
  const { config, diagnostics } = await checkConfig(join(directory, "afterword.yaml"), {
    env: { HERE: "./here" },
    shipped: join(directory, "locales"),
  });
  const found = { hash: config?.hash ?? null, config, diagnostics };
  return JSON.parse(JSON.stringify(found).replaceAll(directory, ".")) as typeof found;
}

async function put(file: string, kind: Kind, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  if (kind === "directory") await mkdir(file);
  else if (kind === "latin1") await writeFile(file, Buffer.from(`# caf\xe9\n${text}`, "latin1"));
  else if (kind === "utf16") await writeFile(file, Buffer.from(text, "utf16le"));
  else await writeFile(file, text);
  // Root may read all the same; then it is one file more.
  if (kind === "locked") await chmod(file, 0o000);
}
