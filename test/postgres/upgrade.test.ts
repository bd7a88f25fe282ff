import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { expectBackend } from "../upgrade/backend-suite.ts";
import { directory, kept } from "../upgrade/fixtures.ts";
import { root, startAfterword } from "../upgrade/stage.ts";
import { startPostgres } from "./postgres-server.ts";

test("a database that 788c09d has filled is brought up to this version, and nothing in it is lost", async () => {
  const server = await startPostgres();
  try {
    const database = await server.newDatabase();
    const sql = readFileSync(join(directory, "stores/postgres.sql"), "utf8");
    await server.ask(`SET ROLE tester; ${sql}`, database);
    const content = join(root, "config/backend");
    const backend = await startAfterword(
      ["backend", "--content", content, "--database", database, "--port", "0"],
      { at: kept().killed },
    );
    try {
      await expectBackend(backend.url);
      const rows = await server.ask("SELECT count(*) AS n FROM sessions", database);
      expect(Number(rows[0]?.["n"])).toBeGreaterThan(1);
    } finally {
      await backend.end("SIGKILL");
    }
  } finally {
    await server.stop();
  }
});
