// Suite: slow
import { chmod, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Conflict, Draft, Publication, Published } from "../../../src/api/console.ts";
import { flagged } from "../harness.ts";
import { ADMIN, EVA, PAUL, readAnswer, type Served, served, VERA } from "./console.ts";

const FR = '# Our French.\nno-results: "Rien." # short\nwelcome: "Salut"\n';
const FILES = { "messages/fr.yaml": FR };
const TOKENS = {
  AFTERWORD_ADMIN_TOKEN: ADMIN,
  AFTERWORD_ADMIN_TOKENS: [
    `eva:edit:fr:${EVA}`,
    `paul:publish:${PAUL}`,
    "sam@shop:publish:token-of-sam-1234567890",
    `vera:view:${VERA}`,
  ].join(","),
};

type Api = Served["api"];

async function put(api: Api, locale: string, key: string, text: string, token = ADMIN) {
  return api(`draft/${locale}/${key}`, { method: "PUT", json: { instance: "shop", text }, token });
}

async function readText(served: Served, locale: string): Promise<string> {
  const { answers } = JSON.parse(await readAnswer(served, locale)) as {
    answers: { message: string }[];
  };
  return answers[0]?.message ?? "";
}

describe("a draft", () => {
  it("keeps changes for its owner, shows the file as it will be, and what the check says", async () => {
    const { api, directory } = await served(FILES, TOKENS);
    expect((await put(api, "fr", "no-results", "Aucun résultat.", EVA)).status).toBe(200);
    const { body } = await put(api, "fr", "no-results", "Rien <b>du tout", EVA);
    const draft = body as Draft;
    expect(draft.changes).toMatchObject([
      {
        key: "no-results",
        locale: "fr",
        id: "no-results",
        text: "Rien <b>du tout",
        before: "Rien.",
      },
    ]);
    expect(draft.files).toMatchObject([{ file: "messages/fr.yaml", conflict: false }]);
    expect(draft.files[0]?.diff).toBe(
      '--- a/messages/fr.yaml\n+++ b/messages/fr.yaml\n@@ -1,3 +1,3 @@\n # Our French.\n-no-results: "Rien." # short\n+no-results: "Rien <b>du tout" # short\n welcome: "Salut"\n',
    );
    expect(draft.findings).toMatchObject([
      { severity: "error", code: "markup", key: "no-results", file: "messages/fr.yaml", line: 2 },
    ]);
    expect((await api("draft")).body).toMatchObject({ changes: [] });
    const gone = await api("draft/fr/no-results?instance=shop", { method: "DELETE", token: EVA });
    expect(gone.body).toMatchObject({ changes: [], files: [] });
    expect(await readFile(join(directory, "messages/fr.yaml"), "utf8")).toBe(FR);
  });

  it("can be tried before it is published, in the line's previews too", async () => {
    const { api } = await served(FILES, TOKENS);
    await put(api, "fr", "no-results", "Brouillon.", EVA);
    const json = { body: flagged("no-results"), locale: "fr", instance: "shop" };
    const explained = async (more: object, token: string): Promise<unknown> =>
      (await api("explain", { json: { ...json, ...more }, token })).body;
    expect(await explained({ draft: true }, EVA)).toMatchObject({
      places: [{ reader: "Brouillon." }],
    });
    expect(await explained({}, EVA)).toMatchObject({ places: [{ reader: "Rien." }] });
    expect(await explained({ draft: true }, ADMIN)).toMatchObject({
      places: [{ reader: "Rien." }],
    });
    const line = await api("texts/fr/no-results?instance=shop&draft=yes", { token: EVA });
    expect(line.body).toMatchObject({ previews: [{ text: "Brouillon." }, {}, {}] });
  });

  it("creates a file that does not exist, and adds a channel to a line", async () => {
    const { api } = await served({}, TOKENS);
    await put(api, "de", "welcome", "Servus");
    const { body } = await api("draft/de/welcome", {
      method: "PUT",
      json: { instance: "shop", channel: "voice", text: "Servus!" },
    });
    const { files, findings } = body as Draft;
    expect(files[0]?.diff).toContain("--- /dev/null\n+++ b/messages/de.yaml");
    expect(files[0]?.diff).toContain('+    voice: "Servus!"');
    expect(findings).toMatchObject([{ code: "condition-unknown", key: "welcome" }]);
  });

  it("adds conditions, variants and plural forms to a line that has none, and says what is missing", async () => {
    const text = '# Ours\nwelcome: "Salut" # hi\nno-results: "Rien."\n';
    const house = await served({ "messages/fr.yaml": text }, TOKENS, flagged("welcome"));
    const { api, directory } = house;
    const add = (id: string, wording: string | null, key = "welcome") =>
      api(`draft/fr/${key}`, { method: "PUT", json: { instance: "shop", id, text: wording } });
    expect((await add("welcome.when[env=preproduction]", "[essai] Salut")).status).toBe(200);
    expect((await add("welcome.variants[0]", "Salut")).status).toBe(200);
    expect((await add("welcome.variants[1]", "Bonjour")).status).toBe(200);
    expect((await add("welcome.variants[2]", "Coucou")).status).toBe(200);
    const queued = "escalation.queued";
    const one = await add(`${queued}.plural.one`, "Une personne", queued);
    // Afterword's other form is included.
    expect((one.body as Draft).files[0]?.diff).toContain("+    other: ");
    const refusals = [
      ["welcome.plural.one", 'the form \\"other\\" is needed too'],
      ["welcome.channels.Voice", "lower-case letters"],
      ["welcome.when[colour=red]", "has no text"],
      ["no-results.channels.voice", "has no text"],
    ] as const;
    for (const [id, words] of refusals) {
      const { status, body } = await add(id, "x");
      expect([id, status, JSON.stringify(body)]).toEqual([id, 422, expect.stringContaining(words)]);
    }
    // The second of three is removed, so the third moves up.
    const query = new URLSearchParams({ instance: "shop", id: "welcome.variants[1]" });
    await api(`draft/fr/welcome?${query.toString()}`, { method: "DELETE" });
    expect((await api("draft/publish", { json: { warnings: true } })).status).toBe(200);
    const written = await readFile(join(directory, "messages/fr.yaml"), "utf8");
    expect(written).toMatch(
      /^# Ours\nwelcome:\n {2}text: "Salut" # hi\n {2}when:\n {4}- env: preproduction\n {6}text: "\[essai\] Salut"\n {2}variants:\n {4}- "Salut"\n {4}- "Coucou"\nno-results: "Rien\."\n/,
    );
    expect(["Salut", "Coucou"]).toContain(await readText(house, "fr"));
  });

  it("takes a condition, a channel, a variant or a plural form out again, and keeps the rest", async () => {
    const text = `# Ours
welcome:
  # for us
  text: "Salut"
  channels: { voice: "Allô" }
  when: [{ env: preproduction, text: "[essai]" }]
no-question:
  variants: ["un", "deux", "trois"]
multiple-options:
  plural: { one: "Une", other: "{{count}}" } # few
`;
    const { api, directory } = await served({ "messages/fr.yaml": text }, TOKENS);
    const out = (id: string) =>
      api(`draft/fr/${id.split(".")[0]}`, {
        method: "PUT",
        json: { instance: "shop", id, text: null },
      });
    for (const id of [
      "welcome.channels.voice",
      "welcome.when[env=preproduction]",
      "no-question.variants[0]",
      "no-question.variants[1]",
    ]) {
      expect([id, (await out(id)).status]).toEqual([id, 200]);
    }
    const left = await out("multiple-options.plural.other");
    expect([left.status, JSON.stringify(left.body)]).toEqual([
      422,
      expect.stringContaining("cannot be taken out"),
    ]);
    const { body } = await out("multiple-options.plural.one");
    expect((body as Draft).changes).toHaveLength(5);
    expect((await api("draft/publish", { json: { warnings: true } })).status).toBe(200);
    expect(await readFile(join(directory, "messages/fr.yaml"), "utf8")).toBe(`# Ours
welcome:
  # for us
  text: "Salut"
no-question:
  variants: [ "trois" ]
multiple-options:
  plural: { other: "{{count}}" } # few
`);
  });

  it("says at which of a line's texts the check finds something", async () => {
    const text = 'welcome: { text: "Salut", channels: { voice: "Allô" } }\n';
    const { api } = await served({ "messages/fr.yaml": text }, TOKENS);
    const { body } = await api("draft/fr/welcome", {
      method: "PUT",
      json: { instance: "shop", id: "welcome.variants[0]", text: "Salut {{nobody}}" },
    });
    expect((body as Draft).findings).toContainEqual(
      expect.objectContaining({ code: "unknown-placeholder", id: "welcome.variants[0]" }),
    );
  });

  it("returns a line to Afterword, with its comment and everything below it", async () => {
    const text =
      "# Ours\nwelcome:\n  text: Salut # hi\n  channels: { voice: Allô }\n\n# Rien\nno-results: Rien.\n";
    const { api } = await served({ "messages/fr.yaml": text }, TOKENS);
    await put(api, "fr", "no-results", "Nul.");
    const { body } = await api("draft/fr/welcome", {
      method: "PUT",
      json: { instance: "shop", text: null },
    });
    const { changes, files } = body as Draft;
    expect(changes).toMatchObject([{ text: "Nul." }, { id: "welcome", text: null }]);
    expect(files[0]?.diff).toContain(
      ' # Ours\n-welcome:\n-  text: Salut # hi\n-  channels: { voice: Allô }\n \n # Rien\n-no-results: Rien.\n+no-results: "Nul."\n',
    );
    expect((await api("draft/publish", { json: {} })).body).toMatchObject({ kind: "published" });
    const { body: texts } = await api("texts?instance=shop");
    expect(texts).toMatchObject({ cells: { welcome: { fr: { state: "shipped" } } } });
  });

  it("takes no text that the token may not write, and gives the reason", async () => {
    const { api } = await served(FILES, TOKENS);
    const refusals = [
      [await put(api, "de", "welcome", "Servus", EVA), 403, "fr, not de"],
      [await put(api, "fr", "welcome", "  "), 422, "empty"],
      [await put(api, "fr", "nothing", "x"), 404, "no line"],
      [await put(api, "xx", "welcome", "x"), 404, "no line"],
      [await put(api, "fr", "welcome", "x", VERA), 403, "vera"],
      // The other instance uses the file, too.
      [await put(api, "fr", "welcome", "x", "token-of-sam-1234567890"), 403, "messages/fr.yaml"],
      [await put(api, "fr", "welcome", "x".repeat(600_000)), 422, "characters"],
      [await put(api, "fr", "welcome", "a\0b"), 422, "U+0000"],
    ] as const;
    for (const [{ status, body }, expected, words] of refusals) {
      expect(status).toBe(expected);
      expect(JSON.stringify(body)).toContain(words);
    }
    for (const text of ["Nul {{quer", "a: # {b} [c] 'd' \"e\"\n- f\t", "\u0001\u001b\u202e"]) {
      const { status, body } = await put(api, "fr", "welcome", text);
      expect(status).toBe(200);
      expect((body as Draft).changes[0]?.text).toBe(text);
    }
  });
});

