// Suite: slow
import { once } from "node:events";
import { spawn } from "node:child_process";
import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import { MIGRATIONS } from "../../../src/backend/storage/migrations/list.ts";
import { afterword } from "../terminal.ts";
import { inDatabase } from "./place.ts";
import { createFolder } from "../../fixtures/folder.ts";

interface Place {
  readonly path: string;
  readonly database: string;
  readonly backup: string;
}

async function place(): Promise<Place> {
  const path = createFolder();
  return { path, database: join(path, "backend.db"), backup: join(path, "copy.db") };
}

async function withKey(name: string): Promise<Place> {
  const made = await place();
  await afterword(["backend", "key", "add", name, "--database", made.database]);
  return made;
}

async function keys(database: string): Promise<readonly string[]> {
  const { out } = await afterword([
    ...["backend", "key", "list", "--format", "json", "--database", database],
  ]);
  return JSON.parse(out).map(({ name }: { name: string }) => name);
}

/** A process that writes queues one after the other, one row per transaction, as fast as it can. */
async function writer(
  database: string,
): Promise<{ written: () => number; stop: () => Promise<void> }> {
  const script = `
    import { DatabaseSync } from "node:sqlite";
    const database = new DatabaseSync(${JSON.stringify(database)}, { timeout: 0 });
    const insert = database.prepare("INSERT INTO queues (project, id, name) VALUES ('p', ?, 'x')");
    for (let id = 1; ; id++) {
      insert.run(id);
      if (id % 50 === 0) await new Promise((done) => process.stdout.write(id + "\\n", done));
    }`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", script]);
  onTestFinished(() => void child.kill("SIGKILL"));
  let last = 0;
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    last = Number(text.trim().split("\n").at(-1));
  });
  let failed = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (failed += text));
  await once(child.stdout, "data");
  return {
    written: () => last,
    async stop() {
      expect(failed).toBe("");
      child.kill("SIGKILL");
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    },
  };
}

test("a backup does not make another process wait that writes to the database", async () => {
  const { path, database, backup } = await withKey("web");
  const writing = await writer(database);
  const before = writing.written();
  const result = await afterword(["backend", "backup", backup, "--database", database]);
  expect(result).toMatchObject({
    code: 0,
    error: "",
    out: expect.stringMatching(/^wrote .*copy\.db \(\d+ KiB\)\n$/),
  });
  // With `timeout: 0` the writer would have failed at the first lock that it had to wait for.
  await writing.stop();
  const copy = new DatabaseSync(backup, { readOnly: true });
  const row = copy.prepare("SELECT count(*) AS rows, max(id) AS last FROM queues").get();
  copy.close();
  // A snapshot: everything that was written until then, without a gap.
  expect(Number(row?.["rows"])).toBeGreaterThanOrEqual(before);
  expect(row?.["rows"]).toBe(row?.["last"]);
  expect((await stat(backup)).mode & 0o777).toBe(0o600);
  expect((await readdir(path)).filter((name) => name.startsWith("."))).toEqual([]);
  expect(await keys(backup)).toEqual(["web"]);
});

test("a backup does not overwrite a file", async () => {
  const { path, database, backup } = await withKey("web");
  await writeFile(backup, "something else");
  const result = await afterword(["backend", "backup", backup, "--database", database]);
  expect(result).toMatchObject({
    code: 1,
    out: "",
    error: expect.stringMatching(/is there already[^\n]*\n$/),
  });
  expect(await readFile(backup, "utf8")).toBe("something else");
  expect((await readdir(path)).toSorted()).toEqual(["backend.db", "copy.db"]);
});

test("a restored backup replaces the database, which is kept beside it", async () => {
  const { path, database, backup } = await withKey("old");
  await afterword(["backend", "backup", backup, "--database", database]);
  await afterword(["backend", "key", "add", "new", "--database", database]);
  const result = await afterword(["backend", "restore", backup, "--database", database]);
  expect(result).toMatchObject({
    code: 0,
    error: "",
    out: expect.stringMatching(/^kept .*\nrestored .*\n$/),
  });
  expect(await keys(database)).toEqual(["old"]);
  expect((await stat(database)).mode & 0o777).toBe(0o600);
  const aside = (await readdir(path)).find((name) => name.includes(".before-"));
  expect(await keys(join(path, aside ?? ""))).toEqual(["old", "new"]);
  expect(await keys(backup)).toEqual(["old"]);
});

test("a backup is restored where there is no database", async () => {
  const { path, database, backup } = await withKey("web");
  await afterword(["backend", "backup", backup, "--database", database]);
  const elsewhere = join(path, "new", "place", "backend.db");
  const result = await afterword(["backend", "restore", backup, "--database", elsewhere]);
  expect(result).toMatchObject({ code: 0, out: expect.stringMatching(/^restored [^\n]*\n$/) });
  expect(await keys(elsewhere)).toEqual(["web"]);
});

test("a restore replaces a damaged database, and keeps its file", async () => {
  const { path, database, backup } = await withKey("web");
  await afterword(["backend", "backup", backup, "--database", database]);
  await writeFile(database, "no database".repeat(1000));
  const result = await afterword(["backend", "restore", backup, "--database", database]);
  expect(result).toMatchObject({ code: 0, error: "" });
  expect(await keys(database)).toEqual(["web"]);
  const aside = (await readdir(path)).find((name) => name.includes(".before-")) ?? "";
  expect(await readFile(join(path, aside), "utf8")).toMatch(/^no database/);
});

