// Suite: slow
import { appendFile, copyFile, cp, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { checkConfig } from "../../../src/config/check/check.ts";
import type { Config } from "../../../src/config/config.ts";
import { loadAll } from "../../../src/config/load/load.ts";
import { findPackageRoot } from "../../../src/config/load/package-root.ts";
import { prepareTables } from "../../../build/shipped-tables.ts";
import {
  type PreparedTables,
  readPreparedTables,
} from "../../../src/config/load/prepared-tables.ts";
import { MINIMAL, spoken, workspace } from "../workspace.ts";

const locales = join(findPackageRoot(), "locales");
let prepared: PreparedTables;
beforeAll(async () => {
  prepared = await prepareTables(locales);
});

const ONE = "instances: [{ name: a, created: 2018-06-01, variables: [name] }]\n";
const OWN = {
  "messages/en.yaml": 'welcome: "Hi {{name}}"\nno-results: { plural: { one: A, other: B } }\n',
  "messages/pt-BR.yaml": "welcome: { text: Oi, channels: { voice: Alô } }\n",
  "messages/tlh.yaml": "welcome: nuqneH\n",
};

/** Both ways to load the same files. */
async function both(files: Record<string, string>, shipped: string = locales) {
  const file = join(
    await workspace({ "afterword.yaml": MINIMAL + ONE, ...files }),
    "afterword.yaml",
  );
  const options = { env: {}, shipped };
  return {
    anew: await loadAll(file, { ...options, prepared: null }),
    quick: await loadAll(file, { ...options, prepared }),
    checked: await checkConfig(file, { ...options, prepared: null }),
    quicklyChecked: await checkConfig(file, { ...options, prepared }),
  };
}

/** A copy of the shipped tables. */
async function copied(): Promise<string> {
  const directory = await workspace({});
  await cp(locales, directory, { recursive: true });
  return directory;
}

function firstSet(config: Config | null) {
  return config?.tableSets[0];
}

describe("a load with prepared tables", () => {
  test.each<[string, Record<string, string>]>([
    ["the defaults", {}],
    ["texts of the owner's before them", OWN],
    [
      "the owner's texts behind them",
      { ...OWN, "afterword.yaml": `${MINIMAL}messages: { use: [shipped, own] }\n${ONE}` },
    ],
    [
      "only the owner's texts",
      { ...OWN, "afterword.yaml": `${MINIMAL}messages: { use: [own] }\n${ONE}` },
    ],
    [
      "chains and another default",
      {
        "afterword.yaml": `${MINIMAL}messages: { fallback: { default: fr, chains: { pt-PT: [pt-BR, es] } } }\n${ONE}`,
      },
    ],
    [
      "channels in plain text",
      {
        ...OWN,
        "afterword.yaml": `${MINIMAL}instances: [{ name: a, created: 2018-06-01, variables: [name], format: { default: text, web: html } }]\n`,
      },
    ],
    ["a text with a mistake", { "messages/en.yaml": 'welcome: "Hi {{nobody}}"\n' }],
  ])("finds what a load of the YAML files finds: %s", async (_, files) => {
    const { anew, quick, checked, quicklyChecked } = await both(files);
    expect(quick.config).toEqual(anew.config);
    expect(quick.config?.hash).toBe(anew.config?.hash);
    expect(quick.diagnostics).toEqual(anew.diagnostics);
    expect(quick.sources).toEqual(anew.sources);
    // How a table was read, and by which functions, is no finding.
    const findings = ({ config, diagnostics, texts }: typeof checked) => ({
      config,
      diagnostics,
      texts,
    });
    expect(findings(quicklyChecked)).toEqual(findings(checked));
  });

  test("asks the prepared tables, and not the files, for what is said", async () => {
    const copy = structuredClone(prepared);
    for (const { locale, lines } of Object.values(copy.files)) {
      const wording = { text: { format: "html", parts: ["prepared"] } } as const;
      if (locale === "fr")
        Object.assign(lines, { welcome: [{ say: wording, origin: "shipped", locale }] });
    }
    const directory = await workspace({ "afterword.yaml": MINIMAL + ONE });
    const file = join(directory, "afterword.yaml");
    const { config } = await loadAll(file, { env: {}, shipped: locales, prepared: copy });
    expect(spoken(firstSet(config), "fr", "welcome")).toEqual(["shipped fr prepared"]);
  });

  test("reads a shipped file that was changed since", async () => {
    const shipped = await copied();
    await writeFile(join(shipped, "fr.yaml"), "welcome: Changé\n");
    await appendFile(join(shipped, "de.yaml"), "# a comment\n");
    const { anew, quick } = await both({}, shipped);
    expect(spoken(firstSet(quick.config), "fr", "welcome")).toEqual(["shipped fr Changé"]);
    expect(quick.config).toEqual(anew.config);
  });

  test("takes no file for another language that has the same bytes", async () => {
    const shipped = await copied();
    await copyFile(join(shipped, "fr.yaml"), join(shipped, "oc.yaml"));
    await rm(join(shipped, "gl.yaml"));
    const { anew, quick } = await both({}, shipped);
    expect(spoken(firstSet(quick.config), "oc", "welcome")[0]).toMatch(/^shipped oc /);
    expect(quick.config).toEqual(anew.config);
  });
});

describe("preparing tables", () => {
  test("covers every shipped file", async () => {
    const files = (await readdir(locales)).filter((name) => name.endsWith(".yaml"));
    const named = Object.values(prepared.files).map(({ locale }) => `${locale}.yaml`);
    expect(named.sort()).toEqual(files.sort());
  });

  test.each([
    ["a placeholder that nothing fills", 'welcome: "Hi {{nobody}}"\n', "nobody"],
    [
      "a text for a single channel",
      "welcome: { text: Hi, channels: { voice: Hello } }\n",
      "channels",
    ],
    ["an unknown flag", "welkome: Hi\n", "welkome"],
  ])("is refused for %s", async (_, text, named) => {
    const directory = await workspace({ "en.yaml": text });
    await expect(prepareTables(directory)).rejects.toMatchObject({
      code: "config-invalid",
      message: expect.stringContaining(named),
    });
  });
});

describe("a file of prepared tables", () => {
  const read = async (text: string) =>
    readPreparedTables(
      pathToFileURL(join(await workspace({ "tables.json": text }), "tables.json")),
    );

  test("gives what was prepared", async () => {
    expect(await read(JSON.stringify(prepared))).toEqual(prepared);
  });

  test.each(["", "{"])("that was cut off is no file: %j", async (text) => {
    expect(await read(text)).toBeNull();
  });

  test("is not there from source", () => {
    expect(readPreparedTables()).toBeNull();
  });
});
