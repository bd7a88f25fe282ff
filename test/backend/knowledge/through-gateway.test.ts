import { afterAll, beforeAll } from "vitest";
import { gatewayDoor } from "../through-gateway.ts";
import type { Door } from "../through-gateway.ts";
import { slugs } from "./suites/slugs.ts";
import { tracking } from "./suites/tracking.ts";

let door: Door;
beforeAll(async () => {
  door = await gatewayDoor();
});
afterAll(() => door.close());

const options = { door: (): Door => door };
tracking("memory, through the gateway", () => Promise.resolve(null), options);
slugs("memory, through the gateway", () => Promise.resolve(null), options);
