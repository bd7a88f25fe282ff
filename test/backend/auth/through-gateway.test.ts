import { afterAll, beforeAll } from "vitest";
import { sqliteFiles } from "../../fixtures/sqlite-files.ts";
import { gatewayDoor } from "../through-gateway.ts";
import type { Door } from "../through-gateway.ts";
import { discovery } from "./suites/discovery.ts";
import { refusals } from "./suites/refusals.ts";

const file = sqliteFiles();
let open: Door;
beforeAll(async () => {
  open = await gatewayDoor();
});
afterAll(() => open.close());

const door = (): Door => open;

discovery("a SQLite file, through the gateway", file, door);
refusals("memory, through the gateway", () => Promise.resolve(null), door);
