import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { handOverBudgets } from "../../bench/worker/budgets.ts";
import { buildBundle, type Bundle } from "../../bench/worker/build.ts";
import { LOCALES } from "../../src/locales/shipped.ts";

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

/** What adds to that: who is asked for their consent, comes too late, and is asked how it was. */
const everySetting =
  ', survey: s1 }, identity: { consent: true }, hours: { zone: Europe/Paris, weekly: { mon-fri: ["09:00-17:00"] }';

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

  it("says everything in the fallback's language, and has what it says and understands in others beside the script", async () => {
    expect(handing.data).toContain("Would you like to talk to a person?");
    for (const text of ["hablar con una persona", "un agente humano", "a human being"]) {
      expect([text, handing.data.includes(text), handing.code.includes(text)]).toEqual([
        text,
        false,
        false,
      ]);
    }
    expect(Object.keys(handing.lines).toSorted()).toEqual([...LOCALES].toSorted());
    const spanish = handing.lines["es"] ?? "";
    expect(spanish).toContain("hablar con una persona");
    expect(spanish).toContain("un agente humano");
    expect(spanish).toContain("a human being");
    expect(Object.keys(plain.lines)).toEqual(["none"]);
  });

  it("weighs no more than it may, with every setting", async () => {
    const full = await build("managed", undefined, {}, everySetting);
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
