import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildBundle, type Bundle } from "../../bench/worker/build.ts";

const secrets = {
  API_KEY: "hunter-key-1",
  SECRET: "hunter-secret-2",
  CHAT_APP: "hunter-app-3",
  CHAT_SECRET: "hunter-secret-4",
  HOOK_SECRET: "hunter-hook-5",
};

const configuration = (mode: string, hookSecret = "${HOOK_SECRET}"): string => `version: 1
upstream: { auth: https://api.vendor.example, chat: https://chat.vendor.example }
instances:
  - name: shop
    match: {}
    created: 2018-06-01
    language: es
    credentials: { apiKey: "\${API_KEY}", secret: "\${SECRET}", chatApp: "\${CHAT_APP}", chatSecret: "\${CHAT_SECRET}", room: 1 }
escalation: { mode: ${mode}, chat: { hookSecret: "${hookSecret}" } }
`;

/** KiB, gzip: what its code may add with the words of two languages, and its lines in all. */
const limits = { code: 36, lines: 26 };

describe("what goes to the edge of a configuration that hands over", () => {
  let directory: string;
  let plain: Bundle;
  let handing: Bundle;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "afterword-bundle-"));
    plain = await build("off");
    handing = await build("managed");
  });
  afterAll(() => rm(directory, { recursive: true }));

  it("is in no other bundle: neither its code, nor its lines, nor readers' words", () => {
    const files = Object.keys(plain.inputs);
    expect(files.filter((file) => /escalation|polar|outside/.test(file))).toEqual([]);
    for (const mark of ["x-hook-signature", "un agente humano"]) {
      expect([mark, plain.code.includes(mark), plain.data.includes(mark)]).toEqual([
        mark,
        false,
        false,
      ]);
    }
    expect(plain.data).not.toContain("escalation.connecting");
    expect(handing.data).toContain("escalation.connecting");
    expect(handing.code).toContain("x-hook-signature");
  });

  it("holds no secret, and names those that are to be set", () => {
    for (const secret of ["hunter", directory]) {
      expect(handing.code).not.toContain(secret);
      expect(handing.data).not.toContain(secret);
    }
    for (const name of Object.keys(secrets)) {
      expect(handing.data).toContain(`afterword-worker-binding:${name}}`);
    }
  });

  it("is refused with a secret that stands in the file", async () => {
    await expect(build("managed", "a secret in the file")).rejects.toThrow(
      /instance shop: escalation\.chat\.hookSecret stands in the file/,
    );
  });

  it("understands readers in English and in its own languages, in all of them when that is wanted", async () => {
    expect(handing.code).toContain("un agente humano");
    expect(handing.code).toContain("a human being");
    expect(handing.code).not.toContain("einem Menschen");
    const all = await build("managed", undefined, { AFTERWORD_WORDS: "all" });
    expect(all.code).toContain("einem Menschen");
    expect(all.code.length).toBeGreaterThan(handing.code.length + 50_000);
    const some = await build("managed", undefined, { AFTERWORD_WORDS: "en" });
    expect(some.code).not.toContain("un agente humano");
  });

  it("weighs no more than it may", () => {
    const code = kib(handing.code) - kib(plain.code);
    const lines = kib(handing.data) - kib(plain.data);
    expect(code).toBeLessThan(limits.code);
    expect(lines).toBeLessThan(limits.lines);
  });

  async function build(
    mode: string,
    hookSecret?: string,
    env: Readonly<Record<string, string>> = {},
  ): Promise<Bundle> {
    const file = join(directory, "afterword.yaml");
    await writeFile(file, configuration(mode, hookSecret));
    return buildBundle({ ...secrets, ...env, AFTERWORD_CONFIG: file });
  }
});

function kib(text: string): number {
  return gzipSync(text, { level: 9 }).length / 1024;
}
