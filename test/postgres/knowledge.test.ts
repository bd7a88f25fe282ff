import { afterAll, beforeAll } from "vitest";
import { slugs } from "../backend/knowledge/suites/slugs.ts";
import { tracking } from "../backend/knowledge/suites/tracking.ts";
import { type PostgresServer, startPostgres } from "./postgres-server.ts";

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

tracking("PostgreSQL", () => server.newDatabase());
slugs("PostgreSQL", () => server.newDatabase());
