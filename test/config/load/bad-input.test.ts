// Suite: slow
import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { checkConfig } from "../../../src/config/check/check.ts";
import type { Diagnostic } from "../../../src/yaml/diagnostic.ts";
import { loadConfig } from "../../../src/config/load/load.ts";
import { isAfterwordError } from "../../../src/errors.ts";
import { MINIMAL, workspace } from "../workspace.ts";

type Found = Pick<Diagnostic, "code" | "line" | "column" | "message">;

const LOCALES = { "locales/en.yaml": "welcome: Hello\n" };

/** Errors of a load, shortened; none of them may be a stack trace. */
async function errors(files: Record<string, string | Uint8Array>): Promise<readonly Found[]> {
  const directory = await workspace({ ...LOCALES, ...files });
  const file = join(directory, "afterword.yaml");
  const options = { env: {}, shipped: join(directory, "locales") };
  const { diagnostics, config } = await checkConfig(file, options);
  expect(config).toBeNull();
  const failure: unknown = await loadConfig(file, options).catch((error: unknown) => error);
  if (!isAfterwordError(failure)) throw new Error("an AfterwordError was expected");
  expect(failure.code).toMatch(/^config-(?:invalid|unreadable)$/);
  expect(failure.message).not.toMatch(/^\s+at .*\.[jt]s/m);
  return diagnostics.filter(({ severity }) => severity === "error");
}

const ENV = "$".concat("{NOT_SET}");