describe("a publication", () => {
  it("is live at once, stands in the history with its diff, and is taken back", async () => {
    const house = await served(FILES, TOKENS, flagged("no-results"));
    const { api, directory } = house;
    await put(api, "fr", "no-results", "Aucun résultat.", PAUL);
    await put(api, "de", "no-results", "Gar nichts.", PAUL);
    expect(await readText(house, "fr")).toBe("Rien.");
    const { status, body } = await api("draft/publish", { json: { note: "softer" }, token: PAUL });
    expect([status, body]).toMatchObject([200, { kind: "published" }]);
    expect(await readText(house, "fr")).toBe("Aucun résultat.");
    expect(await readText(house, "de")).toBe("Gar nichts.");
    const { id, snapshot } = body as Published & { kind: "published" };
    expect((await api("session")).body).toMatchObject({ snapshot });
    expect((await api("draft", { token: PAUL })).body).toMatchObject({ changes: [] });
    const { history } = (await api("history")).body as { history: Publication[] };
    expect(history).toMatchObject([
      { id, label: "paul", note: "softer", snapshot, restores: null },
    ]);
    expect(history[0]?.files.map(({ file }) => file)).toEqual([
      "messages/de.yaml",
      "messages/fr.yaml",
    ]);
    expect((await api(`history/${id}/restore`, { json: {} })).body).toMatchObject({
      kind: "published",
    });
    expect(await readText(house, "fr")).toBe("Rien.");
    expect(await readFile(join(directory, "messages/fr.yaml"), "utf8")).toBe(FR);
    await expect(readFile(join(directory, "messages/de.yaml"))).rejects.toThrow("ENOENT");
    const { audit } = (await api("audit")).body as { audit: { action: string; label: string }[] };
    expect(audit.map(({ action }) => action)).toEqual([
      "restore",
      "publish",
      "draft-put",
      "draft-put",
    ]);
  });

  it("overwrites nothing that changed meanwhile: all versions are shown, and one is chosen", async () => {
    const house = await served(FILES, TOKENS, flagged("no-results"));
    const { api, directory } = house;
    await put(api, "fr", "no-results", "À moi.", PAUL);
    await put(api, "fr", "no-results", "À toi.");
    await api("draft/publish", { json: {} });
    const refused = await api("draft/publish", { json: {}, token: PAUL });
    expect(refused.status).toBe(409);
    const { conflicts } = refused.body as { conflicts: Conflict[] };
    expect(conflicts).toMatchObject([
      {
        file: "messages/fr.yaml",
        before: FR,
        theirs: FR.replace("Rien.", "À toi."),
        yours: FR.replace("Rien.", "À moi."),
        changes: [{ before: "Rien.", theirs: "À toi.", text: "À moi." }],
      },
    ]);
    expect(await readText(house, "fr")).toBe("À toi.");
    await api("draft/rebase", { json: {}, token: PAUL });
    await writeFile(join(directory, "messages/fr.yaml"), `${FR}# by hand\n`);
    expect((await api("draft/publish", { json: {}, token: PAUL })).status).toBe(409);
    await api("draft/rebase", { json: {}, token: PAUL });
    expect((await api("draft/publish", { json: {}, token: PAUL })).status).toBe(200);
    expect(await readText(house, "fr")).toBe("À moi.");
    expect(await readFile(join(directory, "messages/fr.yaml"), "utf8")).toContain("# by hand");
    // A change that others made since is not reverted unseen.
    const first = await api("history/1/restore", { json: {} });
    expect([first.status, first.body]).toMatchObject([409, { conflicts: [{ yours: FR }] }]);
    const { conflicts: shown } = first.body as { conflicts: Conflict[] };
    const files = Object.fromEntries(shown.map(({ file, hash }) => [file, hash]));
    expect((await api("history/1/restore", { json: { files } })).status).toBe(200);
    expect(await readText(house, "fr")).toBe("Rien.");
  });

  it("waits for a clean check, and is made in spite of warnings when these are accepted", async () => {
    const { api } = await served(FILES, TOKENS);
    await put(api, "fr", "no-results", "Rien <b>");
    const refused = await api("draft/publish", { json: { warnings: true } });
    expect([refused.status, refused.body]).toMatchObject([422, { findings: [{ code: "markup" }] }]);
    expect(JSON.stringify(refused.body)).toContain("messages/fr.yaml:2");
    await put(api, "fr", "no-results", "Rien");
    const json = { instance: "shop", channel: "voice", text: "Allô" };
    await api("draft/fr/welcome", { method: "PUT", json });
    expect((await api("draft/publish", { json: {} })).status).toBe(422);
    expect((await api("draft/publish", { json: {}, token: EVA })).status).toBe(403);
    expect((await api("draft/publish", { json: { warnings: true } })).status).toBe(200);
  });

  it("is handed out as a patch and a table too, for nodes that do not share the files", async () => {
    const { api } = await served(FILES, TOKENS, flagged("no-results"));
    await put(api, "fr", "no-results", "Aucun.");
    const { body, headers } = await api("draft/publish", { json: {} });
    const { takeAway, snapshot } = body as Extract<Published, { kind: "published" }>;
    expect(takeAway.patch).toContain(
      '-no-results: "Rien." # short\n+no-results: "Aucun." # short\n',
    );
    expect(takeAway.csv).toEqual([
      { name: "shop.csv", text: expect.stringMatching(/no-results.*Aucun\./) },
    ]);
    expect(headers.get("x-afterword-snapshot")).toBe(snapshot);
    expect(headers.get("x-afterword-node")).toMatch(/^afterword-\w+$/);
  });

  it.skipIf(process.getuid?.() === 0)("gives a patch where files cannot be written", async () => {
    const house = await served(FILES, TOKENS, flagged("no-results"));
    const { api, directory } = house;
    await put(api, "fr", "no-results", "Aucun.");
    await chmod(join(directory, "messages"), 0o555);
    const { body } = await api("draft/publish", { json: {} });
    await chmod(join(directory, "messages"), 0o755);
    expect(body).toMatchObject({
      kind: "patch",
      takeAway: { patch: expect.stringContaining('+no-results: "Aucun." # short\n') },
    });
    expect(await readText(house, "fr")).toBe("Rien.");
    expect((await api("draft")).body).toMatchObject({ changes: [{ text: "Aucun." }] });
    expect((await api("history")).body).toEqual({ history: [] });
  });
});

