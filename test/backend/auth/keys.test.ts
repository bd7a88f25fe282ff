import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { keysAndCounters } from "./suites/keys.ts";

let directory = "";
let files = 0;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "afterword-keys-"));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

keysAndCounters("a SQLite file", () => Promise.resolve(join(directory, `${(files += 1)}.db`)));
