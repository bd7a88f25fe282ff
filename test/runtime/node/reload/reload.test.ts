// Suite: slow
import { mkdir, readdir, rename, rm, symlink, unlink } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { join } from "node:path";
import { findPackageRoot } from "../../../../src/config/load/package-root.ts";
import { ask } from "../../../clients/connectors/http.ts";
import {
  type Folder,
  folder,
  type Reloading,
  serveFolder,
  textsIn,
  until,
  vendorConfig,
} from "./support.ts";

const english = (one: string, two = one): string => `no-results: "${one}"\nwelcome: "${two}"\n`;

function vendor(files: Readonly<Record<string, string>> = {}) {
  return folder({
    "afterword.yaml": vendorConfig(""),
    "messages/en.yaml": english("A"),
    ...files,
  });
}

const says = (gateway: Reloading, text: string, lang?: string) => async (): Promise<boolean> =>
  (await gateway.texts(lang))[0] === text;
const is = (gateway: Reloading, state: string) => async (): Promise<boolean> =>
  (await gateway.ready()).state === state;

describe("a text that is edited while the gateway runs", () => {
  it("is in the next answer, and the version's hash follows", async () => {
    const place = await vendor();
    const gateway = await serveFolder(place);
    expect(await gateway.texts()).toEqual(["A", "A"]);
    const before = await gateway.snapshot();
    expect(await gateway.ready()).toEqual({
      state: "ok",
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/u),
      snapshot: before,
      diagnostics: [],
    });
    await place.write("messages/en.yaml", english("B"));
    await until(says(gateway, "B"));
    expect(await gateway.texts()).toEqual(["B", "B"]);
    const { config } = gateway.running.gateway.core.snapshot();
    for (const part of [config, config.instances[0], config.tableSets[0]?.channels[""]]) {
      expect(Object.isFrozen(part)).toBe(true);
    }
    const after = await gateway.snapshot();
    expect(after).not.toBe(before);
    expect(await gateway.ready()).toMatchObject({ state: "ok", snapshot: after });
    expect(gateway.events("reloaded").at(-1)?.fields).toMatchObject({ snapshot: after });
    expect(gateway.running.gateway.metrics.text()).toMatch(
      /^afterword_reloads_total\{result="ok"\} [1-9]/mu,
    );
    expect(gateway.running.gateway.metrics.text()).toMatch(/^afterword_snapshot_age_seconds \d/mu);
  });

  it("may lie in a file that was not there before, or go with its file", async () => {
    const place = await vendor();
    const gateway = await serveFolder(place);
    expect(await gateway.texts("fr")).toEqual(["A", "A"]);
    await place.write("messages/fr.yaml", english("Bonjour"));
    await until(says(gateway, "Bonjour", "fr"));
    await unlink(place.at("messages/fr.yaml"));
    await until(says(gateway, "A", "fr"));
  });

  it("may lie in a directory that was not there before", async () => {
    const place = await folder({
      "afterword.yaml": vendorConfig("").replace("[own]", "[own, shipped]"),
    });
    const config = (await place.read("afterword.yaml")).replace("dir: ./messages, ", "");
    await place.write("afterword.yaml", config);
    const gateway = await serveFolder(place);
    await place.write("messages/en.yaml", english("A"));
    await until(says(gateway, "A"));
  });

  // A look during a write may load once more; the result is the same.
  it("is the same snapshot when a file is only touched", async () => {
    const place = await vendor();
    const gateway = await serveFolder(place);
    await gateway.running.reload();
    const snapshots = (): ReadonlySet<unknown> =>
      new Set(gateway.events("reloaded").map(({ fields }) => fields["snapshot"]));
    const before = snapshots().size;
    await place.write("messages/en.yaml", english("A"));
    await place.write("messages/en.yaml~", english("A"));
    await gateway.running.reload();
    expect(snapshots().size).toBe(before);
    await place.write("messages/en.yaml", english("B"));
    await until(says(gateway, "B"));
    expect(snapshots().size).toBe(before + 1);
  });

  it("follows the configuration into another directory", async () => {
    const place = await vendor({ "other/en.yaml": english("other") });
    const gateway = await serveFolder(place);
    const config = await place.read("afterword.yaml");
    await place.write("afterword.yaml", config.replace("./messages", "./other"));
    await until(says(gateway, "other"));
    await place.write("other/en.yaml", english("other still"));
    await until(says(gateway, "other still"));
  });
});

