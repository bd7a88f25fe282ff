import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { slugs } from "./suites/slugs.ts";
import { tracking } from "./suites/tracking.ts";

let directory = "";
let files = 0;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "afterword-knowledge-"));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

const file = (): Promise<string> => Promise.resolve(join(directory, `${(files += 1)}.db`));

tracking("a SQLite file", file);
slugs("a SQLite file", file);
