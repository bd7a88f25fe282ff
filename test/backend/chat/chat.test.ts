// Suite: slow
import { sqliteFiles } from "../../fixtures/sqlite-files.ts";
import { anything } from "./suites/anything.ts";
import { assigning } from "./suites/assigning.ts";
import { atOnce } from "./suites/at-once.ts";
import { history } from "./suites/history.ts";
import { hostileRequests } from "./suites/hostile-requests.ts";
import { chats } from "./suites/chats.ts";
import { desk } from "./suites/desk.ts";
import { figures } from "./suites/figures.ts";
import { notes } from "./suites/notes.ts";
import { presence } from "./suites/presence.ts";
import { tickets } from "./suites/tickets.ts";
import { ticketLists } from "./suites/ticket-lists.ts";
import { ticketWork } from "./suites/ticket-work.ts";
import { whoseWord } from "./suites/whose-word.ts";
import { runs } from "../../fixtures/runs.ts";

const file = sqliteFiles();

chats("a SQLite file", file);
presence("a SQLite file", file);
history("a SQLite file", file);
notes("a SQLite file", file);
desk("a SQLite file", file);
figures("a SQLite file", file);
tickets("a SQLite file", file);
ticketLists("a SQLite file", file);
ticketWork("a SQLite file", file);
assigning("a SQLite file", file);
whoseWord("a SQLite file", file);
atOnce("a SQLite file", file);
anything("SQLite", () => Promise.resolve(null), runs(30));
hostileRequests("SQLite", () => Promise.resolve(null), runs(600));