describe("a bad configuration file", () => {
  test.each<[string, string | Uint8Array, Partial<Found>]>([
    ["duplicate keys", "version: 1\nversion: 1\n", { code: "duplicate", line: 2, column: 1 }],
    ["a tab as indentation", "listen:\n\tport: 1\n", { code: "yaml", line: 2, column: 1 }],
    [
      "two documents",
      `${MINIMAL}---\nversion: 1\n`,
      { code: "yaml", line: 3, message: "a second document begins here, and a file holds one" },
    ],
    ...["\u00a0", "\u3000", "\u2003", "\u202f"].map((blank): [string, string, Partial<Found>] => [
      `indentation by ${JSON.stringify(blank)}`,
      `${MINIMAL}listen:\n  host: 127.0.0.1\n${blank} port: 1\n`,
      { code: "yaml", line: 5, column: 1 },
    ]),
    [
      "an odd space below plain ones",
      `${MINIMAL}listen:\n \u00a0port: 1\n`,
      { code: "yaml", line: 4, column: 2 },
    ],
    [
      "an odd space behind a colon",
      "version: 1\nupstream:\u00a0embedded\n",
      { code: "yaml", line: 2, column: 10 },
    ],
    [
      "an odd space before an item",
      `${MINIMAL}instances:\n\u00a0\u00a0- name: shop\n`,
      { code: "yaml", line: 4, column: 1 },
    ],
    [
      "an odd space behind a hyphen",
      `${MINIMAL}instances:\n  -\u00a0name: shop\n`,
      { code: "yaml", line: 4, column: 4 },
    ],
    ["a key that is a list", `${MINIMAL}[a]: 1\n`, { code: "yaml", line: 3, column: 1 }],
    ["an anchor that is not there", `${MINIMAL}data: *nowhere\n`, { code: "yaml", line: 3 }],
    ["an unclosed brace", "listen: { port: 1\n", { code: "yaml" }],
    ["a list instead of a mapping", "- version: 1\n", { code: "invalid-value", line: 1 }],
    ["a text instead of a mapping", "hello\n", { code: "invalid-value", line: 1, column: 1 }],
    ["comments only", "# nothing\n", { code: "missing-key", line: 1, column: 1 }],
    ["nothing", "", { code: "missing-key", line: 1, column: 1 }],
    [
      "CRLF line breaks",
      "version: 1\r\nupstream: embedded\r\nx: 1\r\n",
      { code: "unknown-key", line: 3, column: 1 },
    ],
    [
      "a byte order mark",
      "\ufeffversion: 1\nupstream: embedded\nx: 1\n",
      { code: "unknown-key", line: 3, column: 1 },
    ],
    [
      "a Latin-1 byte",
      Buffer.from("version: 1\nname: 'caf\xe9'\n", "latin1"),
      { code: "encoding", line: 2, column: 11 },
    ],
    [
      "a cut UTF-8 sequence after a real U+FFFD",
      Buffer.from([0xef, 0xbf, 0xbd, 0x0a, 0x61, 0xe2, 0x82]),
      { code: "encoding", line: 2, column: 2 },
    ],
    [
      "UTF-16 with a mark",
      Buffer.from("\ufeffversion: 1\n", "utf16le"),
      { code: "encoding", line: 1 },
    ],
    [
      "UTF-16 without a mark",
      Buffer.from("version: 1\n", "utf16le"),
      { code: "encoding", line: 1 },
    ],
    ["five megabytes", `# ${"x".repeat(5_000_000)}\n`, { code: "too-large", line: 1, column: 1 }],
    ["brackets without end", "[".repeat(50_000), { code: "yaml", line: 1 }],
    [
      "a missing variable",
      `${MINIMAL}data: "a/${ENV}"\n`,
      { code: "environment", line: 3, column: 10 },
    ],
    [
      "no name of a variable",
      `${MINIMAL}data: "\${a-b}"\n`,
      { code: "environment", line: 3, column: 8 },
    ],
    [
      "a variable of every object",
      `${MINIMAL}data: "\${constructor}"\n`,
      { code: "environment", line: 3 },
    ],
  ])("with %s is refused with its place", async (_, content, expected) => {
    const [first] = await errors({ "afterword.yaml": content });
    expect(first).toMatchObject(expected);
  });

  test("with an alias bomb is refused and not unfolded", async () => {
    const rows = ["# R&D* notes", "a: &a [x, x, x, x, x, x, x, x, x, x]"];
    const names = "abcdefghi".split("");
    for (const [index, from] of names.slice(0, -1).entries()) {
      const to = names[index + 1];
      rows.push(`${to}: &${to} [${Array.from({ length: 10 }, () => `*${from}`).join(", ")}]`);
    }
    const [first] = await errors({ "afterword.yaml": `${rows.join("\n")}\n` });
    expect(first).toMatchObject({ code: "yaml", line: 3, column: 8 });
    expect(first?.message).toContain("enormous");
  });

  test.each([
    ["allow: [*.example.com]", { line: 3, column: 9 }],
    ["data: *.example.com", { line: 3, column: 7 }],
    ["listen: { host: * }", { line: 3, column: 17 }],
    ["escalation: { chat: { rooms: { *: 1 } } }", { line: 3, column: 32 }],
  ])("with a star that is no alias asks for quotes: %s", async (line, place) => {
    const [first] = await errors({ "afterword.yaml": `${MINIMAL}${line}\n` });
    expect(first).toMatchObject({
      ...place,
      code: "yaml",
      message: "a text without quotes cannot begin with *",
      hint: "Put the text in quotes.",
    });
  });

  test("that is a directory, a circle of links or missing is unreadable", async () => {
    const directory = await workspace({});
    await mkdir(join(directory, "dir.yaml"));
    await symlink("loop.yaml", join(directory, "loop.yaml"));
    for (const name of ["dir.yaml", "loop.yaml", "none.yaml", "none/none.yaml", "\0.yaml"]) {
      const file = join(directory, name);
      await expect(loadConfig(file, { env: {} })).rejects.toMatchObject({
        name: "AfterwordError",
        code: "config-unreadable",
        message: expect.stringContaining(`${name}: error:`),
      });
    }
  });

  test("that is an endless device is refused before it is read", async () => {
    await expect(loadConfig("/dev/zero", { env: {} })).rejects.toMatchObject({
      code: "config-unreadable",
      message: expect.stringContaining("not a regular file"),
    });
  });

  test("with a thousand equal mistakes lists the first and counts the rest", async () => {
    const instances = Array.from({ length: 1000 }, (_, index) => `  - { name: n${index}, x: 1 }\n`);
    const found = await errors({ "afterword.yaml": `${MINIMAL}instances:\n${instances.join("")}` });
    expect(found).toHaveLength(51);
    expect(found.at(-1)).toMatchObject({
      code: "more",
      message: expect.stringContaining("950 more"),
    });
  });
});

