import { describe, expect, it } from "vitest";
import { readStateKeys } from "../../src/config/schema/state-keys.ts";
import { isAfterwordError } from "../../src/errors.ts";
import { load, MINIMAL } from "./workspace.ts";

const hex = "0f".repeat(32);
const base64 = Buffer.from(Uint8Array.from({ length: 32 }, (_, i) => i + 200)).toString("base64");

describe("state.key", () => {
  it("is absent unless it is set", async () => {
    const config = await load({ "afterword.yaml": MINIMAL });
    expect(config.state).toEqual({ store: "memory", retention: 30 * 86_400_000 });
  });

  it("comes from the environment, and stays out of the hash", async () => {
    const file = `${MINIMAL}state: { store: file, key: "\${STATE_KEY}" }\n`;
    const config = await load({ "afterword.yaml": file }, { STATE_KEY: `${hex},${base64}` });
    expect(config.state.key).toBe(`${hex},${base64}`);
    const other = await load({ "afterword.yaml": file }, { STATE_KEY: hex });
    expect(other.hash).toBe(config.hash);
  });

  it("is one or more keys of 32 bytes, as hex or base64 in either alphabet", () => {
    const url = base64.replaceAll("+", "-").replaceAll("/", "_").replace("=", "");
    const keys = readStateKeys(`${hex}, ${base64}`);
    expect(keys).toEqual(
      [Uint8Array.from(Buffer.from(hex, "hex")), Buffer.from(base64, "base64")].map((key) =>
        Uint8Array.from(key),
      ),
    );
    expect(readStateKeys(url)).toEqual([Uint8Array.from(Buffer.from(base64, "base64"))]);
  });

  it.each([
    ["nothing", ""],
    ["words", "correct horse battery staple"],
    ["16 bytes", "0f".repeat(16)],
    ["33 bytes", "0f".repeat(33)],
    ["an empty part", `${hex},`],
    ["the same key twice", `${hex},${hex.toUpperCase()}`],
    ["nothing but zeros", "A".repeat(43)],
  ])("refuses %s, with its place and without repeating it", async (_, key) => {
    const message = await refusal(`state: { store: file, key: "${key}" }`);
    expect(message).toMatch(/afterword\.yaml:\d+:\d+: error: a key of 32 bytes/);
    if (key !== "") expect(message).not.toContain(key);
  });
});

describe("state.store", () => {
  it.each([
    "redis://bot:hunter2@cache/x",
    "redis://bot:hunter2@cache:6379/1?db=2",
    "redis://bot:hunter2@cache/123456",
    "redis://bot:%zz@cache",
    "redis://bot:hunter2@:6379",
  ])("refuses %s when it is loaded, as the start would", async (store) => {
    expect(await refusal(`state: { store: "${store}" }`)).toMatch(
      /afterword\.yaml:\d+:\d+: error: redis\[s\]:\/\/\[user:password@\]host/,
    );
  });

  it("takes an address with user, password and database", async () => {
    const store = "rediss://bot:p%40ss@cache.example.com:6380/4";
    const config = await load({ "afterword.yaml": `${MINIMAL}state: { store: "${store}" }\n` });
    expect(config.state.store).toBe(store);
  });
});

async function refusal(yaml: string): Promise<string> {
  const failure: unknown = await load({ "afterword.yaml": `${MINIMAL}${yaml}\n` }).catch(
    (error: unknown) => error,
  );
  if (!isAfterwordError(failure)) throw new Error("it was not refused");
  expect(failure.code).toBe("config-invalid");
  return failure.message;
}
