// Suite: all
import { randomBytes } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { registerApp } from "../../../src/backend/chat/agents/apps.ts";
import { createDerivations } from "../../../src/backend/chat/agents/passwords.ts";
import { openDatabase } from "../../../src/backend/storage/open-database.ts";
import { sqliteFiles } from "../../fixtures/sqlite-files.ts";
import { embeddedGateway, embeddedKeys } from "../embedded-gateway.ts";
import { logins } from "./suites/logins.ts";

logins("a SQLite file", sqliteFiles());

test("logins are limited for each network, and known agents have a limit of their own and go first", async () => {
  const ends: (() => void)[] = [];
  const begun: string[] = [];
  const queue = createDerivations({
    known: 1,
    unknown: 3,
    perNetwork: 2,
    derive: (password) => {
      begun.push(password);
      return new Promise((resolve) => ends.push(() => resolve(new Uint8Array())));
    },
  });
  const enter = (network: string, known = false) => queue.enter({ network, known });
  const places = [enter("a"), enter("a"), enter("b")];
  expect([...places, enter("a"), enter("c")].map((place) => place !== null)).toEqual([
    ...[true, true, true],
    ...[false, false],
  ]);
  const known = enter("a", true);
  expect([known !== null, enter("a", true)]).toEqual([true, null]);
  const all = [...places, known].flatMap((place, n) =>
    place === null ? [] : [place.derive(`${n}`, "", 1)],
  );
  for (const done of [1, 2, 3, 4]) {
    await expect.poll(() => begun.length).toBe(done);
    ends[done - 1]?.();
  }
  await Promise.all(all);
  expect(begun).toEqual(["0", "3", "1", "2"]);
  places[0]?.leave();
  expect([enter("a") !== null, enter("a")]).toEqual([true, null]);
});

test.each([60, 200])(
  "while %i agents' logins are checked, other requests are served as usual",
  async (count) => {
    const gateway = await embeddedGateway({ top: "listen: { trustProxies: [127.0.0.1] }" });
    onTestFinished(() => gateway.close());
    const database = await openDatabase(gateway.databaseFile);
    onTestFinished(() => database.close());
    const { appId } = await registerApp(
      { database, random: (length) => Uint8Array.from(randomBytes(length)), now: Date.now },
      "Shop",
    );
    const post = (path: string, headers: object, body: object, signal?: AbortSignal) =>
      fetch(gateway.url + path, {
        method: "POST",
        ...(signal !== undefined && { signal }),
        headers: { ...headers, "content-type": "application/json" },
        body: JSON.stringify(body),
      });
    const answered: number[] = [];
    const enough = new AbortController();
    const attempts = Array.from({ length: count }, async (_, n) => {
      const headers = { "x-hyper-appId": appId, "x-forwarded-for": `198.51.100.${n}` };
      const body = { login: `x${n}`, password: "x" };
      const { status } = await post("/v1/agents/login", headers, body, enough.signal);
      answered.push(status);
    });
    // The logins without a place; the others are in the queue.
    await expect
      .poll(() => answered.filter((status) => status === 429).length)
      .toBeGreaterThan(count / 3);
    const { apiKey, secret } = embeddedKeys;
    const login = await post("/v1/auth", { "x-inbenta-key": apiKey }, { secret });
    expect(login.status).toBe(200);
    expect(answered.length).toBeLessThan(count);
    expect(new Set(answered)).not.toContain(500);
    enough.abort();
    await Promise.allSettled(attempts);
  },
);
