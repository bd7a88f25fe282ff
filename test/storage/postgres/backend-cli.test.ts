import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { MIGRATIONS } from "../../../src/backend/storage/migrations/list.ts";
import { findPackageRoot } from "../../../src/config/load/package-root.ts";
import { inDatabase, shown } from "../../cli/backend/place.ts";
import { chatAccessCommands } from "../../cli/backend/suites/chat-access.ts";
import { erasing } from "../../cli/backend/suites/erasing.ts";
import { keyCommands } from "../../cli/backend/suites/keys.ts";
import { reports } from "../../cli/backend/suites/reports.ts";
import { afterword as inProcess } from "../../cli/terminal.ts";
import { afterword, serveProcess } from "../../runtime/processes/processes.ts";
import { password, type PostgresServer, startPostgres } from "./postgres-server.ts";
import { createFolder } from "../../fixtures/folder.ts";

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

keyCommands("PostgreSQL", () => server.newDatabase());
chatAccessCommands("PostgreSQL", () => server.newDatabase());
reports("PostgreSQL", () => server.newDatabase());
// The content of PostgreSQL's files is not checked: it keeps deleted rows until it cleans up.
erasing(
  "PostgreSQL",
  () => server.newDatabase(),
  async () => "",
);

test("init creates the tables and a first key, and two backends share them and the rate counters", async () => {
  const database = `${await server.newDatabase()}?sslmode=disable`;
  const cwd = createFolder();
  const init = await afterword(["backend", "init", "--database", database], { cwd });
  expect(init.code).toBe(0);
  expect(init.stdout).toMatch(/ --no-demo --database 'postgres:\/\/\S+\?sslmode=disable'$/m);
  expect(init.stdout + init.stderr).not.toContain(encodeURIComponent(password));
  expect(init.stdout + init.stderr).not.toContain(password);
  const apiKey = shown("API key", init.stdout);
  const args = ["backend", "--no-demo", "--port", "0", "--database", database];
  const both = await Promise.all([serveProcess(args, { cwd }), serveProcess(args, { cwd })]);
  for (const { url } of both) {
    const answer = await fetch(`${url}/v1/auth`, {
      method: "POST",
      headers: { "x-vendor-key": apiKey },
      body: JSON.stringify({ secret: shown("secret", init.stdout) }),
    });
    expect(answer.status).toBe(200);
  }
  const taken = await inDatabase(database, ({ kysely }) =>
    kysely.selectFrom("rate_windows").select("taken").execute(),
  );
  // One window per minute and one per hour; each process took a portion of both.
  expect(taken.length).toBeGreaterThanOrEqual(2);
  for (const backend of both) expect((await backend.stop()).code).toBe(0);
  await rm(cwd, { recursive: true });
});

test("while the database is down, the log names it, and no content that was refused", async () => {
  const mine = await startPostgres();
  onTestFinished(() => mine.stop());
  const database = `${await mine.migratedDatabase()}?sslmode=disable`;
  const content = join(findPackageRoot(), "config/backend");
  const args = ["backend", "--port", "0", "--content", content, "--database", database];
  const backend = await serveProcess(args, { cwd: createFolder() });
  onTestFinished(async () => void (await backend.stop()));
  await mine.kill();
  await vi.waitFor(
    () => expect(backend.stderr()).toMatch(/content-refused|store-unavailable/),
    30_000,
  );
  const [line = ""] = /^.*(?:content-refused|store-unavailable).*$/m.exec(backend.stderr()) ?? [];
  expect(JSON.parse(line)).toMatchObject({
    level: "warn",
    event: "store-unavailable",
    detail: expect.stringContaining("The database postgres://"),
  });
  expect(JSON.parse(line)).not.toHaveProperty("errors");
});

test("migrate reports every step, and refuses a database that a newer release wrote", async () => {
  const database = await server.newDatabase();
  const result = await inProcess(["backend", "migrate", "--database", database]);
  const steps = MIGRATIONS;
  expect(result).toMatchObject({
    code: 0,
    error: steps.map(({ name }, at) => `step ${at + 1} of ${steps.length}: ${name}\n`).join(""),
  });
  expect(result.out).toMatch(/^postgres:\/\/tester@127\.0\.0\.1:\d+\/test_\w+ is of this release/);
  await server.ask(
    "INSERT INTO afterword_schema VALUES ('9999-later', '2030-01-01T00:00:00.000Z')",
    database,
  );
  const newer = await inProcess(["backend", "migrate", "--database", database]);
  expect(newer).toMatchObject({
    code: 1,
    out: "",
    error: expect.stringMatching(/unreleased version/),
  });
});