describe("a configuration with mistakes", () => {
  it("leaves the last good configuration in force, and is reported once", async () => {
    const place = await vendor();
    const gateway = await serveFolder(place);
    const before = await gateway.snapshot();
    await place.write("messages/fr.yaml", english("Bonjour"));
    await place.write("messages/en.yaml", 'welcom: "B"\n');
    await until(is(gateway, "failed"));
    expect(await gateway.texts()).toEqual(["A", "A"]);
    expect(await gateway.texts("fr")).toEqual(["A", "A"]);
    expect(await gateway.snapshot()).toBe(before);
    expect(await gateway.ready()).toMatchObject({
      state: "failed",
      snapshot: before,
      diagnostics: [
        {
          severity: "error",
          code: "unknown-flag",
          message: expect.stringContaining('"welcome"'),
          file: place.at("messages/en.yaml"),
          line: 1,
          column: 1,
        },
      ],
    });
    const diagnostics = gateway.events("config-diagnostic");
    expect(diagnostics).toHaveLength(1);
    expect(diagnostics[0]).toMatchObject({
      level: "error",
      fields: { code: "unknown-flag", file: place.at("messages/en.yaml"), line: 1 },
    });
    await gateway.running.reload();
    await gateway.running.reload();
    expect(gateway.events("config-diagnostic")).toHaveLength(1);
    expect(gateway.events("reload-failed")).toHaveLength(1);
    const metrics = gateway.running.gateway.metrics.text();
    expect(metrics).toMatch(/^afterword_reloads_total\{result="failed"\} 3$/mu);
    expect(metrics).toMatch(/^afterword_reload_failed 1$/mu);
    expect(metrics).toMatch(/^afterword_reload_diagnostics 1$/mu);

    await place.write("messages/en.yaml", english("B"));
    await until(is(gateway, "ok"));
    expect(await gateway.texts("fr")).toEqual(["Bonjour", "Bonjour"]);
    expect(gateway.running.gateway.metrics.text()).toMatch(/^afterword_reload_failed 0$/mu);
    await place.write("messages/en.yaml", 'welcom: "B"\n');
    await until(is(gateway, "failed"));
    expect(gateway.events("reload-failed")).toHaveLength(2);
  });

  it.each([
    ["no YAML at all", "a: [\n"],
    ["UTF-16", Buffer.from("\ufeffversion: 1\n", "utf16le")],
    ["nothing", ""],
    ["an unset variable", 'version: 1\nupstream: { auth: "${NOT_SET}" }\n'],
  ])("as a configuration of %s keeps the gateway answering", async (_what, content) => {
    const place = await vendor();
    const gateway = await serveFolder(place);
    const good = await place.read("afterword.yaml");
    await place.write("afterword.yaml", content);
    await until(is(gateway, "failed"));
    expect(await gateway.texts()).toEqual(["A", "A"]);
    // The messages are still watched, although this load never reached them.
    await place.write("afterword.yaml", good);
    await until(is(gateway, "ok"));
    await place.write("messages/en.yaml", english("B"));
    await until(says(gateway, "B"));
  });

  it("is used as soon as the missing part exists", async () => {
    const place = await vendor();
    const gateway = await serveFolder(place);
    const config = await place.read("afterword.yaml");
    await place.write("afterword.yaml", config.replace("./messages", "./later/messages"));
    await until(is(gateway, "failed"));
    await place.write("later/messages/en.yaml", english("later"));
    await until(says(gateway, "later"));
  });

  it("tells those who may not use the admin routes where it is, and quotes nothing", async () => {
    const place = await vendor();
    const gateway = await serveFolder(place);
    await place.write("messages/en.yaml", 'hidden-word: "B"\n');
    await until(is(gateway, "failed"));
    const state = await gateway.ready({ "x-forwarded-for": "192.0.2.1" });
    expect(state.diagnostics).toEqual([
      { severity: "error", code: "unknown-flag", file: "en.yaml", line: 1, column: 1 },
    ]);
  });

  it("lists the first findings, and counts the rest", async () => {
    const place = await vendor();
    const gateway = await serveFolder(place);
    const many = Array.from({ length: 30 }, (_, i) => `flag-${i}: "B"\n`).join("");
    await place.write("messages/en.yaml", many);
    await until(is(gateway, "failed"));
    const state = await gateway.ready();
    expect(state.diagnostics).toHaveLength(20);
    expect(state.omitted).toBe(10);
    expect(gateway.events("config-diagnostic")).toHaveLength(20);
    expect(gateway.events("reload-failed")[0]?.fields).toMatchObject({ errors: 30 });
  });
});

