// Suite: all
import { afterAll, beforeAll } from "vitest";
import { sqliteFiles } from "../../fixtures/sqlite-files.ts";
import { openGateway } from "../through-gateway.ts";
import type { GatewayInFront } from "../through-gateway.ts";
import { testDiscovery } from "./suites/discovery.ts";
import { refusals } from "./suites/refusals.ts";

const file = sqliteFiles();
let open: GatewayInFront;
beforeAll(async () => {
  open = await openGateway();
});
afterAll(() => open.close());

const getGateway = (): GatewayInFront => open;

testDiscovery("a SQLite file, through the gateway", file, getGateway);
refusals("memory, through the gateway", () => Promise.resolve(null), getGateway);
