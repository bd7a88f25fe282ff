import { sqliteFiles } from "../../fixtures/sqlite-files.ts";
import { keysAndCounters } from "./suites/keys.ts";

keysAndCounters("a SQLite file", sqliteFiles());
