// Suite: slow
import { sqliteFiles } from "../../fixtures/sqlite-files.ts";
import { mail } from "../ticketing/suites/mail.ts";

mail("a SQLite file", sqliteFiles());
