// Suite: slow
import { sqliteFiles } from "../../fixtures/sqlite-files.ts";
import { testDiscovery } from "./suites/discovery.ts";
import { refusals } from "./suites/refusals.ts";

const file = sqliteFiles();

testDiscovery("a SQLite file", file);
refusals("a SQLite file", file);
