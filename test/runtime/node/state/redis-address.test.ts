import { describe, expect, it } from "vitest";
import { readRedisAddress } from "../../../../src/config/schema/redis-address.ts";

describe("a Redis address", () => {
  it.each([
    ["redis://cache", "cache", 6379, 0, null, null, "redis://cache:6379/0"],
    ["redis://127.0.0.1:7000/3", "127.0.0.1", 7000, 3, null, null, "redis://127.0.0.1:7000/3"],
    ["redis://[::1]:7000/", "::1", 7000, 0, null, null, "redis://[::1]:7000/0"],
    ["redis://:p%40ss@cache/", "cache", 6379, 0, null, "p@ss", "redis://cache:6379/0"],
    ["redis://bot:p%2Fw@cache:1/15", "cache", 1, 15, "bot", "p/w", "redis://cache:1/15"],
  ])("%s is taken apart", (written, host, port, database, username, password, name) => {
    expect(readRedisAddress(written)).toMatchObject({
      ...{ host, port, database, username, password, name },
      tls: false,
    });
  });

  it("of rediss speaks TLS, and names the host to the server unless it is an IP address", () => {
    expect(readRedisAddress("rediss://cache")).toMatchObject({ tls: true, servername: "cache" });
    expect(readRedisAddress("rediss://10.0.0.1")).toMatchObject({ tls: true, servername: null });
    expect(readRedisAddress("rediss://[::1]")).toMatchObject({ tls: true, servername: null });
  });

  it.each([
    "redis://",
    "redis://:hunter2@",
    "redis://cache:hunter2",
    "redis://cache:99999",
    "redis://cache/hunter2",
    "redis://cache/1/2",
    "redis://user:hunter2%@cache",
    "redis://user:hunter2#@cache",
    "redis://user:hunter2?@cache",
    "redis://cache?password=hunter2",
    "http://user:hunter2@cache",
    "hunter2",
    "",
  ])("%s is refused without being repeated", (written) => {
    const refusal = refusalOf(() => readRedisAddress(written));
    expect(refusal).toMatchObject({ code: "config-invalid" });
    expect(refusal.message).toContain("state.store is not redis[s]://");
    expect(JSON.stringify([refusal.message, refusal.stack, refusal.cause])).not.toContain(
      "hunter2",
    );
  });
});

function refusalOf(work: () => unknown): Error {
  try {
    work();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error("it was taken");
}
