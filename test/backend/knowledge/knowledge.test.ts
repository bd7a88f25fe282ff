import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { contents } from "./suites/contents.ts";
import { everyOperation } from "./suites/every-operation.ts";
import { searches } from "./suites/searches.ts";
import { slugs } from "./suites/slugs.ts";
import { tracking } from "./suites/tracking.ts";
import { typedClient } from "./suites/typed-client.ts";

let directory = "";
let files = 0;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "afterword-knowledge-"));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

for (const suite of [contents, everyOperation, searches, slugs, tracking, typedClient]) {
  suite("a SQLite file", async () => join(directory, `${(files += 1)}.db`));
}
