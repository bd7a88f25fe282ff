import { afterAll, beforeAll } from "vitest";
import { discovery } from "../backend/auth/suites/discovery.ts";
import { keysAndCounters } from "../backend/auth/suites/keys.ts";
import { refusals } from "../backend/auth/suites/refusals.ts";
import { type PostgresServer, startPostgres } from "./postgres-server.ts";

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

for (const suite of [discovery, keysAndCounters, refusals]) {
  suite("PostgreSQL", () => server.newDatabase());
}
