import { afterAll, beforeAll } from "vitest";
import { anything } from "../../backend/chat/suites/anything.ts";
import { assigning } from "../../backend/chat/suites/assigning.ts";
import { atOnce } from "../../backend/chat/suites/at-once.ts";
import { chats } from "../../backend/chat/suites/chats.ts";
import { desk } from "../../backend/chat/suites/desk.ts";
import { figures } from "../../backend/chat/suites/figures.ts";
import { history } from "../../backend/chat/suites/history.ts";
import { hostileRequests } from "../../backend/chat/suites/hostile-requests.ts";
import { logins } from "../../backend/chat/suites/logins.ts";
import { notes } from "../../backend/chat/suites/notes.ts";
import { presence } from "../../backend/chat/suites/presence.ts";
import { ticketWork } from "../../backend/chat/suites/ticket-work.ts";
import { tickets } from "../../backend/chat/suites/tickets.ts";
import { whoseWord } from "../../backend/chat/suites/whose-word.ts";
import { runs } from "../../fixtures/runs.ts";
import { type PostgresServer, startPostgres } from "./postgres-server.ts";

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

chats("PostgreSQL", () => server.migratedDatabase());
presence("PostgreSQL", () => server.migratedDatabase());
history("PostgreSQL", () => server.migratedDatabase());
notes("PostgreSQL", () => server.migratedDatabase());
desk("PostgreSQL", () => server.migratedDatabase());
figures("PostgreSQL", () => server.migratedDatabase());
tickets("PostgreSQL", () => server.migratedDatabase());
ticketWork("PostgreSQL", () => server.migratedDatabase());
assigning("PostgreSQL", () => server.migratedDatabase());
whoseWord("PostgreSQL", () => server.migratedDatabase());
logins("PostgreSQL", () => server.migratedDatabase());
atOnce("PostgreSQL", () => server.migratedDatabase());
anything("PostgreSQL", () => server.migratedDatabase(), runs(30));
hostileRequests("PostgreSQL", () => server.migratedDatabase(), runs(400));
