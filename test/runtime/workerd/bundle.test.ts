import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createFolder } from "../../fixtures/folder.ts";
import {
  buildBundle,
  type Bundle,
  maxScriptSize,
  root,
  weightOf,
} from "../../../bench/worker/build.ts";
import { FLAGS } from "../../../src/direct-answers/flags.ts";
import { LOCALES } from "../../../src/locales/shipped.ts";
import { phrasesOf } from "../../../src/locales/spoken-form.ts";
import { toWordsPath } from "../../../src/runtime/worker/compiled.ts";
import { workspace } from "../../config/workspace.ts";
import { WORDS } from "../../fixtures/recognition.ts";

// Both parts build into dist/worker: one after the other.

/** A sentence from each library's source, because a bundler shortens names but not texts. */
const marks: readonly (readonly [library: string, file: string, text: string])[] = [
  ["yaml", "yaml/dist/compose/resolve-block-map.js", "Implicit keys need to be on a single line"],
  ["zod", "zod/v4/locales/en.js", "Invalid input: expected "],
  ["i18next", "i18next/dist/esm/i18next.js", "missingInterpolationHandler"],
  ["undici", "undici/lib/core/errors.js", "undici.error.UND_ERR_CONNECT_TIMEOUT"],
];

const shopSecrets = {
  SHOP_KEY: "hunter-key-1",
  SHOP_SECRET: "hunter-secret-2",
  VENDOR: "api.vendor.example",
};

const shopConfiguration = `version: 1
upstream: { auth: "https://\${VENDOR}" }
instances:
  - name: shop
    created: 2018-06-01
    credentials: { apiKey: "\${SHOP_KEY}", secret: "\${SHOP_SECRET}" }
`;

describe("the Worker's bundle", () => {
  let plain: Bundle;
  let shop: Bundle;

  const directory = createFolder(afterAll);

  beforeAll(async () => {
    plain = await buildBundle();
    const file = join(directory, "afterword.yaml");
    await writeFile(file, shopConfiguration);
    await mkdir(join(directory, "messages"));
    await writeFile(join(directory, "messages/en.yaml"), "welcome: Ahoy from the shop\n");
    shop = await buildBundle({ ...shopSecrets, AFTERWORD_CONFIG: file });
  });

  it("is made of src/, the compiled configuration, hono, jose, lru-cache and diff, and of nothing else", () => {
    const files = Object.keys(plain.inputs);
    expect(files).toContain("src/gateway/gateway.ts");
    const known =
      /^(?:src\/|dist\/worker\/compiled\.json$|node_modules\/(?:diff|hono|jose|lru-cache)\/)/;
    expect(files.filter((file) => !known.test(file))).toEqual([]);
    const foreign = /^src\/(?:backend|cli|testing|runtime\/node)\//;
    expect(files.filter((file) => foreign.test(file))).toEqual([]);
  });

  it("needs no Node built-in", () => {
    expect(plain.script).not.toMatch(
      /["'`]node:|\b(?:from|import)\s*\(?["'`](?:fs|path|crypto)\b|\brequire\(/,
    );
  });

  it.each(marks)("holds nothing of %s", async (_, file, text) => {
    // A mark that the library no longer has would prove nothing.
    expect(await readFile(join(root, "node_modules", file), "utf8")).toContain(text);
    for (const { script } of [plain, shop]) expect(script.includes(text)).toBe(false);
  });

  it("holds no secret, no test's data and no path of the machine that built it", () => {
    for (const { script } of [plain, shop]) {
      for (const secret of [
        "hunter",
        "demo-secret",
        "demo-app-secret",
        "scripted",
        root,
        "/tmp/",
      ]) {
        expect([secret, script.includes(secret)]).toEqual([secret, false]);
      }
    }
    expect(shop.script).toContain("api.vendor.example");
  });

  it("knows all flags, speaks all shipped languages, and the owner's words", () => {
    for (const flag of FLAGS) expect(plain.script).toContain(flag);
    const [tables] = plain.compiled.tables.sets;
    expect(Object.keys(tables?.channels[""] ?? {}).toSorted()).toEqual([...LOCALES].toSorted());
    expect(shop.script).toContain("Ahoy from the shop");
  });

  it("is not larger than its limit", () => {
    expect(weightOf(plain)).toBeLessThan(maxScriptSize);
  });

  it("is not built from a configuration with an error, which is named with its place", async () => {
    const directory = await workspace({ "afterword.yaml": "" });
    const file = join(directory, "afterword.yaml");
    await writeFile(file, "version: 1\nupstrem: embedded\n");
    await expect(buildBundle({ AFTERWORD_CONFIG: file })).rejects.toThrow(/afterword\.yaml:2:1/);
  });
});

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

/** The settings that add to that: consent, opening hours, and a survey. */
const everySetting =
  ', survey: s1 }, identity: { consent: true }, hours: { zone: Europe/Paris, weekly: { mon-fri: ["09:00-17:00"] }';

describe("the Worker's bundle of a configuration with hand-overs", () => {
  const directory = createFolder(afterAll);
  let handing: Bundle;

  beforeAll(async () => {
    handing = await build("managed", undefined, {}, everySetting);
  });

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
    // The message does not contain the script itself, which is large.
    expect(texts.filter((text) => !handing.script.includes(text))).toEqual([]);
  });

  it("has what readers say in each language beside the script, as a static asset", async () => {
    expect(Object.keys(WORDS)).toHaveLength(30);
    for (const [language, words] of Object.entries(WORDS)) {
      const file = join(root, "dist/worker/pages", toWordsPath(language));
      expect(JSON.parse(await readFile(file, "utf8"))).toEqual(words);
    }
  });

  it("is not larger than its limit, with every setting", () => {
    expect(weightOf(handing)).toBeLessThan(maxScriptSize);
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
