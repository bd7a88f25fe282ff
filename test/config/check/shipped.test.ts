// Suite: slow
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { checkConfig } from "../../../src/config/check/check.ts";
import { findPackageRoot } from "../../../src/config/load/package-root.ts";
import { OWN_LINES } from "../../../src/locales/own-lines.ts";
import { LOCALES } from "../../../src/locales/shipped.ts";
import { LINE_KEYS } from "../../../src/config/schema/messages.ts";
import { MINIMAL, workspace } from "../workspace.ts";

const directory = join(findPackageRoot(), "locales");
const shipped: Readonly<Record<string, string>> = Object.fromEntries(
  readdirSync(directory)
    .filter((name) => name.endsWith(".yaml"))
    .map((name) => [`locales/${name}`, readFileSync(join(directory, name), "utf8")]),
);
const ONE = "instances: [{ name: a, created: 2018-06-01 }]\n";

/** Errors of a check on these tables, as `file: message`. */
async function errors(
  tables: Readonly<Record<string, string>>,
  config = MINIMAL + ONE,
): Promise<readonly string[]> {
  const at = await workspace({ ...tables, "afterword.yaml": config });
  const { diagnostics } = await checkConfig(join(at, "afterword.yaml"), {
    env: {},
    shipped: join(at, "locales"),
  });
  return diagnostics
    .filter(({ severity }) => severity === "error")
    .map(({ code, file, message }) => `${code} ${file.slice(at.length + 1)}: ${message}`);
}

function without(text: string, key: string): string {
  return text.replace(new RegExp(`^${key}:.*\\n(?: .*\\n)*`, "mu"), "");
}

const missing = (locale: string, key: string): string =>
  `missing-key locales/${locale}.yaml: the shipped table of ${locale} has no text for "${key}"`;

describe("a check of the shipped tables", () => {
  test("finds nothing wrong with those that there are", async () => {
    expect(Object.keys(shipped)).toHaveLength(LOCALES.length);
    expect(await errors(shipped)).toEqual([]);
  });

  test.each(LINE_KEYS)("names the file and the key when any of them lacks %s", async (key) => {
    const cut = Object.fromEntries(
      Object.entries(shipped).map(([name, text]) => [name, without(text, key)]),
    );
    expect(await errors(cut)).toEqual(LOCALES.map((locale) => missing(locale, key)).toSorted());
  });

  test("names every key that a table lacks, and no other", async () => {
    const keys = [...LINE_KEYS, ...OWN_LINES];
    // A check shows at most 50 findings of a kind in a file.
    const halves = [keys.slice(0, 40), keys.slice(40)];
    for (const first of [0, 1]) {
      // Neighbours lack different keys.
      const lacking = LOCALES.map(
        (locale, at) => [locale, halves[(at + first) % 2] ?? []] as const,
      );
      const cut = lacking.map(([locale, some]) => {
        const name = `locales/${locale}.yaml`;
        return [name, some.reduce(without, shipped[name] ?? "")];
      });
      const found = await errors({ ...shipped, ...Object.fromEntries(cut) });
      const expected = lacking.flatMap(([locale, some]) => some.map((key) => missing(locale, key)));
      expect(found.toSorted()).toEqual(expected.toSorted());
    }
  });

  test.each(OWN_LINES)("names a table that lacks %s", async (key) => {
    const name = "locales/en.yaml";
    const cut = { ...shipped, [name]: without(shipped[name] ?? "", key) };
    expect(await errors(cut)).toEqual([missing("en", key)]);
  });

  test("reports a key that has only lines with a condition or for one channel as missing", async () => {
    const name = "locales/fr.yaml";
    const partly = {
      welcome: 'welcome: { when: [{ env: production, text: "Salut" }] }\n',
      "end-form": "end-form: { channels: { voice: Fini } }\n",
    };
    for (const [key, text] of Object.entries(partly)) {
      const table = without(shipped[name] ?? "", key) + text;
      expect(await errors({ ...shipped, [name]: table })).toEqual([missing("fr", key)]);
    }
  });

  test("names a table that is gone", async () => {
    const { "locales/he.yaml": _, ...rest } = shipped;
    expect(await errors(rest)).toEqual([
      "missing-table locales/he.yaml: the shipped table of he is missing, with all its texts",
    ]);
  });

  test("reports it once, also for several sets of texts", async () => {
    const cut = {
      ...shipped,
      "locales/fr.yaml": without(shipped["locales/fr.yaml"] ?? "", "welcome"),
    };
    const two =
      "instances: [{ name: a, created: 2018-06-01, match: { apiKey: k } }, { name: b, created: 2018-06-01, format: text }]\n";
    expect(await errors(cut, MINIMAL + two)).toEqual([missing("fr", "welcome")]);
  });

  test("does not check them when an owner does without", async () => {
    const cut = {
      ...shipped,
      "locales/fr.yaml": "# nothing\n",
      "messages/en.yaml": "welcome: x\n",
    };
    expect(await errors(cut, `${MINIMAL}messages: { use: [own] }\n${ONE}`)).toEqual([]);
  });
});
