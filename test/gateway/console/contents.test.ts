// Suite: slow
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ImportedContents } from "../../../src/api/console-import.ts";
import type {
  ContentDetails,
  ContentList,
  ContentTrial,
} from "../../../src/api/console-contents.ts";
import type { Conflict, Draft, Publication, Published } from "../../../src/api/console.ts";
import { ADMIN, EVA, PAUL, type Served, VERA } from "./console.ts";
import { EN, servedOwnBot } from "./own-bot.ts";

type Api = Served["api"];
interface Put {
  readonly id: number;
  readonly draft: Draft;
}

const NEW = {
  title: "Do you ship to Norway?",
  alternatives: ["Delivery to Norway"],
  answer: ["<p>Yes, for <b>9.90</b>.</p>"],
  related: [2],
};

/** No other content leads to the first. */
const PLAIN = `language: en
contents:
  - { id: 1, title: Where is my order?, answer: "<p>Open the link.</p>" }
  - { id: 2, title: Delivery times, answer: "<p>Two days.</p>" }
`;

async function add(api: Api, fields: object, token = PAUL, language = "en"): Promise<Put> {
  const { status, body } = await api(`draft/contents/${language}`, { json: { fields }, token });
  expect(status).toBe(200);
  return body;
}

async function change(api: Api, id: number, json: object, token = PAUL, language = "en") {
  return api(`draft/contents/${language}/${id}`, { method: "PUT", json, token });
}

async function publish(api: Api, json: object = {}, token = PAUL) {
  return api("draft/publish", { json, token });
}

const read = (house: Served, name = "shop.en.yaml"): Promise<string> =>
  readFile(join(house.directory, "backend", name), "utf8");