describe("a change that needs a restart", () => {
  it("is looked at before: a key that does not belong to its certificate", async () => {
    const place = await vendor();
    const gateway = await serveFolder(place);
    const config = await place.read("afterword.yaml");
    const tls = join(import.meta.dirname, "../../../fixtures/tls");
    const pair = `{ cert: ${join(tls, "ca.pem")}, key: ${join(tls, "key.pem")} }`;
    await place.write("afterword.yaml", `${config}listen: { tls: ${pair} }\n`);
    await until(async () => (await gateway.ready()).diagnostics.length > 0);
    const { state, diagnostics } = await gateway.ready();
    expect(state).toBe("ok");
    const unusable = diagnostics.find(({ code }) => code === "tls-unusable");
    expect(unusable?.message).toMatch(/does not belong to the certificate/);
    expect(gateway.events("config-diagnostic").map(({ fields }) => fields["code"])).toContain(
      "tls-unusable",
    );
  });

  it("is reported with its place, and the rest is applied", async () => {
    const place = await vendor();
    const gateway = await serveFolder(place);
    const listening = gateway.running.gateway.core.snapshot().config.listen;
    const config = await place.read("afterword.yaml");
    const restart =
      "listen: { port: 9999, publicUrl: https://bot.example.com }\nstate: { store: file }\n";
    await place.write("afterword.yaml", `${config.replace("./data", "./elsewhere")}${restart}`);
    await place.write("messages/en.yaml", english("B"));
    await until(says(gateway, "B"));
    const { state, diagnostics } = await gateway.ready();
    expect(state).toBe("ok");
    expect(diagnostics.map(({ code, severity, line }) => [code, severity, line])).toEqual([
      ["restart-needed", "warning", 2],
      ["restart-needed", "warning", 6],
      ["restart-needed", "warning", 6],
      ["restart-needed", "warning", 7],
    ]);
    const messages = diagnostics.map(({ message = "" }) => /new ([\w.]+);/.exec(message)?.[1]);
    expect(messages.toSorted()).toEqual(["data", "listen.port", "listen.publicUrl", "state.store"]);
    const kept = gateway.running.gateway.core.snapshot().config;
    expect(kept.listen).toEqual(listening);
    expect(kept.data).toBe(place.at("data"));
    expect(kept.state.store).toBe("memory");
    expect(gateway.events("config-diagnostic")).toHaveLength(4);
    await gateway.running.reload();
    expect(gateway.events("config-diagnostic")).toHaveLength(4);

    await place.write("afterword.yaml", config);
    await until(async () => (await gateway.ready()).diagnostics.length === 0);
  });

  it("is refused whole when nothing would work without it", async () => {
    const place = await vendor();
    const gateway = await serveFolder(place);
    const config = await place.read("afterword.yaml");
    await place.write("afterword.yaml", config.replace(/^upstream:.*$/mu, "upstream: embedded"));
    await until(is(gateway, "failed"));
    expect((await gateway.ready()).diagnostics).toMatchObject([
      { severity: "error", code: "restart-needed", line: 3 },
    ]);
    expect(await gateway.texts()).toEqual(["A", "A"]);
  });

  it("includes what the embedded backend reads once, such as instances, which the gateway applies", async () => {
    const place = await folder({
      "afterword.yaml": `version: 1
data: ./data
upstream: embedded
messages: { use: [own] }
backend: { content: ${join(findPackageRoot(), "config", "backend")}, database: ./data/backend.db }
instances:
  - { name: shop, match: { apiKey: demo-key }, created: 2018-06-01 }
`,
      "messages/en.yaml": english("A"),
      "messages/fr.yaml": english("A"),
    });
    const gateway = await serveFolder(place);
    const config = await place.read("afterword.yaml");
    await place.write(
      "afterword.yaml",
      config
        .replace("name: shop", "name: shop, language: fr")
        .replace("backend: {", "backend: { ticketing: { mediaTypes: [.pdf] },"),
    );
    await until(async () => (await gateway.ready()).diagnostics.length > 0);
    expect((await gateway.ready()).diagnostics).toMatchObject([
      { severity: "warning", code: "restart-needed", line: 5 },
      { severity: "warning", code: "restart-needed", line: 7 },
    ]);
    const [shop] = gateway.running.gateway.core.snapshot().config.instances;
    expect(shop?.language).toBe("fr");
  });
});

