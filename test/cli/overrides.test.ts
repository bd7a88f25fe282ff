// Suite: slow
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { createOverridesCommand, openWranglerStore } from "../../src/cli/overrides/command.ts";
import type { KeyedTexts } from "../../src/runtime/worker/platform.ts";
import { runCommand } from "../../src/cli/run.ts";
import { listKey, readList, toVersionKey } from "../../src/runtime/worker/pushed-texts.ts";
import { workspace } from "../config/workspace.ts";

const CONFIG = `version: 1
upstream: { auth: https://api.example.com }
instances:
  - name: shop
    created: 2018-06-01
    credentials: { apiKey: "\${SHOP_KEY}", secret: "\${SHOP_SECRET}" }
messages: { dir: ./texts }
`;

const kept = new Map<string, string>();
const store: KeyedTexts = {
  get: async (key) => kept.get(key) ?? null,
  put: async (key, text) => void kept.set(key, text),
  delete: async (key) => void kept.delete(key),
};
let time = Date.UTC(2026, 10, 21, 10, 0, 0);
const command = createOverridesCommand(
  () => store,
  () => (time += 60_000),
);

beforeEach(() => kept.clear());

async function afterword(...argv: string[]): Promise<{ code: number; out: string }> {
  let out = "";
  const say = (text: string): void => void (out += text);
  const code = await runCommand({ summary: "", load: async () => command }, argv, {
    out: say,
    error: say,
    readInput: async () => new Uint8Array(),
    interactive: false,
    columns: 80,
    env: { SHOP_SECRET: "hunter2" },
  });
  return { code, out };
}

async function bot(welcome: string) {
  const directory = await workspace({
    "afterword.yaml": CONFIG,
    "texts/en.yaml": `welcome: ${welcome}\n`,
  });
  const config = ["--config", join(directory, "afterword.yaml")];
  return {
    push: (...more: string[]) => afterword("push", ...config, ...more),
    says: (text: string) => writeFile(join(directory, "texts/en.yaml"), text),
  };
}

function inForce(): string {
  const { current } = readList(kept.get(listKey) ?? "") ?? expect.fail("no list");
  return kept.get(toVersionKey(current ?? "")) ?? "";
}

describe("afterword overrides push", () => {
  it("stores all texts as a version, and puts it in force", async () => {
    const { push } = await bot("Ahoy");
    const { code, out } = await push();
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/^\d{8}T\d{6}Z-[0-9a-f]{12} is in force: \d+ texts for 1 instance\./),
    ]);
    expect(inForce()).toContain("Ahoy");
    expect((await afterword("list")).out).toMatch(/^\* \d{8}T\S+\n {2}deployed\n$/);
  });

  it("writes nothing when a text is wrong, and names its place", async () => {
    const { push, says } = await bot("Ahoy");
    await push();
    const before = new Map(kept);
    await says("welcome: Ahoy\nno-resluts: x\n");
    const { code, out } = await push();
    expect([code, out]).toEqual([
      1,
      expect.stringMatching(/texts\/en\.yaml:2:1.*no-resluts.*no-results/s),
    ]);
    expect(kept).toEqual(before);
  });

  it("stores no credential, not even its variable's name", async () => {
    const { push } = await bot("Ahoy");
    await push();
    expect([...kept.values()].join()).not.toMatch(/hunter2|SHOP_|binding/);
  });

  it("writes nothing when the texts in force say the same", async () => {
    const { push } = await bot("Ahoy");
    await push();
    const before = new Map(kept);
    expect((await push()).out).toContain("nothing was written");
    expect(kept).toEqual(before);
  });

  it("writes nothing with --dry-run", async () => {
    const { push } = await bot("Ahoy");
    expect((await push("--dry-run")).code).toBe(0);
    expect(kept.size).toBe(0);
  });

  it("keeps the twenty newest versions", async () => {
    const { push, says } = await bot("Ahoy");
    for (let i = 0; i < 22; i++) {
      await says(`welcome: Ahoy ${i}\n`);
      await push();
    }
    expect(readList(kept.get(listKey) ?? "")?.versions).toHaveLength(20);
    expect([...kept.keys()].filter((key) => key !== listKey)).toHaveLength(20);
    expect(inForce()).toContain("Ahoy 21");
  });
});

describe("afterword overrides rollback", () => {
  it("goes back to the version before, and then to what was deployed", async () => {
    const { push, says } = await bot("Ahoy");
    await push();
    await says("welcome: Servus\n");
    await push();
    expect(inForce()).toContain("Servus");
    await afterword("rollback");
    expect(inForce()).toContain("Ahoy");
    expect((await afterword("rollback")).out).toContain("what was deployed is in force");
    expect((await afterword("list")).out).toMatch(/^ {2}\S+\n {2}\S+\n\* deployed\n$/);
  });

  it("goes to a version by the beginning of its id or its hash, and to no other", async () => {
    const { push, says } = await bot("Ahoy");
    await push();
    const [first] = readList(kept.get(listKey) ?? "")?.versions ?? [];
    await says("welcome: Servus\n");
    await push();
    expect((await afterword("rollback", first?.id ?? "")).code).toBe(0);
    expect(inForce()).toContain("Ahoy");
    expect(await afterword("rollback", "2026")).toEqual({
      code: 2,
      out: expect.stringContaining("more than one"),
    });
    expect(await afterword("rollback", "1999")).toEqual({
      code: 2,
      out: expect.stringContaining("no version"),
    });
    expect((await afterword("rollback", "deployed")).code).toBe(0);
    expect((await afterword("rollback")).code).toBe(2);
  });

  it("does not restore a version whose texts are gone", async () => {
    const { push, says } = await bot("Ahoy");
    await push();
    const [first] = readList(kept.get(listKey) ?? "")?.versions ?? [];
    await says("welcome: Servus\n");
    await push();
    kept.delete(toVersionKey(first?.id ?? ""));
    expect(await afterword("rollback")).toEqual({
      code: 2,
      out: expect.stringContaining("not there any more"),
    });
    expect(inForce()).toContain("Servus");
  });
});

it("afterword overrides describes its commands", async () => {
  expect(await afterword("pull")).toEqual({
    code: 2,
    out: expect.stringContaining('push, list or rollback, not "pull"'),
  });
});

it("names the option when there is no wrangler configuration", () => {
  const options = { file: "none.toml", environment: null, local: null, env: {} };
  expect(() => openWranglerStore(options)).toThrow(/no file none\.toml: .*--wrangler$/);
});
