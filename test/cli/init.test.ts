// Suite: slow
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { checkConfig } from "../../src/config/check/check.ts";
import { findPackageRoot } from "../../src/config/load/package-root.ts";
import { FLAG_FACTS } from "../../src/direct-answers/flags.ts";
import { workspace } from "../config/workspace.ts";
import { afterword } from "./terminal.ts";

async function init(
  locale: string,
  ...more: string[]
): Promise<{ directory: string; code: number; out: string; error: string }> {
  const directory = join(await workspace({}), "bot");
  const result = await afterword(["init", "--locale", locale, "--dir", directory, ...more]);
  return { directory, ...result };
}

async function findings(directory: string): Promise<readonly string[]> {
  const { diagnostics } = await checkConfig(join(directory, "afterword.yaml"), { env: {} });
  return diagnostics.map(({ file, line, code, message }) => `${file}:${line} ${code} ${message}`);
}

const SHIPPED = (await readdir(join(findPackageRoot(), "locales")))
  .filter((name) => name.endsWith(".yaml"))
  .map((name) => name.replace(".yaml", ""));

/**
 * Languages that are checked in detail. With every line commented out, the files of all languages
 * are equally empty.
 */
const CLOSELY = ["en", "fr", "ar", "ja", "zh-Hant"];

test.each(SHIPPED)(
  "the files of init for %s pass check, also with their lines uncommented",
  async (locale) => {
    const { directory, code, error } = await init(locale);
    expect([code, error]).toEqual([0, ""]);
    if (CLOSELY.includes(locale)) expect(await findings(directory)).toEqual([]);

    const file = join(directory, "messages", `${locale}.yaml`);
    const written = await readFile(file, "utf8");
    expect(parse(written)).toBeNull();
    const lines = written.replace(/^#(?=\S)/gm, "");
    const shipped: unknown = parse(
      await readFile(join(findPackageRoot(), "locales", `${locale}.yaml`), "utf8"),
    );
    expect(parse(lines)).toEqual(shipped);
    await writeFile(file, lines);
    expect(await findings(directory)).toEqual([]);
  },
);

test("every key is explained by the moment it appears and the engine's own words", async () => {
  const { directory } = await init("fr");
  const written = await readFile(join(directory, "messages", "fr.yaml"), "utf8");
  const prose = written.replaceAll(/\n# /g, " ");
  for (const { name, returnedWhen, text } of FLAG_FACTS) {
    expect(prose).toContain(`When: ${returnedWhen} The engine says: "${text}"`);
    expect(written).toMatch(new RegExp(`^#${name}: "`, "m"));
  }
  expect(
    Math.max(...written.split("\n").map((line) => (line.startsWith("# ") ? line.length : 0))),
  ).toBeLessThanOrEqual(120);
});

test("the bot speaks the language it was made for, also to readers of unknown languages", async () => {
  const { directory } = await init("no");
  const { config } = await checkConfig(join(directory, "afterword.yaml"), { env: {} });
  expect(config?.instances[0]?.language).toBe("no");
  expect(config?.tableSets[0]?.fallback).toBe("no");
});

test("every line of the configuration works without its #", async () => {
  const { directory } = await init("en");
  const file = join(directory, "afterword.yaml");
  const written = await readFile(file, "utf8");
  const vendor = /^upstream: embedded\n(?=#upstream:)/m;
  expect(written).toMatch(vendor);
  await writeFile(
    file,
    written
      .replace(vendor, "")
      .replace(/^( *)#(?! |$)/gm, "$1")
      .replace(/^#(?= {2}\S)/gm, ""),
  );
  expect(await findings(directory)).toEqual([]);
  const { config } = await checkConfig(file, { env: {} });
  expect(config?.upstream.auth).toBe("https://api.example.com");
  expect(config?.instances[0]?.rules.restoreFlags).toBe(true);
  expect(config?.listen.publicUrl).toBe("https://bot.example.com/afterword");
});

test("editors find both schemas, and the demo bot finds its content", async () => {
  const { directory } = await init("ja");
  const schemaOf = async (...name: string[]): Promise<string> => {
    const [first = ""] = (await readFile(join(directory, ...name), "utf8")).split("\n");
    expect(first).toMatch(/^# yaml-language-server: \$schema=/);
    const place = resolve(directory, ...name, "..", first.replace(/.*=/, ""));
    return readFile(place, "utf8");
  };
  const published = (name: string): Promise<string> =>
    readFile(join(findPackageRoot(), "schema", name), "utf8");
  expect(await schemaOf("afterword.yaml")).toBe(await published("afterword.schema.json"));
  expect(await schemaOf("messages", "ja.yaml")).toBe(await published("messages.schema.json"));
  const { config } = await checkConfig(join(directory, "afterword.yaml"), { env: {} });
  expect(await readdir(config?.backend.content ?? "")).toContain("texts");
});

test.each([
  ["pt_br", "pt-BR"],
  ["zh-TW", "zh-Hant"],
  ["pt-AO", "pt"],
  ["nb", "no"],
  ["iw", "he"],
])("the tag %s gets the table %s", async (asked, locale) => {
  const { directory, code, out } = await init(asked);
  expect(code).toBe(0);
  expect(await readdir(join(directory, "messages"))).toEqual([`${locale}.yaml`]);
  expect(out).toContain(`${locale}.yaml`);
});

test.each([
  ["frn", 'Did you mean "fr"?'],
  ["french", 'Did you mean "fr"?'],
  ["xx", "There are: ar, ca, "],
  ["__proto__", "There are: ar, ca, "],
  ["", "There are: ar, ca, "],
])("the unknown language %j is refused with a list of the known ones", async (asked, hint) => {
  const { code, out, error } = await init(asked);
  expect([code, out]).toEqual([2, ""]);
  expect(error).toContain(`afterword init: no texts come with Afterword for "${asked}".`);
  expect(error).toContain(hint);
});

test("an existing file is named and not changed, and nothing else is written", async () => {
  const directory = await workspace({ "messages/fr.yaml": "welcome: mine\n" });
  const refused = await afterword(["init", "--locale", "fr", "--dir", directory]);
  expect(refused).toMatchObject({ code: 1, out: "" });
  expect(refused.error).toContain(join(directory, "messages", "fr.yaml"));
  expect(refused.error).not.toContain("afterword.yaml");
  expect(await readdir(directory)).toEqual(["messages"]);
  expect(await readFile(join(directory, "messages", "fr.yaml"), "utf8")).toBe("welcome: mine\n");

  const forced = await afterword(["init", "--locale", "fr", "--dir", directory, "--force"]);
  expect(forced.code).toBe(0);
  expect(await readFile(join(directory, "messages", "fr.yaml"), "utf8")).toContain("#welcome:");
});

test("a directory that can't be created is reported in one line, without a stack trace", async () => {
  const directory = await workspace({ file: "" });
  const { code, error } = await afterword(["init", "--dir", join(directory, "file", "bot")]);
  expect(code).toBe(1);
  expect(error).toMatch(/^afterword init: \S+ can't be written \(E\w+\): .*name another folder\n$/);
});