describe("a bad messages file", () => {
  const config = {
    "afterword.yaml": `${MINIMAL}instances: [{ name: a, created: 2018-06-01, variables: [name] }]\n`,
  };

  test.each<[string, string | Uint8Array, Partial<Found>]>([
    [
      "an unknown flag",
      "welcome: a\nno-resutls: b\n",
      {
        code: "unknown-flag",
        line: 2,
        column: 1,
        message: expect.stringContaining('Did you mean "no-results"?'),
      },
    ],
    ["a flag named like an object's property", "__proto__: a\n", { code: "unknown-flag", line: 1 }],
    [
      "a flag under both of its names",
      "follow-up-question: a\nconversation-link: b\n",
      { code: "duplicate", line: 2, column: 1 },
    ],
    [
      "a duplicate flag",
      "welcome: a\nwelcome: b\n",
      { code: "duplicate", line: 2, column: 1, message: "the key welcome stands here twice" },
    ],
    ["an empty text", "welcome: ''\n", { code: "empty-text", line: 1, column: 10 }],
    [
      "a blank variant",
      "welcome: { variants: [a, ' '] }\n",
      { code: "empty-text", line: 1, column: 26 },
    ],
    ["a number", "welcome: 3\n", { code: "invalid-value", line: 1, column: 10 }],
    ["nothing behind a key", "welcome:\n", { code: "invalid-value", line: 1 }],
    ["a list", "- welcome\n", { code: "invalid-value", line: 1 }],
    [
      "an unknown part",
      "welcome: { text: a, varants: [b] }\n",
      { code: "unknown-key", line: 1, column: 21, message: expect.stringContaining('"variants"') },
    ],
    [
      "an unknown plural category",
      "welcome: { plural: { other: a, lots: b } }\n",
      { code: "unknown-key", line: 1, column: 32 },
    ],
    [
      "a plural without other",
      "welcome: { plural: { one: a } }\n",
      { code: "missing-key", line: 1, column: 20 },
    ],
    ["a line that says nothing", "welcome: { format: text }\n", { code: "invalid-value", line: 1 }],
    [
      "a channel that says nothing",
      "welcome: { channels: { voice: { format: text } } }\n",
      { code: "invalid-value", line: 1 },
    ],
    [
      "a channel name with capitals",
      "welcome: { channels: { Voice: a } }\n",
      { code: "invalid-value", line: 1, column: 24 },
    ],
    [
      "an unknown condition",
      "welcome: { when: [{ evn: a, text: b }] }\n",
      {
        code: "unknown-key",
        line: 1,
        column: 21,
        message: expect.stringContaining('Did you mean "env"?'),
      },
    ],
    [
      "a condition on nothing",
      "welcome: { when: [{ text: b }] }\n",
      { code: "invalid-value", line: 1, column: 19 },
    ],
    [
      "a condition that says nothing",
      "welcome: { when: [{ env: a }] }\n",
      { code: "invalid-value", line: 1, column: 19 },
    ],
    [
      "a condition on a list",
      "welcome: { when: [{ env: [a], text: b }] }\n",
      { code: "invalid-value", line: 1, column: 26 },
    ],
    [
      "an unknown placeholder",
      'welcome: "Hi {{nmae}}"\n',
      {
        code: "unknown-placeholder",
        line: 1,
        column: 10,
        message: expect.stringContaining('Did you mean "name"?'),
      },
    ],
    [
      "a placeholder of two words",
      'welcome: { text: a, variants: ["{{first name}}"] }\n',
      { code: "broken-placeholder", line: 1, column: 32 },
    ],
    [
      "an unclosed placeholder",
      'welcome: "Hi {{name"\n',
      { code: "broken-placeholder", line: 1, column: 10 },
    ],
    [
      "UTF-16",
      Buffer.from("\ufeffwelcome: a\n", "utf16le"),
      { code: "encoding", line: 1, column: 1 },
    ],
    ["a megabyte too much", `# ${"x".repeat(1_100_000)}\n`, { code: "too-large" }],
  ])("with %s is refused with its place", async (_, content, expected) => {
    const found = await errors({ ...config, "messages/fr.yaml": content });
    expect(found[0]).toMatchObject(expected);
  });

  test("named for no language is refused, with the likely name", async () => {
    const found = await errors({ ...config, "messages/en_GB.yaml": "welcome: a\n" });
    expect(found[0]).toMatchObject({ code: "unknown-locale", hint: "Rename it to en-GB.yaml." });
  });

  test.each([
    ["xx-bad-locale-.yaml", "Name it for its language, such as fr.yaml or pt-BR.yaml."],
    ["xx-.yaml", "Name it for its language, such as fr.yaml or pt-BR.yaml."],
    ["fr-my_old_texts.yaml", "Name it for its language, such as fr.yaml or pt-BR.yaml."],
    ["fr-.yaml", "Rename it to fr.yaml."],
    ["de_DE.UTF-8.yaml", "Rename it to de-DE.yaml."],
  ])("named %s is not given the name of an unrelated language", async (name, hint) => {
    const [found] = await errors({ ...config, [`messages/${name}`]: "welcome: a\n" });
    expect(found).toMatchObject({ code: "unknown-locale", hint });
  });

  const quoteHint = (quote: string): string => `Put ${quote} where the text ends.`;
  const listHint = "Put ] where the list ends.";
  test.each([
    ["a quote", 'welcome: "Hello\nno-results: Nothing\n', [1, 10], '"', quoteHint('"')],
    ["one of two quotes", 'welcome: "Hello\nno-results: "a"\n', [1, 10], '"', quoteHint('"')],
    ["a single quote", "# French\nwelcome: 'Hello\n", [2, 10], "'", quoteHint("'")],
    ["a list", "words:\n  yes: [bora\n  no: [nope]\n", [2, 8], "[", listHint],
    ["a list at the end", "words:\n  yes: [bora\n", [2, 8], "[", listHint],
    ["a list in braces", "words: { yes: [bora }\n", [1, 15], "[", listHint],
    ["a quote in a list", 'words:\n  yes: [a, "b]\n  no: [c]\n', [2, 12], '"', quoteHint('"')],
    ["a brace", "welcome: { text: a\n", [1, 10], "{", "Put } where the mapping ends."],
  ])(
    "with %s left open is reported once, at its beginning",
    async (_, content, place, sign, hint) => {
      const found = await errors({ ...config, "messages/fr.yaml": content });
      const [line, column] = place;
      const message = `${sign} opens here and is not closed`;
      expect(found).toMatchObject([{ code: "yaml", line, column, message, hint }]);
    },
  );

  const indentation = "Give lines that belong together the same indentation.";
  test.each([
    ["no colon", 'welcome: "a"\nno-results\n', [2, 1], "this line has no colon", /KEY: VALUE/],
    [
      "a text over two lines before a colon",
      'welcome "a"\nno-results: b\n',
      [1, 1],
      "a key and its colon stand in one line",
      /one key a line/,
    ],
    [
      "no hyphen in a list",
      "no-results:\n  variants:\n  - a\n  b\n",
      [4, 3],
      "this line has no colon",
      /KEY: VALUE/,
    ],
    [
      "another indentation",
      "no-results:\n    text: a\n  variants: [b]\n",
      [3, 1],
      "this line begins further left or right than its neighbours",
      new RegExp(indentation),
    ],
  ] as const)(
    "with %s are named in plain words",
    async (_, content, [line, column], message, hint) => {
      const [found] = await errors({ ...config, "messages/fr.yaml": content });
      expect(found).toMatchObject({ line, column, message, hint: expect.stringMatching(hint) });
    },
  );

  test("twice for one language is refused", async () => {
    const found = await errors({
      ...config,
      "messages/pt-BR.yaml": "welcome: a\n",
      "messages/pt-br.yml": "welcome: a\n",
    });
    expect(found[0]).toMatchObject({ code: "duplicate" });
  });

  test("is named with its file, and the files beside it are still read", async () => {
    const found = await errors({
      ...config,
      "messages/de.yaml": "welcome: ''\n",
      "messages/fr.yaml": "wellcome: a\n",
      "messages/.hidden.yaml": "nonsense: a\n",
      "messages/README.md": "nonsense\n",
      "messages/it.yaml~": "nonsense\n",
    });
    expect(found.map(({ code }) => code)).toEqual(["empty-text", "unknown-flag"]);
  });
});

