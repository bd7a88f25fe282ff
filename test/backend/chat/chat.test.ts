import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { anything } from "./suites/anything.ts";
import { atOnce } from "./suites/at-once.ts";
import { hostileRequests } from "./suites/hostile-requests.ts";
import { chats } from "./suites/chats.ts";

let directory = "";
let files = 0;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "afterword-chat-"));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

const file = (): Promise<string> => Promise.resolve(join(directory, `${(files += 1)}.db`));

chats("a SQLite file", file);
atOnce("a SQLite file", file);
anything("SQLite", () => Promise.resolve(null), 15);
hostileRequests("SQLite", () => Promise.resolve(null), 600);
