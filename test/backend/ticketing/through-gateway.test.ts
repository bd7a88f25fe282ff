import { afterAll, beforeAll } from "vitest";
import { gatewayDoor } from "../through-gateway.ts";
import type { Door } from "../through-gateway.ts";
import { caseManagement } from "./suites/case-management.ts";
import { lists } from "./suites/lists.ts";
import { webhooks } from "./suites/webhooks.ts";

let door: Door;
beforeAll(async () => {
  door = await gatewayDoor();
});
afterAll(() => door.close());

const options = { door: (): Door => door };
caseManagement("memory, through the gateway", () => Promise.resolve(null), options);
webhooks("memory, through the gateway", () => Promise.resolve(null), options);
lists("memory, through the gateway", () => Promise.resolve(null), options);