test("a messages directory that was named must exist, the default one need not", async () => {
  const found = await errors({ "afterword.yaml": `${MINIMAL}messages: { dir: ./nowhere }\n` });
  const hint = "Make it, or remove `dir`.";
  expect(found[0]).toMatchObject({ code: "unreadable", line: 3, column: 18, hint });
});

test("an unusual space where a text may have one is not a mistake", async () => {
  const directory = await workspace({
    "afterword.yaml": MINIMAL,
    "messages/fr.yaml":
      'welcome: |\n  Bonjour\u00a0:\n  \u00a0- commandes\u00a0;\nend-form: "Envoyé\u00a0!"\nno-question: Quoi\u00a0?\n',
  });
  const { diagnostics } = await checkConfig(join(directory, "afterword.yaml"), { env: {} });
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
});

test.each(["de", "en-GB", "pt_BR"])(
  "a root key that names the language is explained: %s",
  async (tag) => {
    const found = await errors({
      "afterword.yaml": MINIMAL,
      "messages/de.yaml": `${tag}:\n  welcome: Hallo!\n`,
    });
    expect(found).toMatchObject([
      {
        code: "unknown-flag",
        line: 1,
        column: 1,
        message: expect.stringContaining(`"${tag}" is a language, and a file of texts is named`),
      },
    ]);
  },
);

test("files of texts in another format are named as not read", async () => {
  const directory = await workspace({
    ...LOCALES,
    "afterword.yaml": MINIMAL,
    "messages/de.yaml": "welcome: Hallo!\n",
    "messages/fr.json": "{}",
    "messages/pt_BR.po": "",
    "messages/en.messages.xliff": "",
    "messages/de.yaml.bak": "",
    "messages/README.md": "",
    "messages/logo.png": "",
  });
  const options = { env: {}, shipped: join(directory, "locales") };
  const { diagnostics } = await checkConfig(join(directory, "afterword.yaml"), options);
  const unread = diagnostics.filter(({ code }) => code === "unreadable");
  expect(unread.map(({ severity, message }) => `${severity} ${message}`)).toEqual(
    ["en.messages.xliff", "fr.json", "pt_BR.po"].map(
      (name) => `warning ${name} is not read: files of texts end in .yaml or .yml`,
    ),
  );
});