it("shows a token that is bound to an instance no error of another one's files", async () => {
  const CONFIGURATION = `version: 1
upstream: { auth: "\${UPSTREAM}", chat: "\${UPSTREAM}", apis: { chatbot: "\${UPSTREAM}" } }
instances:
  - { name: shop, match: { apiKey: shop-key }, language: en, created: 2018-01-01, messages: { dir: ./shop } }
  - { name: bank, match: {}, language: fr, created: 2019-01-01, messages: { dir: ./bank } }
`;
  const { api, directory } = await served(
    {
      "afterword.yaml": CONFIGURATION,
      "shop/en.yaml": "welcome: Hello\n",
      "bank/fr.yaml": "welcome: Bonjour\n",
    },
    { AFTERWORD_ADMIN_TOKEN: ADMIN, AFTERWORD_ADMIN_TOKENS: "bo@shop:publish:bo-has-a-long-token" },
  );
  await writeFile(join(directory, "bank/fr.yaml"), 'welcome: "{{secretname}}"\n');
  const asked = { method: "PUT", json: { instance: "shop", text: "Good day" } };
  const bound = await api("draft/en/welcome", { ...asked, token: "bo-has-a-long-token" });
  expect(bound.status).toBe(200);
  expect(JSON.stringify(bound.body)).not.toMatch(/bank|secretname/);
  expect(JSON.stringify(bound.body)).toContain("your token is not for");
  const published = await api("draft/publish", { json: {}, token: "bo-has-a-long-token" });
  expect(JSON.stringify(published.body)).not.toMatch(/bank|secretname/);
  expect(published.status).toBe(422);
  const unbound = await api("draft/en/welcome", asked);
  expect(JSON.stringify(unbound.body)).toContain("secretname");
});
