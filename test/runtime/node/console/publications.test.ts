import { applyPatch } from "diff";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import {
  finishPublications,
  publishFiles,
  writePublication,
} from "../../../../src/runtime/node/console/publications.ts";
import {
  type ConsoleDatabase,
  openConsoleDatabase,
} from "../../../../src/runtime/node/console/store.ts";
import { loadConfig, serve } from "../../../../src/runtime/node/index.ts";
import { formatUnifiedDiff } from "../../../../src/gateway/console/unified-diff.ts";
import { workspace } from "../../../config/workspace.ts";

const AIM = { expected: null, drafted: 1 };
const ENTRY = { label: "eva", note: "", restores: null, imported: null, at: 1 };

/** A folder with `a` and `b`, and a publication of new texts for `a`, `b` and `c`. */
async function publishing() {
  const folder = await workspace({ "a.yaml": "old a", "b.yaml": "old b" });
  const file = join(folder, "console.db");
  const database = await openConsoleDatabase(file);
  onTestFinished(() => database.close());
  const files = ["a", "b", "c"].map((name) => ({
    file: `${name}.yaml`,
    before: name === "c" ? null : `old ${name}`,
    after: `new ${name}`,
    instances: ["shop"],
  }));
  const texts = async (): Promise<readonly (string | null)[]> =>
    Promise.all(files.map((one) => readFile(join(folder, one.file), "utf8").catch(() => null)));
  return { folder, file, database, files, texts };
}

async function states({ kysely }: ConsoleDatabase): Promise<readonly string[]> {
  const rows = await kysely.selectFrom("publications").select("state").execute();
  return rows.map(({ state }) => state);
}

test("what cannot be put in force is taken back, and says why", async () => {
  const { folder, database, files, texts } = await publishing();
  const seen: (readonly (string | null)[])[] = [];
  const written = await writePublication(
    database,
    folder,
    files,
    ENTRY,
    async () => {
      seen.push(await texts());
      return { snapshot: null, why: "afterword.yaml:3" };
    },
    AIM,
  );
  expect(written).toEqual({ kind: "refused", why: "afterword.yaml:3" });
  // Loaded once with the new texts, and once more with the old ones.
  expect(seen).toEqual([
    ["new a", "new b", "new c"],
    ["old a", "old b", null],
  ]);
  expect(await states(database)).toEqual(["undone"]);
});

test("a file that somebody changes at the last moment is not overwritten", async () => {
  const { folder, database, files, texts } = await publishing();
  await writeFile(join(folder, "b.yaml"), "by hand");
  const reloadFiles = () => Promise.resolve({ snapshot: "hash" });
  const written = await writePublication(database, folder, files, ENTRY, reloadFiles, AIM);
  expect(written).toEqual({ kind: "changed", file: "b.yaml" });
  expect(await texts()).toEqual(["old a", "by hand", null]);
  expect(await states(database)).toEqual(["undone"]);
});

test("a publication that a process left behind is finished, and its owner's draft is empty", async () => {
  const { folder, file, database, files, texts } = await publishing();
  await database.kysely
    .insertInto("draft_texts")
    .values({
      ...{ label: "eva", file: "a.yaml", id: "welcome", instance: "shop", locale: "fr" },
      ...{ key: "welcome", channel: "", text: "new a", at: 1 },
    })
    .execute();
  // As if the process had ended after the first file.
  const ended = writePublication(database, folder, files, ENTRY, () => new Promise(() => {}), AIM);
  await expect.poll(texts).toEqual(["new a", "new b", "new c"]);
  await writeFile(join(folder, "b.yaml"), "old b");
  expect(await finishPublications(file, folder)).toBe(1);
  expect(await texts()).toEqual(["new a", "new b", "new c"]);
  expect(await states(database)).toEqual(["done"]);
  expect(await database.kysely.selectFrom("draft_texts").selectAll().execute()).toEqual([]);
  expect(await finishPublications(file, folder)).toBe(0);
  void ended;
});

