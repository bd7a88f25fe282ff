import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { phrasesOf } from "../../src/locales/spoken-form.ts";
import { WORDS } from "../fixtures/recognition.ts";
import { wordsPath } from "../../src/runtime/worker/compiled.ts";
import {
  buildBundle,
  type Bundle,
  largestScript,
  root,
  weightOf,
} from "../../bench/worker/build.ts";

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
  let handing: Bundle;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "afterword-bundle-"));
    handing = await build("managed");
  });
  afterAll(() => rm(directory, { recursive: true }));

  it("holds no secret, and names those that are to be set", () => {
    for (const secret of ["hunter", directory]) {
      expect(handing.script).not.toContain(secret);
    }
    for (const name of Object.keys(secrets)) {
      expect(handing.script).toContain(`afterword-worker-binding:${name}}`);
    }
  });

  it("is refused with a secret that stands in the file", async () => {
    await expect(build("managed", "a secret in the file")).rejects.toThrow(
      /instance shop: escalation\.chat\.hookSecret stands in the file/,
    );
  });

  it("has in the script what is said, and what readers say in English", () => {
    const spoken = phrasesOf(WORDS["en"]?.person.person ?? "");
    expect(spoken.length).toBeGreaterThan(20);
    const texts = ["Would you like to talk to a person?", ...spoken];
    // Not the script itself in the message: it is large.
    expect(texts.filter((text) => !handing.script.includes(text))).toEqual([]);
  });

  it("has what readers say in each language beside the script, as a static asset", async () => {
    expect(Object.keys(WORDS)).toHaveLength(30);
    for (const [language, words] of Object.entries(WORDS)) {
      const file = join(root, "dist/worker/pages", wordsPath(language));
      expect(JSON.parse(await readFile(file, "utf8"))).toEqual(words);
    }
  });

  it("weighs no more than it may, with every setting", async () => {
    const full = await build("managed", undefined, {}, everySetting);
    expect(weightOf(full)).toBeLessThan(largestScript);
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
