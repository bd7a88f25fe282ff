import { afterAll, beforeAll } from "vitest";
import { contentsIn } from "../../backend/storage/suites/contents.ts";
import { conversationsIn } from "../../backend/storage/suites/conversations.ts";
import { databaseIn } from "../../backend/storage/suites/database.ts";
import { type PostgresServer, startPostgres } from "./postgres-server.ts";

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

// The first suite tests the way from an empty database to this release.
databaseIn("PostgreSQL", () => server.newDatabase());
for (const suite of [conversationsIn, contentsIn]) {
  suite("PostgreSQL", () => server.migratedDatabase());
}