describe("a content in the draft", () => {
  it("is new, tried, published, answered at once, and taken back", async () => {
    const house = await servedOwnBot();
    const { api, asked } = house;
    expect(await asked("Do you ship to Norway?")).not.toContain("9.90");
    const { id, draft } = await add(api, NEW);
    expect(id).toBe(4);
    expect(draft).toMatchObject({
      changes: [],
      findings: [],
      contents: [{ language: "en", id: 4, before: null, theirs: null, after: NEW }],
      files: [{ file: "backend/shop.en.yaml", conflict: false }],
    });
    expect(draft.files[0]?.diff).toContain("+    title: Do you ship to Norway?");
    expect(await asked("Do you ship to Norway?")).not.toContain("9.90");
    const json = { language: "en", questions: ["shipping to norway"] };
    const trial = (await api("contents/ask", { json, token: PAUL })).body as ContentTrial;
    expect(trial.questions[0]).toMatchObject({ outcome: "answered" });
    expect(trial.questions[0]?.hits[0]).toMatchObject({ id: 4, exact: false });
    // Other people have drafts of their own.
    const theirs = (await api("contents/ask", { json })).body as ContentTrial;
    expect(theirs.questions[0]?.hits.map((one) => one.id)).not.toContain(4);

    const published = (await publish(api, { note: "Norway" })).body as Published;
    expect(published).toMatchObject({ kind: "published" });
    expect(await asked("Do you ship to Norway?")).toContain("9.90");
    expect(await read(house)).toBe(
      `${EN}  - id: 4
    title: Do you ship to Norway?
    alternatives:
      - Delivery to Norway
    answer: "<p>Yes, for <b>9.90</b>.</p>"
    related: [2]
`,
    );
    expect((await api("draft", { token: PAUL })).body).toEqual({
      changes: [],
      contents: [],
      files: [],
      findings: [],
    });
    const { history } = (await api("history")).body as { history: Publication[] };
    expect(history).toMatchObject([
      {
        note: "Norway",
        label: "paul",
        files: [{ changes: [], contents: [{ language: "en", id: 4, before: null, after: NEW }] }],
      },
    ]);
    const back = await api(`history/${history[0]?.id}/restore`, { json: {}, token: PAUL });
    expect(back.body).toMatchObject({ kind: "published" });
    expect(await read(house)).toBe(EN);
    expect(await asked("Do you ship to Norway?")).not.toContain("9.90");
  });

  it("changes its own lines alone, goes out of its file, and is published with a text as one", async () => {
    const house = await servedOwnBot({ "messages/fr.yaml": 'no-results: "Rien."\n' });
    const { api, asked } = house;
    await change(api, 1, { fields: { related: [], answer: ["<p>Sign in.</p>"] } });
    await change(api, 2, { fields: null });
    await change(
      api,
      2,
      { fields: { title: "Livraison", answer: ["<p>Deux jours.</p>"] } },
      PAUL,
      "fr",
    );
    await api("draft/fr/no-results", {
      method: "PUT",
      json: { instance: "shop", text: "Aucun résultat." },
      token: PAUL,
    });
    const { body } = await api("draft", { token: PAUL });
    expect((body as Draft).files.map(({ file }) => file)).toEqual([
      "messages/fr.yaml",
      "backend/shop.en.yaml",
      "backend/shop.fr.yaml",
    ]);
    expect((await publish(api)).body).toMatchObject({ kind: "published" });
    const expected = EN.replace(/<p>Open.*<\/p>/, "<p>Sign in.</p>")
      .replace("    related: [2]\n", "")
      .replace(/ {2}- id: 2\n.*\n.*\n/, "");
    expect(await read(house)).toBe(expected);
    expect(await read(house, "shop.fr.yaml")).toContain("title: Livraison");
    expect(await asked("Livraison", "fr")).toContain("Deux jours");
    expect(await asked("Track my parcel")).toContain("Sign in.");
    expect(await readFile(join(house.directory, "messages/fr.yaml"), "utf8")).toContain("Aucun");
  });

  it("is taken offline, copied with its options, and taken out of the draft again", async () => {
    const house = await servedOwnBot();
    const { api } = house;
    await change(api, 2, { fields: { published: false } });
    const copy = await api("draft/contents/en", {
      json: { like: 3, fields: { title: "Help with a return" } },
      token: PAUL,
    });
    expect(copy.body).toMatchObject({ id: 4 });
    const details = (await api("contents/en/4", { token: PAUL })).body as ContentDetails;
    expect(details).toMatchObject({
      fields: { title: "Help with a return", answer: ["<p>What is it about?</p>"] },
      others: [{ key: "options" }],
      draft: "added",
      written: null,
    });
    const { body } = await api("contents?filter=offline", { token: PAUL });
    expect((body as ContentList).contents).toMatchObject([{ id: 2, draft: "changed" }]);
    const after = await api("draft/contents/en/4", { method: "DELETE", token: PAUL });
    expect((after.body as Draft).contents).toMatchObject([{ id: 2 }]);
    // A draft that repeats the file's text is no change.
    const same = (await change(api, 2, { fields: { published: true } })).body as Put;
    expect(same.draft).toMatchObject({ contents: [], files: [] });
  });

  it("is refused by the check with its place, and nothing is written", async () => {
    const house = await servedOwnBot();
    const { api } = house;
    await change(api, 2, { fields: { title: "" } });
    const { draft } = (await change(api, 1, { fields: { expires: "tomorrow" } })).body as Put;
    expect(draft.findings).toMatchObject([
      { severity: "error", file: "backend/shop.en.yaml", content: { language: "en", id: 1 } },
      { severity: "error", file: "backend/shop.en.yaml", content: { language: "en", id: 2 } },
    ]);
    // The draft makes the file longer, but no finding points beyond the end of the owner's version.
    const added = (await add(api, { title: "Gift wrap" })).draft;
    const own = added.findings.filter(({ content }) => content?.id === 4);
    expect(own).toMatchObject([{ severity: "error", file: "backend/shop.en.yaml", line: 0 }]);
    const changed = added.findings.find(({ content }) => content?.id === 2);
    expect(EN.split("\n")[(changed?.line ?? 0) - 1]).toContain("Delivery times");
    const refused = await publish(api);
    expect(refused).toMatchObject({ status: 422 });
    expect(JSON.stringify(refused.body)).toContain("backend/shop.en.yaml:");
    await api("draft", { method: "DELETE", token: PAUL });
    await change(api, 2, { fields: null });
    const missing = await publish(api);
    expect(JSON.stringify(missing.body)).toContain("there is no content 2 in en");
    expect(await read(house)).toBe(EN);
  });
});

