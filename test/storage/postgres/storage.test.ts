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

const newDatabase = (): Promise<string> => server.newDatabase();
for (const suite of [databaseIn, conversationsIn, contentsIn]) suite("PostgreSQL", newDatabase);
