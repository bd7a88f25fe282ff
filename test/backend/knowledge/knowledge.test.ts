// Suite: slow
import { sqliteFiles } from "../../fixtures/sqlite-files.ts";
import { contents } from "./suites/contents.ts";
import { everyOperation } from "./suites/every-operation.ts";
import { searches } from "./suites/searches.ts";
import { slugs } from "./suites/slugs.ts";
import { tracking } from "./suites/tracking.ts";
import { typedClient } from "./suites/typed-client.ts";

const file = sqliteFiles();
for (const suite of [contents, everyOperation, searches, slugs, tracking, typedClient]) {
  suite("a SQLite file", file);
}