describe("two owners", () => {
  it("in one content: the second is told, sees both texts, and nothing is lost", async () => {
    const house = await servedOwnBot();
    const { api } = house;
    const admin = await change(api, 1, { fields: { title: "Where's my order?" } }, undefined);
    expect(admin.status).toBe(200);
    const theirs = await api("draft/contents/en/1", {
      method: "PUT",
      json: { fields: { title: "Where is my parcel?" } },
    });
    expect(theirs.status).toBe(200);
    expect((await publish(api)).body).toMatchObject({ kind: "published" });
    const refused = await api("draft/publish", { json: {} });
    expect(refused.status).toBe(409);
    const { errors, conflicts } = refused.body as {
      errors: { message: string }[];
      conflicts: Conflict[];
    };
    expect(errors[0]?.message).toContain("backend/shop.en.yaml was changed meanwhile");
    expect(conflicts[0]?.contents).toMatchObject([
      {
        before: { title: "Where is my order?" },
        theirs: { title: "Where's my order?" },
        after: { title: "Where is my parcel?" },
      },
    ]);
    expect(await read(house)).toContain("Where's my order?");
    await api("draft/rebase", { json: {} });
    expect((await api("draft/publish", { json: {} })).body).toMatchObject({ kind: "published" });
    expect(await read(house)).toContain("Where is my parcel?");
    expect(await read(house)).toContain("# their own words");
  });

  it("who read a content before it changed do not overwrite the field that changed", async () => {
    const house = await servedOwnBot();
    const { api } = house;
    const seen = { title: "Delivery times", answer: ["<p>Two to four working days.</p>"] };
    await change(api, 2, { fields: { title: "How fast do you deliver?" } });
    await publish(api);
    const refused = await api("draft/contents/en/2", {
      method: "PUT",
      json: { fields: { title: "Delivery" }, seen },
    });
    expect(refused.status).toBe(409);
    expect(JSON.stringify(refused.body)).toContain(
      '\\"title\\" of content 2 was changed meanwhile',
    );
    // Another field does not conflict.
    const other = await api("draft/contents/en/2", {
      method: "PUT",
      json: { fields: { answer: ["<p>One day.</p>"] }, seen },
    });
    expect(other.status).toBe(200);
    await api("draft/publish", { json: {} });
    expect(await read(house)).toContain("How fast do you deliver?");
    expect(await read(house)).toContain("One day.");
  });

  it("who read a content before it was deleted put it back whole, or not at all", async () => {
    const house = await servedOwnBot({ "backend/shop.en.yaml": PLAIN });
    const { api } = house;
    const seen = { title: "Where is my order?" };
    const typed = { fields: { title: "Where is my parcel?" }, seen };
    // The same owner has removed it in another tab.
    await change(api, 1, { fields: null });
    expect((await change(api, 1, typed)).status).toBe(409);
    await publish(api, { warnings: true });
    // In French it is still there.
    for (const token of [PAUL, ADMIN]) {
      const refused = await change(api, 1, typed, token);
      expect(refused.status).toBe(409);
      expect(refused.body).toMatchObject({ errors: [{ reason: "content-deleted" }] });
    }
    expect(((await api("draft")).body as Draft).contents).toEqual([]);
    const whole = { title: "Where is my parcel?", answer: ["<p>Open the link.</p>"] };
    expect((await change(api, 1, { fields: whole })).status).toBe(200);
    const { fields } = (await api("contents/en/1", { token: PAUL })).body as ContentDetails;
    expect(fields).toMatchObject(whole);
  });

  it("who put a deleted content back keep its id, which no new content gets meanwhile", async () => {
    const house = await servedOwnBot({ "backend/shop.en.yaml": PLAIN });
    const { api } = house;
    await change(api, 2, { fields: null });
    expect((await publish(api)).status).toBe(200);
    expect((await add(api, NEW)).id).toBe(3);
    const whole = { title: "Delivery times", answer: ["<p>Two days.</p>"] };
    const back = await change(api, 2, { fields: whole }, ADMIN);
    expect(back).toMatchObject({ status: 200, body: { id: 2 } });
    expect((await publish(api, {}, ADMIN)).status).toBe(200);
    expect(await read(house)).toMatch(/id: 2\b/);
    expect((await change(api, 9, { fields: whole }, ADMIN)).status).toBe(404);
  });

  it("add contents at the same time, each with a number of its own", async () => {
    const { api } = await servedOwnBot();
    const puts = await Promise.all(
      ["", PAUL, PAUL, ""].map((token) =>
        api("draft/contents/en", { json: { fields: NEW }, ...(token !== "" && { token }) }),
      ),
    );
    const ids = puts.map(({ body }) => (body as Put).id);
    expect(ids.toSorted()).toEqual([4, 5, 6, 7]);
  });

  it("and an edit of the file: its changes stay, and the draft keeps the other fields", async () => {
    const house = await servedOwnBot();
    const { api } = house;
    await change(api, 2, { fields: { answer: ["<p>One day.</p>"] } });
    await writeFile(
      join(house.directory, "backend/shop.en.yaml"),
      EN.replace("title: Delivery times", "title: Delivery"),
    );
    expect((await publish(api)).status).toBe(409);
    await api("draft/rebase", { json: {}, token: PAUL });
    expect((await publish(api)).body).toMatchObject({ kind: "published" });
    expect(await read(house)).toContain(
      'title: Delivery\n    answer: "<p>One day.</p>" # since May',
    );
  });
});

