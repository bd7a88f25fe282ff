import type { LookupFunction } from "node:net";
import { describe, expect, it } from "vitest";
import { isPublicHost } from "../../src/api/call/public-host.ts";
import { createGuardedLookup } from "../../src/http/connect.ts";
import { receive, request, transport, upstream } from "../runtime/node/support.ts";

/** A name server that the test controls. */
function resolving(...addresses: readonly string[]): LookupFunction {
  return (_hostname, _options, callback) => {
    const found = addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
    callback(null, found);
  };
}

const notPublic = "the address is not public and is not named in the configuration";
const refused = { kind: "refused", sent: false };

describe("an address that is not named in the configuration", () => {
  it("is refused when the name resolves to a closed one, and nothing connects", async () => {
    const to = await upstream();
    const origin = `http://rebound.example:${to.port}`;
    const over = transport({ lookup: resolving("127.0.0.1") });
    const answer = await receive(over, request(origin, { trusted: false }));
    expect(answer.failure).toMatchObject(refused);
    expect(to.connections).toBe(0);
    // The same name, if configured, is the operator's intention.
    expect((await receive(over, request(origin))).status).toBe(200);
    expect((await receive(over, request(origin, { trusted: false }))).failure).toMatchObject(
      refused,
    );
  });

  it.each([
    "http://127.0.0.1",
    "http://127.1",
    "http://0x7f.1",
    "http://2130706433",
    "http://017700000001",
    "http://0",
    "http://127.0.0.1.",
    "http://[::1]",
    "http://[::ffff:127.0.0.1]",
    "http://[::ffff:7f00:1]",
    "http://169.254.169.254",
    "https://[fd00:ec2::254]",
    "https://10.0.0.1",
    "http://\uff11\uff12\uff17.0.0.1",
  ])("is refused as %s, which no resolver ever sees", async (origin) => {
    const to = await upstream();
    const lookups: string[] = [];
    const over = transport({
      lookup: (hostname, _options, callback) => {
        lookups.push(hostname);
        callback(null, [{ address: "127.0.0.1", family: 4 }]);
      },
    });
    const answer = await receive(over, request(`${origin}:${to.port}`, { trusted: false }));
    expect(answer.failure).toMatchObject(refused);
    expect([to.connections, lookups]).toEqual([0, []]);
  });

  it("is refused as localhost by the system's own resolver", async () => {
    const to = await upstream();
    const answer = await receive(
      transport(),
      request(`http://localhost:${to.port}`, { trusted: false }),
    );
    expect(answer.failure).toMatchObject(refused);
    expect(to.connections).toBe(0);
  });
});

describe("looking up a name", () => {
  it("gives public addresses on, all or the first", async () => {
    const both = resolving("8.8.8.8", "2606:4700::1111");
    expect(await ask(both, true)).toEqual([
      null,
      [
        { address: "8.8.8.8", family: 4 },
        { address: "2606:4700::1111", family: 6 },
      ],
    ]);
    expect(await ask(both, false)).toEqual([null, "8.8.8.8", 4]);
  });

  it("refuses a name with one closed address among public ones", async () => {
    const [error] = await ask(resolving("8.8.8.8", "10.0.0.1"), true);
    expect(error).toMatchObject({ message: notPublic });
  });

  it("refuses a name without addresses", async () => {
    expect((await ask(resolving(), true))[0]).toMatchObject({ message: notPublic });
  });

  it("passes a resolver's error on", async () => {
    const failure = Object.assign(new Error("no"), { code: "ENOTFOUND" });
    const failing: LookupFunction = (_hostname, _options, callback) => callback(failure, "");
    expect((await ask(failing, true))[0]).toBe(failure);
  });
});

function ask(lookup: LookupFunction, all: boolean): Promise<unknown[]> {
  return new Promise((resolve) => {
    const network = { lookup, isPublic: isPublicHost, proxyFor: () => null };
    createGuardedLookup(network)("a.example", { all }, (...result) => resolve(result));
  });
}
