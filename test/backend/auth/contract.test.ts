import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { discovery } from "./suites/discovery.ts";
import { refusals } from "./suites/refusals.ts";

let directory = "";
let files = 0;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "afterword-auth-"));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

const file = (): Promise<string> => Promise.resolve(join(directory, `${(files += 1)}.db`));

discovery("a SQLite file", file);
refusals("a SQLite file", file);
