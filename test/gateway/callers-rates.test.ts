import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { clientBehind, networkOf } from "../../src/http/client-address.ts";
import { createRates } from "../../src/gateway/callers/rates.ts";

describe("a rate", () => {
  const minute = (calls: number) => ({ calls, milliseconds: 60_000 });

  it("allows a window's calls at once, then one at a time", () => {
    let now = 0;
    const rates = createRates(() => now);
    const take = () => rates.take([{ name: "a", rate: minute(60) }]);
    expect(Array.from({ length: 60 }, take)).toEqual(Array(60).fill(0));
    expect(take()).toBe(1000);
    now += 999;
    expect(take()).toBe(1);
    now += 1;
    expect([take(), take()]).toEqual([0, 1000]);
    now += 3_600_000;
    expect(Array.from({ length: 61 }, take).filter((wait) => wait > 0)).toHaveLength(1);
  });

  it("takes from both buckets or from none", () => {
    const rates = createRates(() => 0);
    const all = { name: "all", rate: minute(2) };
    const of = (client: string) => rates.take([all, { name: client, rate: minute(1) }]);
    expect(of("ada")).toBe(0);
    // This refusal is for ada alone: the others' rates are not affected.
    expect(of("ada")).toBe(60_000);
    expect(of("bob")).toBe(0);
    expect(of("cyd")).toBe(30_000);
  });

  it("is not forgotten because of many clients", () => {
    const rates = createRates(() => 0);
    const all = { name: "all", rate: minute(20_000) };
    let taken = 0;
    for (let i = 0; i < 30_000; i++) {
      if (rates.take([all, { name: `client ${i}`, rate: minute(1) }]) === 0) taken++;
    }
    expect(taken).toBe(20_000);
  });

  it("follows the configuration", () => {
    const rates = createRates(() => 0);
    expect(rates.take([{ name: "a", rate: minute(1_000_000) }])).toBe(0);
    expect(rates.take([{ name: "a", rate: minute(1) }])).toBe(0);
    expect(rates.take([{ name: "a", rate: minute(1) }])).toBe(60_000);
  });

  it("never allows more than a full bucket and what was added since", () => {
    const step = fc.integer({ min: 0, max: 5000 });
    const calls = fc.integer({ min: 1, max: 50 });
    fc.assert(
      fc.property(calls, fc.array(step, { maxLength: 200 }), (most, steps) => {
        let now = 0;
        let taken = 0;
        const rates = createRates(() => now);
        for (const passed of steps) {
          now += passed;
          if (rates.take([{ name: "a", rate: minute(most) }]) === 0) taken++;
        }
        expect(taken).toBeLessThanOrEqual(Math.floor(most + (now * most) / 60_000 + 1e-6));
      }),
    );
  });
});

describe("a client's address", () => {
  const of = (address: string, forwarded?: string): string =>
    networkOf(clientBehind(address, forwarded ?? null, (peer) => peer.startsWith("10.")).address);

  it.each([
    ["192.0.2.7", "192.0.2.7"],
    ["::ffff:192.0.2.7", "192.0.2.7"],
    ["2001:db8::1", "2001:db8:0:0"],
    ["2001:DB8:0:0:9::1", "2001:db8:0:0"],
    ["2001:db8:0:1:2:3:4:5", "2001:db8:0:1"],
    ["fe80::1%eth0", "fe80:0:0:0"],
    ["::1", "0:0:0:0"],
    ["", ""],
  ])("%s counts as %s", (address, expected) => {
    expect(of(address)).toBe(expected);
  });

  it("is believed of trusted proxies only, from the right", () => {
    expect(of("192.0.2.7", "203.0.113.9")).toBe("192.0.2.7");
    expect(of("10.0.0.1", "203.0.113.9")).toBe("203.0.113.9");
    expect(of("10.0.0.1", "1.1.1.1, 203.0.113.9, 10.0.0.2")).toBe("203.0.113.9");
    expect(of("10.0.0.1", "10.0.0.3")).toBe("10.0.0.3");
    expect(of("10.0.0.1")).toBe("10.0.0.1");
  });

  it("is the same whichever port a proxy writes beside it", () => {
    expect(of("10.0.0.1", "203.0.113.9:50123")).toBe("203.0.113.9");
    expect(of("10.0.0.1", "[2001:db8::1]:50123")).toBe("2001:db8:0:0");
    expect(of("10.0.0.1", "[2001:db8::1]")).toBe("2001:db8:0:0");
    expect(of("10.0.0.1", "[::ffff:203.0.113.9]:1")).toBe("203.0.113.9");
    expect(of("10.0.0.1", "203.0.113.9, 10.0.0.2:443")).toBe("203.0.113.9");
  });
});
