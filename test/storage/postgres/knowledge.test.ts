import { afterAll, beforeAll } from "vitest";
import { contents } from "../../backend/knowledge/suites/contents.ts";
import { everyOperation } from "../../backend/knowledge/suites/every-operation.ts";
import { searches } from "../../backend/knowledge/suites/searches.ts";
import { slugs } from "../../backend/knowledge/suites/slugs.ts";
import { tracking } from "../../backend/knowledge/suites/tracking.ts";
import { typedClient } from "../../backend/knowledge/suites/typed-client.ts";
import { type PostgresServer, startPostgres } from "./postgres-server.ts";

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

for (const suite of [contents, searches, slugs, tracking, typedClient]) {
  suite("PostgreSQL", () => server.migratedDatabase());
}
// Operations do not see the data of other tests.
let shared: Promise<string> | null = null;
everyOperation("PostgreSQL", () => (shared ??= server.migratedDatabase()));
