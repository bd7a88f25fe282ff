import { describe, expect, onTestFinished, test } from "vitest";
import {
  createStoredCredentials,
  createStoredKeys,
} from "../../../../src/backend/auth/stored-keys.ts";
import { matchesSecret } from "../../../../src/backend/auth/credentials.ts";
import {
  createRateLimits,
  RATE_LIMITS,
  createSharedCounters,
  sweepCounters,
} from "../../../../src/backend/auth/rate-limits.ts";
import { openDatabase } from "../../../../src/backend/storage/open-database.ts";
import type { BackendDatabase } from "../../../../src/backend/storage/tables/database.ts";
import { clock } from "../../client.ts";

const entry = {
  apiKey: "the-key",
  secret: "the-secret",
  project: "shop",
  factor: 3,
  domainKeys: [{ key: "domain-key", domains: ["shop.example"] }],
  personalSecrets: [{ name: "ana", secret: "anas" }],
};

/** Tests keys and counters on any store. */
export function keysAndCounters(title: string, address: () => Promise<string>): void {
  const open = async (at: string): Promise<BackendDatabase> => {
    const database = await openDatabase(at);
    onTestFinished(() => database.close());
    return database;
  };

  describe(`API keys in ${title}`, () => {
    test("are found by their key, hold no secret, and are known to other processes", async () => {
      const at = await address();
      const [one, other] = await Promise.all([open(at), open(at)]);
      const time = clock();
      await createStoredKeys(one, time.now).add("site", entry);
      const found = await createStoredCredentials(other, time.now).find("the-key");
      if (found === null) throw new Error("not found");
      expect(found).toMatchObject({ project: "shop", factor: 3, demo: false });
      expect(await matchesSecret(found.secretDigest, "the-secret")).toBe(true);
      expect(
        await matchesSecret(found.personalSecrets[0]?.digest ?? new Uint8Array(), "anas"),
      ).toBe(true);
      expect(await createStoredCredentials(other, time.now).find("another")).toBe(null);
      const rows = JSON.stringify(await one.kysely.selectFrom("api_keys").selectAll().execute());
      expect(rows).not.toMatch(/the-key|the-secret|domain-key|anas"/);
      expect(await createStoredKeys(other, time.now).list()).toEqual([
        {
          name: "site",
          project: "shop",
          factor: 3,
          domains: ["shop.example"],
          created: time.now(),
          revoked: null,
        },
      ]);
    });

    test("are refused a second after they were revoked, in every process", async () => {
      const at = await address();
      const [one, other] = await Promise.all([open(at), open(at)]);
      const time = clock();
      await createStoredKeys(one, time.now).add("site", entry);
      const credentials = createStoredCredentials(other, time.now);
      expect(await credentials.find("the-key")).not.toBe(null);
      expect(await createStoredKeys(one, time.now).revoke("site")).toBe(true);
      expect(await createStoredKeys(one, time.now).revoke("site")).toBe(false);
      time.advance(1);
      expect(await credentials.find("the-key")).toBe(null);
    });

    test("have unique names", async () => {
      const database = await open(await address());
      const keys = createStoredKeys(database, Date.now);
      await keys.add("site", entry);
      await expect(keys.add("site", { ...entry, apiKey: "k2" })).rejects.toThrow(
        'called "site" already',
      );
    });
  });

  describe(`counters in ${title}`, () => {
    test("stop a key at its limit, also if it calls several processes", async () => {
      const at = await address();
      const time = clock();
      const limits = { ...RATE_LIMITS, product: { minute: 1_000, hour: 100_000 } };
      const processes = await Promise.all(
        Array.from({ length: 3 }, async () =>
          createRateLimits({
            counters: createSharedCounters(await open(at)),
            now: time.now,
            limits,
          }),
        ),
      );
      let allowed = 0;
      for (let i = 0; i < 1_200; i += 1) {
        const decision = await processes[i % 3]?.take("key", "product", 1);
        if (decision?.allowed === true) allowed += 1;
      }
      // Each of the others may have reserved a portion of ten that it has not used.
      expect(allowed).toBeGreaterThan(960);
      expect(allowed).toBeLessThanOrEqual(1_000);
      time.advance(60);
      expect((await processes[0]?.take("key", "product", 1))?.allowed).toBe(true);
    });

    test("forget windows that have ended", async () => {
      const database = await open(await address());
      const counters = createSharedCounters(database);
      const window = { name: "a", start: 0, end: 60_000, most: 10 };
      await counters.add(window);
      await sweepCounters(database, 59_999);
      expect(await database.kysely.selectFrom("rate_windows").selectAll().execute()).toHaveLength(
        1,
      );
      await sweepCounters(database, 60_000);
      expect(await database.kysely.selectFrom("rate_windows").selectAll().execute()).toEqual([]);
    });
  });
}