describe("a directory that is replaced", () => {
  it("as Kubernetes does, by switching a link called ..data, is taken over as one", async () => {
    const place = await folder();
    const config = vendorConfig("").replace("./messages", "../messages");
    const mount = async (version: number, text: string): Promise<void> => {
      await mountConfigMap(place, "config", version, { "afterword.yaml": text });
      await mountConfigMap(place, "messages", version, {
        "en.yaml": `welcome: "${version} en"\n`,
        "fr.yaml": `no-results: "${version} fr"\n`,
      });
    };
    await mount(1, config);
    const gateway = await serveFolder(place, { file: "config/afterword.yaml" });
    expect(await gateway.texts("fr")).toEqual(["1 fr", "1 en"]);
    const written = await place.read("config/afterword.yaml");
    for (const version of [2, 3]) {
      await mount(version, written);
      await until(says(gateway, `${version} fr`, "fr"));
      expect(await gateway.texts("fr")).toEqual([`${version} fr`, `${version} en`]);
    }
    expect(gateway.events("reload-failed")).toEqual([]);
  });

  it("by switching a link in its place is taken over", async () => {
    const place = await folder({
      "afterword.yaml": vendorConfig(""),
      "releases/1/en.yaml": english("1"),
      "releases/2/en.yaml": english("2"),
    });
    await symlink("releases/1", place.at("messages"));
    const gateway = await serveFolder(place);
    expect(await gateway.texts()).toEqual(["1", "1"]);
    await symlink("releases/2", place.at("messages_tmp"));
    await rename(place.at("messages_tmp"), place.at("messages"));
    await until(says(gateway, "2"));
    await place.write("releases/2/en.yaml", english("2b"));
    await until(says(gateway, "2b"));
  });

  it("where no watch tells of it is found by looking", async () => {
    const place = await folder({
      "afterword.yaml": vendorConfig(""),
      "far/1/messages/en.yaml": english("1"),
      "far/2/messages/en.yaml": english("2"),
    });
    await symlink("1", place.at("far/current"));
    await symlink("far/current/messages", place.at("messages"));
    const gateway = await serveFolder(place);
    // The first look may find the first change, which then has no effect later.
    for (const version of ["2", "1"]) {
      await symlink(version, place.at("far/current_tmp"));
      await rename(place.at("far/current_tmp"), place.at("far/current"));
      await until(says(gateway, version));
    }
  });

  it("by another one of its name is watched again", async () => {
    const place = await vendor({ "next/en.yaml": english("B") });
    const gateway = await serveFolder(place);
    await rm(place.at("messages"), { recursive: true });
    await rename(place.at("next"), place.at("messages"));
    await until(says(gateway, "B"));
    await place.write("messages/en.yaml", english("C"));
    await until(says(gateway, "C"));
  });
});

describe("a file that an editor leaves beside another", () => {
  it("is no messages file, nor an error", async () => {
    const place = await vendor();
    const gateway = await serveFolder(place);
    for (const name of [
      "4913",
      ".en.yaml.swp",
      "en.yaml~",
      "#en.yaml#",
      ".en.yaml.swx",
      "en.yaml.tmp",
    ]) {
      await place.write(`messages/${name}`, "a: [\n");
    }
    await symlink("somebody@host.1234:5678", place.at("messages/.#en.yaml"));
    await mkdir(place.at("messages/.git"));
    expect(await readdir(place.at("messages"))).toHaveLength(9);
    await gateway.running.reload();
    expect(await gateway.ready()).toMatchObject({ state: "ok", diagnostics: [] });
    expect(gateway.events("config-diagnostic")).toEqual([]);
    // As editors save: a new file replaces the old one.
    await place.write("messages/.en.yaml.new", english("B"));
    await rename(place.at("messages/.en.yaml.new"), place.at("messages/en.yaml"));
    await until(says(gateway, "B"));
  });
});

describe("a request that is under way", () => {
  it("ends with the configuration it began with", async () => {
    const place = await vendor();
    const asked = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    let first = true;
    const gateway = await serveFolder(place, {
      async handler() {
        if (first) {
          first = false;
          asked.resolve();
          await released.promise;
        }
        return {
          headers: ["Content-Type", "application/json"],
          body: '{"answers":[{"flags":["no-results"],"message":"engine"}]}',
        };
      },
    });
    const slow = ask(`${gateway.running.url}/v1/conversation/message`, { body: "{}" });
    await asked.promise;
    await place.write("messages/en.yaml", english("B"));
    await until(says(gateway, "B"));
    released.resolve();
    expect(textsIn((await slow).text)).toEqual(["A"]);
  });
});

/**
 * A volume as the kubelet writes it: files are links through `..data`, which is switched to the
 * next version's directory.
 */
async function mountConfigMap(
  place: Folder,
  volume: string,
  version: number,
  files: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await place.write(`${volume}/..${version}/${name}`, text);
    if (version === 1) await symlink(`..data/${name}`, place.at(`${volume}/${name}`));
  }
  await symlink(`..${version}`, place.at(`${volume}/..data_tmp`));
  await rename(place.at(`${volume}/..data_tmp`), place.at(`${volume}/..data`));
  await rm(place.at(`${volume}/..${version - 1}`), { recursive: true, force: true });
}
