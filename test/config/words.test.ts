import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { checkConfig } from "../../src/config/check/check.ts";
import { formatDiagnostics } from "../../src/yaml/format-diagnostics.ts";
import { loadConfig } from "../../src/config/load/load.ts";
import { findPackageRoot } from "../../src/config/load/package-root.ts";
import { createSnapshot } from "../../src/gateway/snapshot.ts";
import { loadCompiled, toCompiled } from "../../src/runtime/worker/compiled.ts";
import { createWebPlatform } from "../../src/runtime/web/web-platform.ts";
import type { Locale } from "../../src/locales/types.ts";
import { load, MINIMAL, workspace } from "./workspace.ts";

const shipped = join(findPackageRoot(), "locales");
const dated = `${MINIMAL}instances: [{ name: a, created: 2018-06-01 }]\n`;

/** Findings of a check as `severity code file:line:column message`. */
async function findings(files: Record<string, string>): Promise<readonly string[]> {
  const directory = await workspace({ "afterword.yaml": dated, ...files });
  const { diagnostics } = await checkConfig(join(directory, "afterword.yaml"), {
    env: {},
    shipped,
  });
  return diagnostics.map(
    ({ severity, code, file, line, column, message }) =>
      `${severity} ${code} ${file.slice(directory.length + 1)}:${line}:${column} ${message}`,
  );
}

test("a file of texts adds words to its language, for all regions", async () => {
  const config = await load({
    "afterword.yaml": MINIMAL,
    "messages/pt-BR.yaml": "words: { yes: [xarope], no: [nem pensar], person: [fala sério] }\n",
    "messages/fr.yaml": "welcome: Salut\nwords:\n  cancel:\n    - laisse béton\n",
  });
  expect(config.tableSets.map(({ words }) => words)).toEqual([
    [
      { language: "fr", cancel: ["laisse béton"] },
      { language: "pt", yes: ["xarope"], no: ["nem pensar"], person: ["fala sério"] },
    ],
  ]);
  expect(config.recognition["pt"]?.yes).not.toContain("xarope");
});

test("other words change the configuration, and a file without words adds none", async () => {
  const files = (words: string) => ({ "afterword.yaml": MINIMAL, "messages/fr.yaml": words });
  const [one, other, none] = await Promise.all(
    ["words: { yes: [a] }\n", "words: { yes: [b] }\n", "# nothing\n"].map((text) =>
      load(files(text)),
    ),
  );
  expect(one?.hash).not.toBe(other?.hash);
  expect(none?.tableSets[0]?.words).toBe(undefined);
});

describe("each instance understands the words of its own directory", () => {
  const read = async (): Promise<Record<string, string | null>> => {
    const directory = await workspace({
      "afterword.yaml": `version: 1
upstream: { auth: "https://api.example.com" }
instances:
  - { name: a, created: 2018-06-01, messages: { dir: ./a } }
  - { name: b, created: 2018-06-01, messages: { dir: ./b }, match: { host: b.example.com } }
  - { name: c, created: 2018-06-01, messages: { dir: ./a, use: [shipped] } }
`,
      "a/fr.yaml": "words: { yes: [banco] }\n",
      "b/fr.yaml": "words: { no: [banco] }\n",
    });
    const config = await loadConfig(join(directory, "afterword.yaml"), { env: {}, shipped });
    const packed = loadCompiled(JSON.parse(JSON.stringify(toCompiled(config, "0"))));
    const { recognitionOf } = createSnapshot(packed, createWebPlatform());
    const french = "fr" as Locale;
    const read = packed.instances.map(async (instance) => {
      const { polarOf } = await recognitionOf(instance, french);
      return [instance.name, polarOf("banco", "fr")] as const;
    });
    return Object.fromEntries(await Promise.all(read));
  };

  test("in a worker's bundle too", async () => {
    expect(await read()).toEqual({ a: "yes", b: "no", c: null });
  });
});

test.each([
  ["words: [a]", "1:8"],
  ["words: { maybe: [a] }", '1:10 unknown key "maybe"'],
  ["words: { yes: a }", "1:15 a list of phrases is needed here"],
  ["words: { yes: [true] }", "1:16 a phrase is needed here; put it in quotes"],
  ['words: { yes: [""] }', "1:16 a phrase needs a letter or a digit"],
  ['words: { yes: ["!?"] }', "1:16 a phrase needs a letter or a digit"],
  ['words: { yes: ["a\\nb"] }', "1:16 a phrase stands in one line"],
  [`words: { yes: ["${"a".repeat(101)}"] }`, "1:16 a phrase has at most 100 characters"],
  [`words: { yes: [${"a, ".repeat(101)}] }`, "1:15 at most 100 phrases"],
  ["word: {}", 'unknown flag "word". Did you mean "words"?'],
])("an invalid list of phrases is found: %s", async (text, message) => {
  const found = await findings({ "messages/fr.yaml": `${text}\n` });
  expect(found).toHaveLength(1);
  expect(found[0]).toContain(message);
});

describe("a phrase of two meanings is found", () => {
  test("in two lists of the owner's, in the files of one language", async () => {
    const found = await findings({
      "messages/pt.yaml": "words: { yes: [tá certinho], person: [tá feito] }\n",
      "messages/pt-BR.yaml": "words:\n  no: [TA certinho!, tá feito]\n",
    });
    const again = "in pt; it is taken as neither";
    expect(found).toEqual([
      `warning ambiguous-phrase messages/pt-BR.yaml:2:8 "TA certinho!" also means yes ${again}`,
      `warning ambiguous-phrase messages/pt-BR.yaml:2:22 "tá feito" also means person ${again}`,
      `warning ambiguous-phrase messages/pt.yaml:1:16 "tá certinho" also means no ${again}`,
      `warning ambiguous-phrase messages/pt.yaml:1:39 "tá feito" also means no ${again}`,
    ]);
  });

  test("beside Afterword's own, and beside English", async () => {
    const found = await findings({
      "messages/fr.yaml": "words: { no: [oui, nope, ok], yes: [Nope, d'acc], person: [stop] }\n",
    });
    expect(found.map((one) => /"[^;]*/.exec(one)?.[0])).toEqual([
      '"oui" also means yes in fr',
      '"nope" also means yes in fr',
      '"ok" also means yes in fr',
      '"Nope" also means no in fr',
      '"stop" also means cancel in en',
    ]);
  });

  test("with its position and its remedy", async () => {
    const directory = await workspace({
      "afterword.yaml": dated,
      "messages/fr.yaml": "words:\n  no: [oui]\n",
    });
    const file = join(directory, "afterword.yaml");
    const { diagnostics, config } = await checkConfig(file, { env: {}, shipped });
    expect(config).not.toBeNull();
    expect(formatDiagnostics(diagnostics, "text")).toContain("fr.yaml:2:8: warning");
    expect(diagnostics[0]?.hint).toContain("Keep it in one list");
  });
});

test("words that mean one thing are clean, an unquoted no too", async () => {
  const text = "words: { yes: [ça roule ma poule], no: [que nenni mon ami], person: [allô] }\n";
  expect(await findings({ "messages/fr.yaml": text })).toEqual([]);
});
