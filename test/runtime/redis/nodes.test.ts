import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  begin,
  engineWords,
  expectAnswer,
  failures,
  nodes,
  readAnswer,
} from "../processes/nodes.ts";
import { shippedTexts } from "../../clients/connectors/texts.ts";
import { testCertificates } from "../node/certificates.ts";
import { redisAddress, startRedis } from "./redis-server.ts";

const nothingIn = (locale: string): string | undefined => shippedTexts(locale)["no-results"];
const recovery = { timeout: 50_000, interval: 100 };

describe("several gateways with one Redis", () => {
  it("keep a conversation's language on each other, and over kill -9 and a restart", async () => {
    const { node } = await nodes(await redisAddress());
    const [a, b] = [await node(), await node()];
    const session = await begin(a, "fr");
    await expectAnswer(b, session, "fr");
    await a.stop("SIGKILL");
    const again = await node();
    await expectAnswer(again, session, "fr");
  });

  it("leave the engine's own words while Redis is down, and come back by themselves", async () => {
    const redis = await startRedis();
    const { node } = await nodes(redis.address);
    const server = await node();
    await expectAnswer(server, await begin(server, "fr"), "fr");

    await redis.kill();
    const homeless = await begin(server, "fr");
    expect(await readAnswer(server, homeless)).toBe(engineWords);
    expect(await failures(server)).toBeGreaterThanOrEqual(2);
    await redis.start();
    await expect
      .poll(async () => await readAnswer(server, await begin(server, "fr")), recovery)
      .toBe(nothingIn("fr"));
    expect((await server.stop()).code).toBe(0);
    expect(events(server.stderr())).toEqual(["state-store-failing", "state-store-working"]);
  });

  it("start while Redis is down, and find it later", async () => {
    const redis = await startRedis();
    await redis.kill();
    const { node } = await nodes(redis.address);
    const server = await node();
    expect(await readAnswer(server, await begin(server, "fr"))).toBe(engineWords);
    await redis.start();
    await expect
      .poll(async () => await readAnswer(server, await begin(server, "fr")), recovery)
      .toBe(nothingIn("fr"));
  });

  it("do not wait for a Redis that hangs, and come back by themselves", async () => {
    const redis = await startRedis();
    const { node } = await nodes(redis.address);
    const server = await node();
    const session = await begin(server, "fr");
    redis.freeze();
    // A turn waits only 50 ms for the store; the engine's answer is passed on in any case.
    expect(await readAnswer(server, session)).toBe(engineWords);
    expect(await failures(server)).toBeGreaterThanOrEqual(1);
    await expect.poll(() => events(server.stderr()), recovery).toContain("state-store-failing");
    redis.thaw();
    await expect
      .poll(async () => await readAnswer(server, session), recovery)
      .toBe(nothingIn("fr"));
  });

  it("reach it over TLS when its authority is known, and show no password in their output", async () => {
    const folder = testCertificates().caFile.replace(/\/[^/]+$/u, "");
    const { port } = await startRedis(
      ["--requirepass", "hunter2", "--tls-auth-clients", "no"].concat(
        ["--tls-cert-file", join(folder, "cert.pem"), "--tls-key-file", join(folder, "key.pem")],
        ["--tls-ca-cert-file", join(folder, "ca.pem")],
      ),
      "tls",
    );
    const { node } = await nodes(`rediss://:hunter2@localhost:${port}`);
    const knowing = await node({ NODE_EXTRA_CA_CERTS: join(folder, "ca.pem") });
    await expectAnswer(knowing, await begin(knowing, "fr"), "fr");
    const doubting = await node({ AFTERWORD_LOG: "debug" });
    expect(await readAnswer(doubting, await begin(doubting, "fr"))).toBe(engineWords);
    await Promise.all([knowing.stop(), doubting.stop()]);
    expect(events(doubting.stderr())).toEqual(["state-store-failing"]);
    expect([knowing.stderr(), doubting.stderr(), doubting.stdout()].join()).not.toContain(
      "hunter2",
    );
  });

  it("do not start with an address that is none, and do not repeat it", async () => {
    const { node } = await nodes("redis://bot:hunter2@cache/first");
    const starting = node();
    await expect(starting).rejects.toThrow(
      /ended before it listened \(1\): .*nodes\.yaml:\d+:\d+: error: redis\[s\]:/u,
    );
    await expect(starting).rejects.not.toThrow("hunter2");
  });
});

/** The events about the store in a log of JSON lines. */
function events(log: string): string[] {
  return Array.from(log.matchAll(/"event":"(state-store-\w+)"/gu), ([, event = ""]) => event);
}
