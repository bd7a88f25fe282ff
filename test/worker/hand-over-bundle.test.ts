import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { handOverBudgets } from "../../bench/worker/budgets.ts";
import { buildBundle, type Bundle } from "../../bench/worker/build.ts";

const secrets = {
  API_KEY: "hunter-key-1",
  SECRET: "hunter-secret-2",
  CHAT_APP: "hunter-app-3",
  CHAT_SECRET: "hunter-secret-4",
  HOOK_SECRET: "hunter-hook-5",
};

const configuration = (
  mode: string,
  hookSecret = "${HOOK_SECRET}",
  more = "",
): string => `version: 1
upstream: { auth: https://api.vendor.example, chat: https://chat.vendor.example }
instances:
  - name: shop
    match: {}
    created: 2018-06-01
    language: es
    credentials: { apiKey: "\${API_KEY}", secret: "\${SECRET}", chatApp: "\${CHAT_APP}", chatSecret: "\${CHAT_SECRET}", room: 1 }
escalation: { mode: ${mode}, chat: { hookSecret: "${hookSecret}"${more} } }
`;

/** What can be said beyond that: who is asked for their consent, comes too late, and is asked how it was. */
const everySetting =
  ', survey: s1 }, identity: { consent: true }, hours: { zone: Europe/Paris, weekly: { mon-fri: ["09:00-17:00"] }';

/** KiB, gzip: the lines that the settings above can say, in 32 languages, and the words of all. */
const limits = { lines: 17.5, allWords: 46 };

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
    expect(plain.code).not.toContain("x-hook-signature");
    expect(plain.data).not.toContain("escalation.connecting");
    expect(plain.words).toBe("");
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
    expect(handing.words).toContain("un agente humano");
    expect(handing.words).toContain("a human being");
    expect(handing.words).not.toContain("einem menschen");
    // A script with a word in it would weigh more.
    expect(handing.code).not.toContain("agente humano");
    const all = await build("managed", undefined, { AFTERWORD_WORDS: "all" });
    expect(all.words).toContain("einem menschen");
    expect(kib(all.words)).toBeLessThan(limits.allWords);
    const some = await build("managed", undefined, { AFTERWORD_WORDS: "en" });
    expect(some.words).not.toContain("un agente humano");
  });

  it("weighs no more than it may", () => {
    expect(kib(handing.data) - kib(plain.data)).toBeLessThan(limits.lines);
  });

  it("has the lines that its settings can say in all languages, and no others", async () => {
    const [consent, hours] = ["datos. ¿Estás de acuerdo?", "Unser Team ist gerade nicht da"];
    // The instance's own language keeps what a conversation of an earlier deployment may need.
    expect([handing.data.includes(consent), handing.data.includes(hours)]).toEqual([true, false]);
    const full = await build("managed", undefined, {}, everySetting);
    expect([full.data.includes(consent), full.data.includes(hours)]).toEqual([true, true]);
    for (const { name, measured, limit } of handOverBudgets(plain, full)) {
      expect([name, measured <= limit, measured]).toEqual([name, true, measured]);
    }
  });

  async function build(
    mode: string,
    hookSecret?: string,
    env: Readonly<Record<string, string>> = {},
    more = "",
  ): Promise<Bundle> {
    const file = join(directory, "afterword.yaml");
    await writeFile(file, configuration(mode, hookSecret, more));
    return buildBundle({ ...secrets, ...env, AFTERWORD_CONFIG: file });
  }
});

function kib(text: string): number {
  return gzipSync(text, { level: 9 }).length / 1024;
}
