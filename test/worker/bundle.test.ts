import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { buildBundle, type Bundle, largestScript, weightOf } from "../../bench/worker/build.ts";
import { FLAGS } from "../../src/direct-answers/flags.ts";
import { LOCALES } from "../../src/locales/shipped.ts";
import { workspace } from "../config/workspace.ts";

const root = join(import.meta.dirname, "../..");

/** A sentence out of each library's own source: names are shortened by a bundler, texts are not. */
const marks: readonly (readonly [library: string, file: string, text: string])[] = [
  ["yaml", "yaml/dist/compose/resolve-block-map.js", "Implicit keys need to be on a single line"],
  ["zod", "zod/v4/locales/en.js", "Invalid input: expected "],
  ["i18next", "i18next/dist/esm/i18next.js", "missingInterpolationHandler"],
  ["undici", "undici/lib/core/errors.js", "undici.error.UND_ERR_CONNECT_TIMEOUT"],
];

const secrets = {
  SHOP_KEY: "hunter-key-1",
  SHOP_SECRET: "hunter-secret-2",
  VENDOR: "api.vendor.example",
};

const configuration = `version: 1
upstream: { auth: "https://\${VENDOR}" }
instances:
  - name: shop
    created: 2018-06-01
    credentials: { apiKey: "\${SHOP_KEY}", secret: "\${SHOP_SECRET}" }
`;

describe("what goes to the edge", () => {
  let plain: Bundle;
  let shop: Bundle;

  beforeAll(async () => {
    plain = await buildBundle();
    const directory = await mkdtemp(join(tmpdir(), "afterword-bundle-"));
    const file = join(directory, "afterword.yaml");
    await writeFile(file, configuration);
    await mkdir(join(directory, "messages"));
    await writeFile(join(directory, "messages/en.yaml"), "welcome: Ahoy from the shop\n");
    shop = await buildBundle({ ...secrets, AFTERWORD_CONFIG: file });
    await rm(directory, { recursive: true });
  });

  it("is made of src/, the compiled configuration, hono, jose and lru-cache, and of nothing else", () => {
    const files = Object.keys(plain.inputs);
    expect(files).toContain("src/gateway/gateway.ts");
    const known =
      /^(?:src\/|dist\/worker\/compiled\.json$|node_modules\/(?:hono|jose|lru-cache)\/)/;
    expect(files.filter((file) => !known.test(file))).toEqual([]);
    const foreign = /^src\/(?:backend|cli|testing|runtime\/node|runtime\/bun)\//;
    expect(files.filter((file) => foreign.test(file))).toEqual([]);
  });

  it("needs no Node built-in", () => {
    expect(plain.script).not.toMatch(
      /["'`]node:|\b(?:from|import)\s*\(?["'`](?:fs|path|crypto)\b|\brequire\(/,
    );
  });

  it.each(marks)("holds nothing of %s", async (_, file, text) => {
    // A mark that the library has lost would prove nothing.
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

  it("weighs no more than it may", () => {
    expect(weightOf(plain)).toBeLessThan(largestScript);
  });

  it("is not built from a configuration with an error, which is named with its place", async () => {
    const directory = await workspace({ "afterword.yaml": "" });
    const file = join(directory, "afterword.yaml");
    await writeFile(file, "version: 1\nupstrem: embedded\n");
    await expect(buildBundle({ AFTERWORD_CONFIG: file })).rejects.toThrow(/afterword\.yaml:2:1/);
  });
});
