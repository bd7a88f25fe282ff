// Suite: all
import { afterAll, beforeAll } from "vitest";
import { openGateway } from "../through-gateway.ts";
import type { GatewayInFront } from "../through-gateway.ts";
import { contents } from "./suites/contents.ts";
import { everyOperation } from "./suites/every-operation.ts";
import { searches } from "./suites/searches.ts";
import { slugs } from "./suites/slugs.ts";
import { tracking } from "./suites/tracking.ts";
import { typedClient } from "./suites/typed-client.ts";

let gateway: GatewayInFront;
beforeAll(async () => {
  gateway = await openGateway();
});
afterAll(() => gateway.close());

const options = { getGateway: (): GatewayInFront => gateway };
for (const suite of [contents, everyOperation, searches, slugs, tracking, typedClient]) {
  suite("memory, through the gateway", () => Promise.resolve(null), options);
}
