import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { startPostgres } from "../../postgres/postgres-server.ts";
import { fillBackend, startBackend } from "./backend.ts";

/** Fills a backend of that version in PostgreSQL, and writes its database as SQL. */
export async function dumpPostgres(checkout: string, content: string, to: string): Promise<void> {
  const server = await startPostgres();
  try {
    const database = await server.newDatabase();
    const backend = await startBackend(checkout, content, database);
    try {
      await fillBackend(backend.url, checkout, database, content);
    } finally {
      await backend.end("SIGKILL");
    }
    const sql = execFileSync("pg_dump", ["--no-owner", "--no-privileges", "--inserts", database], {
      encoding: "utf8",
      maxBuffer: 64 * 1024 * 1024,
    });
    // Commands of psql, and a version of the server, are nothing to a database.
    const lines = sql
      .split("\n")
      .filter((line) => !/^(?:--.*|\\.*|SELECT pg_catalog\.set_config.*|)$/u.test(line));
    await writeFile(to, `${lines.join("\n")}\n`);
  } finally {
    await server.stop();
  }
}
