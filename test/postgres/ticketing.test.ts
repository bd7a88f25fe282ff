import { afterAll, beforeAll } from "vitest";
import { caseManagement } from "../backend/ticketing/suites/case-management.ts";
import { keysAndCounters } from "../backend/auth/suites/keys.ts";
import { webhooks } from "../backend/ticketing/suites/webhooks.ts";
import { type PostgresServer, startPostgres } from "./postgres-server.ts";

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

keysAndCounters("PostgreSQL", () => server.newDatabase());
caseManagement("PostgreSQL", () => server.newDatabase());
webhooks("PostgreSQL", () => server.newDatabase());
