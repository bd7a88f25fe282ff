// Suite: slow
import { expect, onTestFinished, test } from "vitest";
import { registerApp } from "../../src/backend/chat/agents/apps.ts";
import { openDatabase } from "../../src/backend/storage/open-database.ts";
import { sqliteFiles } from "../fixtures/sqlite-files.ts";
import { open } from "./client.ts";

const file = sqliteFiles();

test.each([
  ["a proxy that is trusted", "10.0.0.1", 401],
  ["any other peer", "192.0.2.1", 429],
])(
  "wrong passwords through %s lock the login for the address that it names if it is trusted",
  async (_, peer, status) => {
    const address = await file();
    const database = await openDatabase(address);
    onTestFinished(() => database.close());
    const random = (length: number): Uint8Array => crypto.getRandomValues(new Uint8Array(length));
    const { appId } = await registerApp({ database, random, now: Date.now }, "Shop");
    const backend = await open({
      database: address,
      demo: false,
      trustsPeer: (one) => one === "10.0.0.1",
    });
    onTestFinished(() => backend.close());
    const login = async (from: string): Promise<number> => {
      const headers = { "x-hyper-appId": appId, "x-forwarded-for": `203.0.113.99, ${from}` };
      const body = JSON.stringify({ login: "sam", password: "x" });
      const bindings = { incoming: { socket: { remoteAddress: peer } } };
      const init = { method: "POST", headers, body };
      return (await backend.app.request("/v1/agents/login", init, bindings)).status;
    };
    for (let wrong = 0; wrong < 10; wrong += 1) expect(await login("198.51.100.1")).toBe(401);
    expect(await login("198.51.100.1")).toBe(429);
    expect(await login("198.51.100.2")).toBe(status);
  },
);
