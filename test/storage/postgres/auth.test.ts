import { afterAll, beforeAll } from "vitest";
import { testDiscovery } from "../../backend/auth/suites/discovery.ts";
import { publicBackend } from "../../backend/auth/public-backend.ts";
import { keysAndCounters } from "../../backend/auth/suites/keys.ts";
import { publicKeys } from "../../backend/auth/suites/public-keys.ts";
import { refusals } from "../../backend/auth/suites/refusals.ts";
import { type PostgresServer, startPostgres } from "./postgres-server.ts";

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

publicKeys("PostgreSQL", async () => publicBackend(await server.migratedDatabase()));
for (const suite of [testDiscovery, keysAndCounters, refusals]) {
  suite("PostgreSQL", () => server.migratedDatabase());
}
