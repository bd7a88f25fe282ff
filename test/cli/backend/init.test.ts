// Suite: slow
import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { loadContent } from "../../../src/backend/content/load.ts";
import { findPackageRoot } from "../../../src/config/load/package-root.ts";
import { LOCALES } from "../../../src/locales/shipped.ts";
import { toSpokenLanguage } from "../../../src/locales/tag.ts";
import { afterword } from "../terminal.ts";
import { shown } from "./place.ts";
import { createFolder } from "../../fixtures/folder.ts";

const run = promisify(execFile);

interface Made {
  readonly path: string;
  readonly content: string;
  readonly database: string;
  readonly argv: readonly string[];
}

async function place(): Promise<Made> {
  const path = createFolder();
  const content = join(path, "bot");
  const database = join(path, "data", "backend.db");
  return {
    path,
    content,
    database,
    argv: ["backend", "init", "--content", content, "--database", database],
  };
}

test("init writes contents that load, all of the engine's texts, and a database that nobody else reads", async () => {
  const { content, database, argv } = await place();
  const result = await afterword(argv);
  expect(result.code).toBe(0);
  const loaded = await loadContent(content);
  expect(loaded.languages.get("en")?.items.length).toBe(3);
  const texts = await readdir(join(findPackageRoot(), "config", "backend", "texts"));
  expect((await readdir(join(content, "texts"))).toSorted()).toEqual(texts.toSorted());
  expect((await stat(database)).mode & 0o777).toBe(0o600);
  expect(result.out).toContain(
    `afterword backend --no-demo --content ${content} --database ${database}`,
  );
  expect(result.error).toMatch(/shown only once/);

  // The schema that the file names is there, for the editor.
  const written = await readFile(join(content, "contents.en.yaml"), "utf8");
  const schema = /\$schema=(\S+)/.exec(written)?.[1] ?? "";
  expect(JSON.parse(await readFile(join(content, schema), "utf8"))).toHaveProperty("$schema");
});

test("init prints commands that a shell reads as they are meant, whatever the paths contain", async () => {
  const path = join(createFolder(), "Ana's bot $HOME");
  const [content, database] = [join(path, "contents"), join(path, "data", "backend.db")];
  const options = ["--content", content, "--database", database];
  const { out } = await afterword(["backend", "init", ...options]);
  const [command = ""] = /(?<=^ {2}afterword ).*/m.exec(out) ?? [];
  const { stdout } = await run("sh", ["-c", `printf '%s\\n' ${command}`]);
  expect(stdout.trimEnd().split("\n")).toEqual(["backend", "--no-demo", ...options]);
});

test("init for another language writes contents of that language", async () => {
  const { content, argv } = await place();
  await afterword([...argv, "--language", "pt-br"]);
  expect([...(await loadContent(content)).languages.keys()]).toEqual(["pt-br"]);
});

test("init overwrites nothing: it names the files that it kept, and shows no second key", async () => {
  const { path, content, argv } = await place();
  const first = await afterword(argv);
  const own = join(content, "contents.en.yaml");
  const engine = join(content, "texts", "en.yaml");
  for (const file of [own, engine]) await writeFile(file, "# mine\n");
  const second = await afterword(argv);
  expect(second).toMatchObject({ code: 0, error: "" });
  for (const file of [own, engine]) {
    expect(await readFile(file, "utf8")).toBe("# mine\n");
  }
  expect(second.out).toContain(`left ${own} as it was\n`);
  const languages = new Set(LOCALES.map(toSpokenLanguage));
  expect(second.out).toContain(
    `left ${join(content, "texts")} as it was (the engine's texts, in ${languages.size} languages)\n`,
  );
  expect(second.out).not.toContain("wrote");
  expect(second.out).toContain("left its keys as they were: first\n");
  expect(second.out).not.toContain(shown("API key", first.out));
  const keys = await afterword([
    "backend",
    "key",
    "list",
    "--database",
    join(path, "data", "backend.db"),
  ]);
  expect(keys.out.trimEnd().split("\n")).toHaveLength(2);
});

test("init puts no example beside contents that are there already", async () => {
  const { content, argv } = await place();
  await mkdir(content);
  await writeFile(join(content, "shop.yaml"), "language: en\ncontents: []\n");
  const result = await afterword(argv);
  expect(result.out).toContain(`left ${join(content, "shop.yaml")} as it was\n`);
  expect((await readdir(content)).toSorted()).toEqual(["shop.yaml", "texts"]);
});

test("init says that a directory can't be written, and makes no key then", async () => {
  const { path, content, database, argv } = await place();
  await writeFile(content, "a file");
  const result = await afterword(argv);
  expect(result).toMatchObject({
    code: 1,
    out: "",
    error: expect.stringMatching(/^afterword backend init: [^\n]*\n$/),
  });
  expect(await readdir(path)).toEqual(["bot"]);
  expect(database).toContain(path);
});

test.each([
  [["--language", "not a language"], /--language is a language tag/],
  [["here"], /unexpected argument "here"/],
])("init %j ends in one line and exit code 2", async (args, expected) => {
  const { path, argv } = await place();
  const result = await afterword([...argv, ...args]);
  expect(result).toMatchObject({ code: 2, out: "", error: expect.stringMatching(expected) });
  expect(await readdir(path)).toEqual([]);
});