test("the log of a database that was moved away is not applied to the restored one", async () => {
  const { path, database, backup } = await withKey("web");
  await afterword(["backend", "backup", backup, "--database", database]);
  const log = await inDatabase(database, async (handle) => {
    await handle.kysely.updateTable("api_keys").set({ name: "from the log" }).execute();
    return readFile(`${database}-wal`);
  });
  await rm(database);
  await writeFile(`${database}-wal`, log);
  await afterword(["backend", "restore", backup, "--database", database]);
  expect(await keys(database)).toEqual(["web"]);
  expect((await readdir(path)).filter((name) => name.endsWith("-wal"))).toEqual([
    expect.stringContaining(".before-"),
  ]);
});

test("a restore refuses a database that is open elsewhere, even if that connection is idle", async () => {
  const { path, database, backup } = await withKey("web");
  await afterword(["backend", "backup", backup, "--database", database]);
  await inDatabase(database, async () => {
    const result = await afterword(["backend", "restore", backup, "--database", database]);
    expect(result).toMatchObject({ code: 1, out: "" });
    expect(result.error).toMatch(/^\S+backend\.db is in use: stop the backend, then restore\n$/);
  });
  expect((await readdir(path)).toSorted()).toEqual(["backend.db", "copy.db"]);
});

test("a database of a newer release is neither restored nor migrated, and stays unchanged", async () => {
  const { path, database, backup } = await withKey("web");
  await afterword(["backend", "backup", backup, "--database", database]);
  const newer = new DatabaseSync(backup);
  newer.exec("INSERT INTO afterword_schema VALUES ('9999-later', '2030-01-01T00:00:00.000Z')");
  newer.close();
  const bytes = await readFile(backup);
  const restored = await afterword(["backend", "restore", backup, "--database", database]);
  expect(await readFile(backup)).toEqual(bytes);
  const migrated = await afterword(["backend", "migrate", "--database", backup]);
  for (const result of [restored, migrated]) {
    expect(result).toMatchObject({ code: 1, out: "" });
    expect(result.error).toMatch(
      /^[^\n]*newer or an unreleased version of Afterword \(9999-later is unknown here\)[^\n]*\n$/,
    );
  }
  const after = new DatabaseSync(backup);
  expect(after.prepare("SELECT count(*) AS steps FROM afterword_schema").get()).toMatchObject({
    steps: MIGRATIONS.length + 1,
  });
  after.close();
  expect((await readdir(path)).toSorted()).toEqual(["backend.db", "copy.db"]);
});

test.each([
  ["a file that is not a database", "hello", /is damaged or no database at all/],
  ["an empty file", "", /is no database of Afterword's backend/],
])("%s is not restored", async (_, text, expected) => {
  const { database, backup } = await withKey("web");
  await writeFile(backup, text);
  const result = await afterword(["backend", "restore", backup, "--database", database]);
  expect(result).toMatchObject({ code: 1, out: "", error: expect.stringMatching(expected) });
  expect(await keys(database)).toEqual(["web"]);
});

test("another program's database is neither restored nor backed up", async () => {
  const { path, database, backup } = await withKey("web");
  const other = new DatabaseSync(backup);
  other.exec("CREATE TABLE recipes (name text)");
  other.close();
  const result = await afterword(["backend", "restore", backup, "--database", database]);
  const copy = join(path, "other.db");
  const copied = await afterword(["backend", "backup", copy, "--database", backup]);
  for (const one of [result, copied]) {
    expect(one).toMatchObject({
      code: 1,
      error: expect.stringMatching(/no database of Afterword's/),
    });
  }
  expect((await readdir(path)).toSorted()).toEqual(["backend.db", "copy.db"]);
});

test("migrate reports every step, and then that nothing is left to do", async () => {
  const { database } = await place();
  await writeFile(database, "");
  const first = await afterword(["backend", "migrate", "--database", database]);
  expect(first).toMatchObject({
    code: 0,
    error: expect.stringMatching(/^step 1 of 1: 0001-first-release-\d+\n$/) as unknown,
    out: expect.stringContaining("1 step done"),
  });
  const second = await afterword(["backend", "migrate", "--database", database]);
  expect(second).toMatchObject({
    code: 0,
    error: "",
    out: expect.stringContaining("nothing to do"),
  });
});

test.each([
  [
    "backup",
    "copy of x.db",
    "pg_dump --format=custom --file='copy of x.db' 'postgres://me@db.example:5433/shop?sslmode=verify-full'",
  ],
  [
    "restore",
    "it's",
    `pg_restore --clean --if-exists --no-owner --single-transaction --dbname='postgres://me@db.example:5433/shop?sslmode=verify-full' 'it'\\''s'`,
  ],
])(
  "%s of PostgreSQL names the command to use, encrypted as the address says, without the password",
  async (part, file, command) => {
    const address =
      "postgres://me:hunter2@db.example:5433/shop?sslmode=verify-full&password=hunter2&x=hunter2";
    const result = await afterword(["backend", part, file, "--database", address]);
    expect(result).toMatchObject({ code: 2, out: "" });
    expect(result.error).toContain(command);
    expect(result.error).not.toContain("hunter2");
  },
);

test.each([
  [["backup"], /name the file/],
  [["backup", "a", "b"], /unexpected argument "b"/],
  [["restore"], /name the backup/],
  [["migrate", "now"], /unexpected argument/],
])("%j is refused in one line, with exit code 2", async (args, expected) => {
  const result = await afterword(["backend", ...args]);
  expect(result).toMatchObject({ code: 2, out: "", error: expect.stringMatching(expected) });
  expect(result.error).toMatch(/^afterword backend \w+: [^\n]*\n$/);
});
