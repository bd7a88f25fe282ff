import { afterAll, beforeAll } from "vitest";
import { gatewayDoor } from "../through-gateway.ts";
import type { Door } from "../through-gateway.ts";
import { contents } from "./suites/contents.ts";
import { everyOperation } from "./suites/every-operation.ts";
import { searches } from "./suites/searches.ts";
import { slugs } from "./suites/slugs.ts";
import { tracking } from "./suites/tracking.ts";
import { typedClient } from "./suites/typed-client.ts";

let door: Door;
beforeAll(async () => {
  door = await gatewayDoor();
});
afterAll(() => door.close());

const options = { door: (): Door => door };
for (const suite of [contents, everyOperation, searches, slugs, tracking, typedClient]) {
  suite("memory, through the gateway", () => Promise.resolve(null), options);
}
