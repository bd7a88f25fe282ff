import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  createSignedRoutes,
  type SignedRoutes,
} from "../../../src/gateway/upstream/signed-routes.ts";
import { runs } from "../../fixtures/runs.ts";

const key = (fill: number): Uint8Array => new Uint8Array(32).fill(fill);
const base = "https://chatbot.example.test/prod/chatbot";

async function segmentFrom(routes: SignedRoutes): Promise<string> {
  return (await routes.segmentFor("chatbot", base)) ?? "there is none";
}

describe("signed addresses", () => {
  it("read back what they were made from", async () => {
    const segment = await segmentFrom(createSignedRoutes([key(1)]));
    const read = await createSignedRoutes([key(1)]).read(segment);
    expect(read).toMatchObject({
      product: "chatbot",
      base: { address: base, path: "/prod/chatbot" },
    });
    expect(segment).toMatch(/^[\w-]+$/);
  });

  it("are the same for the same base, on every node and after every restart", async () => {
    const one = await segmentFrom(createSignedRoutes([key(1)]));
    expect(await segmentFrom(createSignedRoutes([key(1), key(2)]))).toBe(one);
  });

  it("stay valid while their key is listed, and no longer", async () => {
    const segment = await segmentFrom(createSignedRoutes([key(1)]));
    expect(await createSignedRoutes([key(2), key(1)]).read(segment)).not.toBeNull();
    expect(await createSignedRoutes([key(2)]).read(segment)).toBeNull();
  });

  it("cannot be changed in any letter", async () => {
    const routes = createSignedRoutes([key(1)]);
    const segment = await segmentFrom(routes);
    await fc.assert(
      fc.asyncProperty(
        fc.nat(segment.length - 1),
        fc.constantFrom("A", "a", "0", "-", "_", "Z", "z", "9"),
        async (at, letter) => {
          const forged = segment.slice(0, at) + letter + segment.slice(at + 1);
          if (forged !== segment) expect(await routes.read(forged)).toBeNull();
        },
      ),
      { numRuns: runs(500) },
    );
  });

  it.each(["", "A", "====", "a.b", "ä", "A".repeat(5000), "__proto__"])(
    "refuse %j",
    async (segment) => {
      expect(await createSignedRoutes([key(1)]).read(segment)).toBeNull();
    },
  );

  it("are not made for a base too long to be read back", async () => {
    const routes = createSignedRoutes([key(1)]);
    for (const length of [1000, 2000, 2100, 9000]) {
      const long = `https://bot.example/${"x".repeat(length)}`;
      const segment = await routes.segmentFor("chatbot", long);
      if (segment !== null) expect((await routes.read(segment))?.base.address).toBe(long);
      expect(segment === null).toBe(length > 2028);
    }
  });

  it("refuse a short key", async () => {
    expect(() => createSignedRoutes([new Uint8Array(8)])).toThrow(RangeError);
  });
});