describe("the contents", () => {
  it("are listed, searched without marks, filtered, and shown with their place", async () => {
    const { api } = await servedOwnBot();
    const list = async (query: string): Promise<ContentList> =>
      (await api(`contents?${query}`, { token: VERA })).body;
    const all = await list("");
    expect(all).toMatchObject({ demo: false, total: 4, findings: [] });
    expect(all.languages).toMatchObject([
      {
        language: "en",
        contents: 3,
        categories: [
          { id: 1, name: "Orders", parent: null },
          { id: 2, parent: 1 },
        ],
      },
      { language: "fr", contents: 1 },
    ]);
    expect((await list("search=OU%20commande")).contents).toMatchObject([
      { id: 1, language: "fr" },
    ]);
    expect((await list("search=tracking&language=en")).total).toBe(1);
    expect((await list("category=1")).total).toBe(1);
    const details = (await api("contents/en/3", { token: VERA })).body as ContentDetails;
    expect(details).toMatchObject({
      file: "backend/shop.en.yaml",
      line: 17,
      others: [{ key: "options", line: 20 }],
      languages: ["en"],
    });
    expect((await api("contents/en/9")).status).toBe(404);
  });

  it("collide while they are written: each phrase says which other content it finds too", async () => {
    const { api } = await servedOwnBot();
    const fields = { title: "Delivery times", alternatives: ["Do you sell gift cards?"] };
    const { body } = await api("contents/ask", {
      json: { language: "en", id: null, fields, questions: ["gift cards"] },
    });
    expect(body as ContentTrial).toMatchObject({
      phrases: [
        { phrase: "Delivery times", others: [{ id: 2, score: 1, exact: true }] },
        { phrase: "Do you sell gift cards?", others: [] },
      ],
      questions: [{ outcome: "answered", hits: [{ id: 0, title: "Delivery times" }] }],
    });
  });

  it("are asked with the scores that they have once they are published", async () => {
    const { api } = await servedOwnBot();
    const alternatives = ["How long does a parcel take?", "When does the parcel arrive?"];
    const fields = { title: "Where is my parcel?", alternatives };
    const questions = ["my parcel did not arrive", "how long for a delivery", "complain about it"];
    const ask = async (json: object): Promise<ContentTrial> =>
      (await api("contents/ask", { json: { language: "en", questions, ...json } })).body;
    const trial = await ask({ id: 1, fields });
    await change(api, 1, { fields }, ADMIN);
    expect((await publish(api, { warnings: true }, ADMIN)).status).toBe(200);
    expect((await ask({})).questions).toEqual(trial.questions);
  });

  it("are asked though one that is being written has no answer yet", async () => {
    const { api } = await servedOwnBot();
    const { id } = await add(api, { title: "Gift wrap" });
    const ask = (json: object) =>
      api("contents/ask", { json: { language: "en", ...json }, token: PAUL });
    const fields = { title: "Gift wrap", alternatives: ["Do you wrap presents?"] };
    const own = await ask({ id, fields, questions: ["wrap presents"] });
    expect(own).toMatchObject({
      status: 200,
      body: { questions: [{ hits: [{ id }], outcome: "answered" }] },
    });
    const others = await ask({ questions: ["delivery times"] });
    expect(others).toMatchObject({ status: 200, body: { questions: [{ outcome: "answered" }] } });
  });

  it("never get the number of a deleted content, whose links and counts would be theirs", async () => {
    const { api, directory } = await servedOwnBot();
    const { id } = await add(api, NEW);
    expect((await publish(api)).status).toBe(200);
    await change(api, id, { fields: null });
    expect((await publish(api)).status).toBe(200);
    const next = await add(api, { ...NEW, title: "Do you ship to Iceland?" });
    expect(next.id).toBe(id + 1);
    await api("draft", { method: "DELETE", token: PAUL });
    const file = Buffer.from("question,answer\nDo you gift-wrap?,Yes\n").toString("base64");
    const json = { name: "faq.csv", language: "en", file, write: true };
    expect((await api("contents/import", { json, token: PAUL })).status).toBe(200);
    const written = await readFile(join(directory, "backend", "faq.en.yaml"), "utf8");
    expect(written).toContain(`- id: ${id + 2}\n`);
  });

  it("are changed by those alone who may, in their languages, and in values that files have", async () => {
    const { api } = await servedOwnBot();
    const fields = { title: "x" };
    expect((await change(api, 1, { fields }, VERA)).status).toBe(403);
    const other = await change(api, 1, { fields }, EVA);
    expect(other).toMatchObject({ status: 403 });
    expect(JSON.stringify(other.body)).toContain("may change fr, not en");
    expect((await change(api, 1, { fields }, EVA, "fr")).status).toBe(200);
    expect((await api("contents", { token: "token-of-sam-1234567890" })).status).toBe(409);
    expect((await change(api, 77, { fields })).status).toBe(404);
    const inherited = ["constructor", "__proto__"].map((name) => JSON.parse(`{"${name}":1}`));
    const mistyped = [{ title: 5 }, { answer: "x" }, { related: ["1"] }, { form: {} }];
    for (const wrong of [...mistyped, ...inherited]) {
      expect((await change(api, 1, { fields: wrong })).status).toBe(422);
    }
    for (const language of ["constructor", "__proto__", "..", "en%0A"]) {
      const created = await api(`draft/contents/${language}`, { json: { fields } });
      expect(created.status).not.toBe(200);
    }
    expect((await change(api, 1, { fields: { title: "a\0b" } })).status).toBe(422);
    const { body } = await change(api, 1, { fields: { alternatives: Array(2001).fill("a") } });
    expect(JSON.stringify(body)).toContain("at most 2000 texts of at most 524288 characters");
    expect((await change(api, 1, { fields: { title: String.raw`a\u0000b` } })).status).toBe(200);
  });

  it("are imported from a file whose name is longer than a disk allows", async () => {
    const { api, directory } = await servedOwnBot();
    const file = Buffer.from("question,answer\nDo you gift-wrap?,Yes\n").toString("base64");
    const wish = { name: `${"ü".repeat(190)}.csv`, language: "en", file, write: true };
    const { status, body } = await api("contents/import", { json: wish });
    expect([status, body]).toMatchObject([200, { written: true, files: [{ contents: 1 }] }]);
    const { files } = body as ImportedContents;
    expect(await readFile(join(directory, files[0]?.file ?? ""), "utf8")).toContain("gift-wrap");
  });

  it("of a large import leave the history short, which counts what it leaves out", async () => {
    const { api } = await servedOwnBot();
    const rows = Array.from(
      { length: 1000 },
      (_, at) => `Is part ${at} sold?,${"Yes. ".repeat(20)}`,
    );
    const file = Buffer.from(["question,answer", ...rows].join("\n")).toString("base64");
    const json = { name: "parts.csv", language: "en", file, write: true };
    expect((await api("contents/import", { json, token: PAUL })).status).toBe(200);
    const { body } = await api("history");
    const [made] = (body as { history: Publication[] }).history;
    const [first] = made?.files ?? [];
    expect(made?.imported?.contents).toBe(1000);
    expect(first?.contents).toHaveLength(100);
    expect(first?.more.contents).toBe(900);
    expect(first?.more.lines).toBeGreaterThan(1000);
    expect(first?.diff.endsWith("\n")).toBe(true);
    expect(JSON.stringify(body).length).toBeLessThan(150_000);
    // All of it is taken back.
    const taken = await api(`history/${made?.id}/restore`, { json: {}, token: PAUL });
    expect(taken).toMatchObject({ status: 200, body: { kind: "published" } });
    const list = await api("contents?search=part");
    expect((list.body as ContentList).contents).toEqual([]);
  });

  it("of an import are a publication, which answers at once and is taken back like any other", async () => {
    const { api, asked, directory } = await servedOwnBot();
    await add(api, NEW);
    const sheet =
      "question,answer,question_fr,answer_fr\nDo you gift-wrap?,Yes,Emballez-vous ?,Oui\n";
    const file = Buffer.from(sheet).toString("base64");
    const json = { name: "faq.csv", language: "en", file, write: true };
    const { status, body } = await api("contents/import", { json, token: PAUL });
    expect([status, body]).toMatchObject([200, { written: true, files: [{}, {}] }]);
    expect(await asked("Do you gift-wrap?")).toContain("Yes");
    const readHistory = async (): Promise<readonly Publication[]> =>
      ((await api("history")).body as { history: Publication[] }).history;
    const [made] = await readHistory();
    expect(made).toMatchObject({
      label: "paul",
      restores: null,
      imported: { format: "sheet", source: "faq.csv", contents: 1 },
      files: [
        { file: "backend/faq.en.yaml", contents: [{ before: null }] },
        { file: "backend/faq.fr.yaml", contents: [{ before: null }] },
      ],
    });
    const id = made?.files[0]?.contents[0]?.id ?? 0;
    // The draft of the person who imports does not conflict.
    expect((await api("draft", { token: PAUL })).body).toMatchObject({ contents: [{}] });
    const taken = await api(`history/${made?.id}/restore`, { json: {}, token: PAUL });
    expect(taken).toMatchObject({ status: 200, body: { kind: "published" } });
    expect(await readdir(join(directory, "backend"))).not.toContain("faq.en.yaml");
    expect(await asked("Do you gift-wrap?")).not.toContain("Yes");
    expect(await readHistory()).toMatchObject([{ restores: made?.id, imported: null }, {}]);
    // Links and counts of removed contents must not refer to another content.
    const again = await api("contents/import", { json, token: PAUL });
    expect(again).toMatchObject({ status: 200, body: { written: true } });
    const written = await readFile(join(directory, "backend", "faq.en.yaml"), "utf8");
    expect(written).toContain(`- id: ${id + 1}\n`);
  });

  it("are read and not changed where the configuration says so", async () => {
    const { api } = await servedOwnBot({}, "console: { edit: false }\n");
    expect((await api("contents")).body).toMatchObject({ total: 4 });
    const refused = await change(api, 1, { fields: { title: "x" } });
    expect(refused.status).toBe(403);
    expect(JSON.stringify(refused.body)).toContain("console: { edit: false }");
  });
});
