// Suite: slow
import { sqliteFiles } from "../../fixtures/sqlite-files.ts";
import { discovery } from "./suites/discovery.ts";
import { refusals } from "./suites/refusals.ts";

const file = sqliteFiles();

discovery("a SQLite file", file);
refusals("a SQLite file", file);
