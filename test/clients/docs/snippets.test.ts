import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import manifest from "../../../package.json" with { type: "json" };
import { COMMANDS } from "../../../bench/commands.ts";
import { configSchema } from "../../../src/config/schema/config.ts";
import { isObject } from "../../../src/json/values.ts";
import { afterword } from "../../cli/terminal.ts";
import { root } from "../../runtime/processes/processes.ts";
import { markdownFiles } from "./markdown.ts";

interface Block {
  readonly page: string;
  readonly line: number;
  readonly language: string;
  readonly text: string;
}

const pages = (await markdownFiles(root)).filter((file) => !/decisions|CHANGELOG/.test(file));
const blocks = (await Promise.all(pages.map(blocksOf))).flat();

async function blocksOf(file: string): Promise<readonly Block[]> {
  const text = await readFile(file, "utf8");
  const found = text.matchAll(/^( *)```(\w+)\n(.*?)^ *```$/gmsu);
  return Array.from(found, ([, indent = "", language = "", inner = ""]) => ({
    page: basename(file),
    line: text.slice(0, text.indexOf(inner)).split("\n").length,
    language,
    text: inner.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
  }));
}

const at = ({ page, line }: Block): string => `${page}:${line}`;

test("every command that the docs show exists, with its options", async () => {
  const shown = blocks
    .filter(({ language }) => language === "sh" || language === "console")
    .flatMap((block) => commandsOf(block).map((words) => ({ block, words })));
  expect(shown.length).toBeGreaterThan(30);
  const help = new Map<string, string>();
  for (const { block, words } of shown) {
    const text = await helpOf(words);
    expect([at(block), text]).toEqual([at(block), expect.stringContaining("--help")]);
    const options = words.flatMap((word) => (word.startsWith("--") ? word.split("=", 1) : []));
    const unknown = options.filter((option) => !text.includes(option));
    expect([at(block), unknown]).toEqual([at(block), []]);
  }

  /** Of the command itself, and of the commands of its own that the line names. */
  async function helpOf(words: readonly string[]): Promise<string> {
    let text = "";
    for (let count = 1; count <= 3 && /^[a-z]+$/.test(words[count - 1] ?? ""); count++) {
      const names = words.slice(0, count);
      const name = names.join(" ");
      const { code, out } = help.has(name)
        ? { code: 0, out: help.get(name) ?? "" }
        : await afterword([...names, "--help"]);
      if (code !== 0) break;
      help.set(name, out);
      text += out;
    }
    return text;
  }
});

/** The arguments of `afterword`, however it is called, up to a comment or the next command. */
function commandsOf({ language, text }: Block): readonly (readonly string[])[] {
  const all = text.replaceAll("\\\n", " ").split("\n");
  // A session shows the output as well.
  const lines = language === "sh" ? all : all.filter((line) => line.startsWith("$ "));
  return lines.flatMap((line) => {
    const [, rest] =
      /^(?:\$ |[A-Z_]+=\S* |.*\| )*(?:npm run -s afterword -- |npx afterword |node \S*afterword\.cjs |afterword )([a-z].*)$/.exec(
        line.trim(),
      ) ?? [];
    const [command = ""] = rest?.split(/ #|[|>&;]/) ?? [];
    return command === "" ? [] : [command.trim().split(/\s+/)];
  });
}

test("every script of npm that the docs name exists", () => {
  const named = blocks.flatMap((block) =>
    Array.from(
      block.text.matchAll(/\bnpm run (?:-s |--silent )?([\w:]+)(?: -- ([\w-]+))?/g),
      ([, script = "", name = ""]) => ({ block, script, name }),
    ),
  );
  expect(named.length).toBeGreaterThan(15);
  const commands = new Map(Object.entries(COMMANDS));
  for (const { block, script, name } of named) {
    expect([at(block), script in manifest.scripts, script]).toEqual([at(block), true, script]);
    const names = Object.keys(commands.get(script) ?? { [name]: "" });
    expect([at(block), script, names]).toEqual([at(block), script, expect.arrayContaining([name])]);
  }
});

test("every piece of afterword.yaml that the docs show is taken as it stands", () => {
  const keys = new Set(Object.keys(configSchema.shape));
  const pieces = blocks.filter(({ language, text }) => {
    if (language !== "yaml") return false;
    const value: unknown = parseAllDocuments(text)[0]?.toJS();
    return isObject(value) && Object.keys(value).every((key) => keys.has(key));
  });
  expect(pieces.length).toBeGreaterThan(15);
  for (const block of pieces) {
    // The value of an environment variable is not known.
    const text = block.text.replaceAll("${AFTERWORD_STATE_KEY}", "ab".repeat(32));
    const whole = { version: 1, upstream: "embedded", ...parse(text) };
    const read = configSchema.safeParse(whole);
    expect([at(block), read.error?.issues ?? []]).toEqual([at(block), []]);
  }
});

test("every YAML and JSON block of the docs can be read", () => {
  for (const block of blocks) {
    // YAML 1.2 reads JSON too.
    if (block.language !== "yaml" && block.language !== "json") continue;
    const errors = parseAllDocuments(block.text).flatMap((one) => one.errors);
    expect([at(block), errors]).toEqual([at(block), []]);
  }
});
