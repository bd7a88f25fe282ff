import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { checkConfig } from "../../../src/config/check/check.ts";
import { findPackageRoot } from "../../../src/config/load/package-root.ts";
import { afterword } from "../../cli/terminal.ts";
import { workspace } from "../../config/workspace.ts";

interface Block {
  readonly text: string;
  readonly at: string;
}

/** Fenced blocks of a language in a page, and where each begins. */
async function blocks(language: string, page = "docs/messages.md"): Promise<readonly Block[]> {
  const whole = await readFile(join(findPackageRoot(), page), "utf8");
  const found = whole.matchAll(/^```(\w+)\n(.*?)^```$/gms);
  return [...found]
    .filter(([, name]) => name === language)
    .map(({ 2: text = "", index }) => ({
      text,
      at: `${page}:${whole.slice(0, index).split("\n").length}`,
    }));
}

const texts = [
  ...(await blocks("yaml")),
  ...(await blocks("yaml", "docs/recognition.md")),
  ...(await blocks("yaml", "README.md")),
];

/** The configuration that the texts of the document assume. */
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
  const yaml = texts.map(({ text }) => text);
  expect(yaml.length).toBeGreaterThanOrEqual(10);
  for (const feature of ["channels:", "when:", "variants:", "plural:", "format:", "{{query}}"]) {
    expect(yaml.some((text) => text.includes(feature))).toBe(true);
  }
});

test.each(texts)("the example at $at passes check", async ({ text }) => {
  const [, name] = /^# (?:config\/)?(afterword\.yaml|messages\/[\w-]+\.yaml)\n/.exec(text) ?? [];
  expect(name).toBeDefined();
  const { diagnostics } = await checkConfig(await bot(name ?? "", text), { env: {} });
  expect(diagnostics.map(({ line, message }) => `${line}: ${message}`)).toEqual([]);
});

test.each(await blocks("csv"))("the rows at $at can be imported", async ({ text }) => {
  const file = await bot("messages/en.yaml", 'no-results: "Nothing for {{query}}"\n');
  const result = await afterword(["messages", "import", "-", "--config", file], { input: text });
  expect(result).toMatchObject({ code: 0, error: "" });
  expect(result.out).toMatch(/^fr: 0 new, 2 changed/);
});
