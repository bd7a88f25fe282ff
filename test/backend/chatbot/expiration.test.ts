import { expect, onTestFinished, test } from "vitest";
import { createAppListener } from "../../../src/runtime/node/server/app-listener.ts";
import { rawRequest } from "../../../src/testing/index.ts";
import { login, open } from "../client.ts";
import { embeddedGateway, embeddedKeys } from "../embedded-gateway.ts";

const name = "X-INBENTA-AUTH-EXPIRATION";

/**
 * Reads the raw field of the answer to POST /conversation that follows its name in exactly this
 * letter case.
 */
async function expirationAt(port: number, caller: Record<string, string>): Promise<number> {
  const fields = Object.entries({ ...caller, host: `127.0.0.1:${port}`, "content-length": "0" });
  const head = fields.map(([field, value]) => `${field}: ${value}\r\n`).join("");
  const request = `POST /v1/conversation HTTP/1.1\r\n${head}\r\n`;
  const { status, headers } = await rawRequest(port, request);
  expect(status).toBe(200);
  expect(headers.filter((field) => field.toLowerCase() === name.toLowerCase())).toEqual([name]);
  return Number(headers[headers.indexOf(name) + 1]);
}

/** A conversation lives for half an hour without a message. */
function expectHalfAnHour(expiration: number): void {
  const seconds = expiration - Date.now() / 1000;
  expect(seconds).toBeGreaterThan(1700);
  expect(seconds).toBeLessThanOrEqual(1800);
}

test("a new conversation returns its expiry, in the letter case that clients look for", async () => {
  const { app } = await open();
  const listener = createAppListener(app);
  onTestFinished(async () => {
    await listener.drain(1000);
  });
  const { port } = await listener.listen(0, "127.0.0.1");
  expectHalfAnHour(await expirationAt(port, await login(app)));
});

test("the gateway passes the expiry of a new conversation on", async () => {
  const gateway = await embeddedGateway();
  onTestFinished(() => gateway.close());
  const caller = {
    "x-inbenta-key": embeddedKeys.apiKey,
    authorization: `Bearer ${await gateway.login()}`,
  };
  expectHalfAnHour(await expirationAt(Number(new URL(gateway.url).port), caller));
});
