import { afterAll, beforeAll } from "vitest";
import { caseManagement } from "../../backend/ticketing/suites/case-management.ts";
import { lists } from "../../backend/ticketing/suites/lists.ts";
import { mail } from "../../backend/ticketing/suites/mail.ts";
import { webhooks } from "../../backend/ticketing/suites/webhooks.ts";
import { type PostgresServer, startPostgres } from "./postgres-server.ts";

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

lists("PostgreSQL", () => server.migratedDatabase());
caseManagement("PostgreSQL", () => server.migratedDatabase());
webhooks("PostgreSQL", () => server.migratedDatabase());
mail("PostgreSQL", () => server.migratedDatabase());
