import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { checkConfig } from "../../src/config/check/check.ts";
import { packageRoot } from "../../src/config/load/package-root.ts";
import { afterword } from "../cli/terminal.ts";
import { workspace } from "../config/workspace.ts";

const DOCUMENT = await readFile(join(packageRoot(), "docs", "messages.md"), "utf8");

/** Fenced blocks of a language, with the line each begins at. */
function blocks(language: string): readonly { readonly text: string; readonly line: number }[] {
  const found = DOCUMENT.matchAll(/^```(\w+)\n(.*?)^```$/gms);
  return [...found]
    .filter(([, name]) => name === language)
    .map(({ 2: text = "", index }) => ({
      text,
      line: DOCUMENT.slice(0, index).split("\n").length,
    }));
}

/** What the texts of the document take for granted. */
const CONFIG = `version: 1
upstream: embedded
instances:
  - name: shop
    created: 2018-06-01
    channel: web
    channels: { whatsapp-bot: whatsapp, phone: voice }
    variables: [name, plan]
`;
const HEAD = "version: 1\nupstream: embedded\n";
const SHOP = "instances: [{ name: shop, created: 2018-06-01 }]\n";

async function bot(name: string, text: string): Promise<string> {
  const whole = HEAD + (text.includes("instances:") ? "" : SHOP) + text;
  const config = name === "afterword.yaml" ? whole : CONFIG;
  const directory = await workspace({ "afterword.yaml": config });
  await mkdir(join(directory, "messages"));
  if (name !== "afterword.yaml") {
    await mkdir(dirname(join(directory, name)), { recursive: true });
    await writeFile(join(directory, name), text);
  }
  return join(directory, "afterword.yaml");
}

test("the document has examples of every feature", () => {
  const yaml = blocks("yaml").map(({ text }) => text);
  expect(yaml.length).toBeGreaterThanOrEqual(10);
  for (const feature of ["channels:", "when:", "variants:", "plural:", "format:", "{{query}}"]) {
    expect(yaml.some((text) => text.includes(feature))).toBe(true);
  }
});

test.each(blocks("yaml"))(
  "the example at docs/messages.md:$line passes check",
  async ({ text }) => {
    const [, name] = /^# (afterword\.yaml|messages\/[\w-]+\.yaml)\n/.exec(text) ?? [];
    expect(name).toBeDefined();
    const { diagnostics } = await checkConfig(await bot(name ?? "", text), { env: {} });
    expect(diagnostics.map(({ line, message }) => `${line}: ${message}`)).toEqual([]);
  },
);

test.each(blocks("csv"))("the rows at docs/messages.md:$line can be imported", async ({ text }) => {
  const file = await bot("messages/en.yaml", 'no-results: "Nothing for {{query}}"\n');
  const said = await afterword(["messages", "import", "-", "--config", file], { input: text });
  expect(said).toMatchObject({ code: 0, error: "" });
  expect(said.out).toMatch(/^fr: 0 new, 2 changed/);
});

test.each(blocks("sh"))("the options at docs/messages.md:$line exist", async ({ text }) => {
  for (const line of text.trim().split("\n")) {
    const [program, command = "", ...rest] = line.split(" ");
    expect(program).toBe("afterword");
    const { out } = await afterword([command, "--help"]);
    for (const option of rest.filter((word) => word.startsWith("--"))) {
      expect(out).toMatch(new RegExp(`^  ${option} `, "m"));
    }
  }
});