test("an unfinished publication is finished by the next start before any request is answered", async () => {
  const config = 'version: 1\nupstream: { auth: "http://127.0.0.1:9" }\n';
  const folder = await workspace({ "afterword.yaml": config, "messages/fr.yaml": "" });
  const database = await openConsoleDatabase(join(folder, "console.db"));
  const published = { before: "", after: 'welcome: "Salut"\n', instances: [] };
  const files = [{ file: "messages/fr.yaml", ...published }];
  const ended = writePublication(database, folder, files, ENTRY, () => new Promise(() => {}), AIM);
  const file = join(folder, "messages/fr.yaml");
  await expect.poll(() => readFile(file, "utf8")).toBe(published.after);
  await writeFile(file, "");
  await database.close();
  const path = join(folder, "afterword.yaml");
  const env = { AFTERWORD_ADMIN_TOKEN: "token-of-the-test", AFTERWORD_LOG: "silent" };
  const running = await serve({
    config: { ...(await loadConfig(path)), data: folder },
    port: 0,
    env,
    reload: { file: path },
  });
  onTestFinished(() => running.close());
  const { tableSets } = running.gateway.core.snapshot().config;
  expect(JSON.stringify(tableSets[0]?.channels[""]?.["fr"]?.lines["welcome"])).toContain("Salut");
  expect(await readFile(file, "utf8")).toBe(published.after);
  void ended;
});

test("where somebody has changed a file since, it is taken back, and theirs stays", async () => {
  const { folder, file, database, files, texts } = await publishing();
  const ended = writePublication(database, folder, files, ENTRY, () => new Promise(() => {}), AIM);
  await expect.poll(texts).toEqual(["new a", "new b", "new c"]);
  await writeFile(join(folder, "b.yaml"), "by hand");
  await finishPublications(file, folder);
  expect(await texts()).toEqual(["old a", "by hand", null]);
  expect(await states(database)).toEqual(["undone"]);
  void ended;
});

test("a diff has a hunk for every place, and says where a last line has no end", () => {
  const lines = Array.from({ length: 20 }, (_, index) => `line ${index + 1}\n`);
  const changed = lines.with(1, "second\n").with(18, "last but one\n").concat("end");
  expect(formatUnifiedDiff("a.yaml", lines.join(""), changed.join(""))).toBe(
    [
      "--- a/a.yaml",
      "+++ b/a.yaml",
      "@@ -1,5 +1,5 @@",
      " line 1",
      "-line 2",
      "+second",
      " line 3",
      " line 4",
      " line 5",
      "@@ -16,5 +16,6 @@",
      " line 16",
      " line 17",
      " line 18",
      "-line 19",
      "+last but one",
      " line 20",
      "+end",
      "\\ No newline at end of file",
      "",
    ].join("\n"),
  );
  expect(formatUnifiedDiff("a.yaml", null, "x\n")).toBe(
    "--- /dev/null\n+++ b/a.yaml\n@@ -0,0 +1,1 @@\n+x\n",
  );
  expect(formatUnifiedDiff("a.yaml", "x", "x")).toBe("");
});

test("a diff of a file that is another one from top to bottom replaces it as a whole", () => {
  const before = Array.from({ length: 1500 }, (_, index) => `old ${index}`).join("\n");
  const after = Array.from({ length: 1500 }, (_, index) => `new ${index}\n`).join("");
  for (const [from, to] of [
    [before, after],
    [after, before],
  ] as const) {
    const diff = formatUnifiedDiff("a.yaml", from, to);
    expect(diff).toMatch(/^--- a\/a\.yaml\n\+\+\+ b\/a\.yaml\n@@ -1,1500 \+1,1500 @@\n/);
    expect(applyPatch(from, diff)).toBe(to);
  }
});

test("a second publication of a file is not begun while one is being written", async () => {
  const { folder, database, files, texts } = await publishing();
  const first = writePublication(database, folder, files, ENTRY, () => new Promise(() => {}), AIM);
  await expect.poll(texts).toEqual(["new a", "new b", "new c"]);
  const [file] = files;
  const again = [{ ...file, before: "new a", after: "newer a" }] as typeof files;
  const reloadFiles = () => Promise.resolve({ snapshot: "hash" });
  expect(await writePublication(database, folder, again, ENTRY, reloadFiles, AIM)).toEqual({
    kind: "busy",
  });
  expect(await texts()).toEqual(["new a", "new b", "new c"]);
  void first;
});

test("what a process left behind is finished before the next one publishes", async () => {
  const { folder, database, files, texts } = await publishing();
  const ended = writePublication(database, folder, files, ENTRY, () => new Promise(() => {}), AIM);
  await expect.poll(texts).toEqual(["new a", "new b", "new c"]);
  await writeFile(join(folder, "b.yaml"), "old b");
  const [file] = files;
  const next = [{ ...file, before: "new a", after: "newer a" }] as typeof files;
  const reloadFiles = () => Promise.resolve({ snapshot: "hash" });
  const published = await publishFiles(database, folder, next, ENTRY, reloadFiles, AIM);
  expect(published.kind).toBe("published");
  expect(await texts()).toEqual(["newer a", "new b", "new c"]);
  expect(await states(database)).toEqual(["done", "done"]);
  void ended;
});
