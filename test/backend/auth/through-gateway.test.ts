import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { gatewayDoor } from "../through-gateway.ts";
import type { Door } from "../through-gateway.ts";
import { discovery } from "./suites/discovery.ts";
import { refusals } from "./suites/refusals.ts";

let directory = "";
let files = 0;
let open: Door;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "afterword-auth-"));
  open = await gatewayDoor();
});
afterAll(async () => {
  await open.close();
  await rm(directory, { recursive: true, force: true });
});

const file = (): Promise<string> => Promise.resolve(join(directory, `${(files += 1)}.db`));
const door = (): Door => open;

discovery("a SQLite file, through the gateway", file, door);
refusals("memory, through the gateway", () => Promise.resolve(null), door);
