// Suite: all
import { afterAll, beforeAll } from "vitest";
import { openGateway } from "../through-gateway.ts";
import type { GatewayInFront } from "../through-gateway.ts";
import { caseManagement } from "./suites/case-management.ts";
import { lists } from "./suites/lists.ts";
import { webhooks } from "./suites/webhooks.ts";

let gateway: GatewayInFront;
beforeAll(async () => {
  gateway = await openGateway();
});
afterAll(() => gateway.close());

const options = { getGateway: (): GatewayInFront => gateway };
caseManagement("memory, through the gateway", () => Promise.resolve(null), options);
webhooks("memory, through the gateway", () => Promise.resolve(null), options);
lists("memory, through the gateway", () => Promise.resolve(null), options);
