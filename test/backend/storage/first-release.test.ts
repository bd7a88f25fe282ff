import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, expect, test } from "vitest";
import { openStorage } from "../../../src/backend/storage/open-storage.ts";
import { event, said } from "./suites/samples.ts";

const directory = mkdtempSync(join(tmpdir(), "afterword-storage-"));
afterAll(() => rmSync(directory, { recursive: true }));

/** What the first release (0.1.0) made and wrote. */
const tables = `
  CREATE TABLE sessions (
    key TEXT PRIMARY KEY, expires INTEGER NOT NULL, state TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX sessions_expires ON sessions (expires);
  CREATE TABLE history (
    id INTEGER PRIMARY KEY,
    session TEXT NOT NULL REFERENCES sessions (key) ON DELETE CASCADE,
    item TEXT NOT NULL
  );
  CREATE INDEX history_session ON history (session, id);
  CREATE TABLE events (
    id INTEGER PRIMARY KEY, at INTEGER NOT NULL, project TEXT NOT NULL,
    session TEXT NOT NULL, type TEXT NOT NULL, data TEXT NOT NULL
  );
  PRAGMA user_version = 1;
`;

const oldSession = {
  key: "a",
  id: "id of a",
  project: "shop",
  language: "fr",
  settings: {
    environment: "production",
    userType: 0,
    source: "",
    answerAttributes: ["ANSWER_TEXT"],
    maxRelatedContents: 3,
  },
  turns: 2,
  welcomed: true,
  offered: [3],
  unanswered: 1,
  variables: [["name", "Zoé"]],
  expires: 5000,
};

function firstRelease(name: string): string {
  const file = join(directory, name);
  const old = new DatabaseSync(file);
  old.exec(`PRAGMA journal_mode = WAL; ${tables}`);
  const add = (sql: string, ...values: (string | number)[]) => old.prepare(sql).run(...values);
  const session = "INSERT INTO sessions VALUES (?, ?, ?)";
  add(session, "a", 5000, JSON.stringify(oldSession));
  add(session, "damaged", 5000, '{"key":');
  add(session, "strange", 5000, "[]");
  const history = "INSERT INTO history (session, item) VALUES (?, ?)";
  for (const text of ["one", "two", "three"]) add(history, "a", JSON.stringify(said(text)));
  add(history, "damaged", "{}");
  const { at, project, session: of, type, data } = event(7);
  const events = "INSERT INTO events (at, project, session, type, data) VALUES (?, ?, ?, ?, ?)";
  add(events, at, project, of, type, data);
  old.close();
  return file;
}

test("a file of the first release is taken over: conversations go on, with all that was said", async () => {
  const file = firstRelease("taken-over.db");
  const steps: string[] = [];
  const now = () => 0;
  const before = await openStorage(file, { now, migrating: ({ name }) => steps.push(name) });
  expect(steps[0]).toBe("0001-chatbot");
  const { settings, ...rest } = oldSession;
  expect(await before.sessions.read("a", 0)).toMatchObject(rest);
  expect((await before.sessions.read("a", 0))?.settings).toMatchObject(settings);
  expect(await before.sessions.history("a")).toStrictEqual(["one", "two", "three"].map(said));
  expect(await before.events.latest(10)).toStrictEqual([event(7)]);
  expect(await before.sessions.read("damaged", 0)).toBeNull();
  const session = await before.sessions.read("a", 0);
  if (session !== null) await before.sessions.write({ ...session, turns: 3 }, [said("four")]);
  await before.close();

  const after = await openStorage(file, { now, migrating: ({ name }) => steps.push(name) });
  expect(steps.filter((name) => name === "0001-chatbot")).toHaveLength(1);
  expect((await after.sessions.read("a", 0))?.turns).toBe(3);
  expect(await after.sessions.history("a")).toHaveLength(4);
  await after.close();
});

test("a file of the first release is left as it was when it cannot be taken over", async () => {
  const file = firstRelease("stuck.db");
  const other = new DatabaseSync(file);
  other.exec("CREATE TABLE contents (somebody TEXT)");
  other.close();
  await expect(openStorage(file)).rejects.toThrow(/left as it was: step 0001-chatbot failed/);
  const again = new DatabaseSync(file);
  expect(again.prepare("SELECT count(*) AS n FROM sessions").get()?.["n"]).toBe(3);
  expect(again.prepare("PRAGMA user_version").get()?.["user_version"]).toBe(1);
  again.close();
});
