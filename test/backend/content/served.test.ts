// Suite: slow
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createFolder } from "../../fixtures/folder.ts";
import type { OpenBackend } from "../../../src/backend/node.ts";
import { afterword } from "../../cli/terminal.ts";
import { ask, contentDirectory, login, open, talk } from "../client.ts";

let directory = "";
let backend: OpenBackend | null = null;
beforeEach(() => {
  directory = createFolder();
});
afterEach(async () => {
  await backend?.close();
  backend = null;
});

test("a running backend answers with what another process has imported", async () => {
  const database = join(directory, "backend.db");
  backend = await open({ database });
  const { say } = await talk(backend.app, { body: { lang: "en" } });
  expect((await say("Do you repair bicycles?")).flags).toStrictEqual(["no-results"]);

  const file = join(directory, "more.csv");
  writeFileSync(
    file,
    'id,title,answer,related\n100,Do you repair bicycles?,"<p>On Tuesdays.</p>",13\n',
  );
  const places = ["--database", database, "--content", contentDirectory];
  const result = await afterword(["backend", "import", file, "--language", "en", ...places]);
  expect(result).toMatchObject({ code: 0 });

  await vi.waitFor(
    async () => expect((await say("Do you repair bicycles?")).message).toBe("<p>On Tuesdays.</p>"),
    { timeout: 60_000, interval: 200 },
  );
});

test("the demo passes a conversation on: offer, yes, form, and the action for the front end", async () => {
  backend = await open();
  const { say, send } = await talk(backend.app, { body: { lang: "fr" } });
  const offer = await send({ directCall: "escalationOffer" });
  expect(offer.body.answers.at(-1)).toMatchObject({ type: "polarQuestion", flags: [] });
  await say("oui");
  await say("Ada");
  await say("ada@example.com");
  const { answers } = (await send({ message: "Ma commande" })).body;
  expect(answers[0].message).toBe("Merci, Ada. Un instant, s’il vous plaît.");
  expect(answers.at(-1).flags).toStrictEqual(["end-form"]);
  expect(answers.at(-1).actions).toStrictEqual([
    {
      parameters: {
        callback: "escalateToAgent",
        data: {
          FIRST_NAME: "Ada",
          EMAIL_ADDRESS: "ada@example.com",
          INQUIRY: "Ma commande",
        },
      },
    },
  ]);
});

test("the demo asks which of two lost parcels is meant", async () => {
  backend = await open();
  const { say } = await talk(backend.app, { body: { lang: "es" } });
  const asked = await say("No encuentro mi paquete");
  expect(asked.type).toBe("polarQuestion");
  expect(asked.message).toMatch(/^¿/);
  const second = await say("no");
  expect(second.type).toBe("polarQuestion");
  expect((await say("sí")).parameters.contents.title).toMatch(/paquete se ha perdido|Entregado/);
});

test("the demo leads from size to size by options", async () => {
  backend = await open();
  const { send } = await talk(backend.app, { body: { lang: "en" } });
  const sizes = await send({ message: "size guide" });
  const { options } = sizes.body.answers.at(-1);
  expect(options).toMatchObject([
    { label: "Shoes", revisitableLink: "size-shoes" },
    { label: "Clothes", revisitableLink: "size-clothes" },
  ]);
  const shoes = await send({ option: options[0].value });
  expect(shoes.body.answers).toMatchObject([
    {
      messageList: [expect.stringContaining("heel")],
      actions: [{ parameters: { callback: "showSizeTable", data: { table: "shoes" } } }],
    },
    { message: expect.stringContaining("24.5 cm"), options: [{ label: "Clothes instead" }] },
  ]);
});

test("app data and attributes are any JSON, from files and from the database", async () => {
  const content = join(directory, "content");
  cpSync(contentDirectory, content, { recursive: true });
  const settings = { production: [{ channel_id: "12", retries: 3, active: true, proxy: null }] };
  const appData = { line: { line_conf: settings }, facebook: { page_tokens: { dev: "EAAB" } } };
  const URL_BUTTONS = [{ title: "Shop", url: "https://shop.example" }];
  const attributes = { URL_BUTTONS, RATINGS: false, ESCALATE: true, WEIGHT: 2 };
  const written = (id: number, title: string): object => ({ id, title, answer: "A", attributes });
  writeFileSync(
    join(content, "settings.yaml"),
    JSON.stringify({ language: "en", contents: [written(900, "xylophone")], appData }),
  );
  const file = join(directory, "more.json");
  writeFileSync(file, JSON.stringify([written(901, "zither")]));
  const database = join(directory, "backend.db");
  const places = ["--database", database, "--content", content];
  const result = await afterword(["backend", "import", file, "--language", "en", ...places]);
  expect(result).toMatchObject({ code: 0 });

  backend = await open({ database, content });
  const headers = await login(backend.app);
  for (const [id, name, value] of [
    ["line", "line_conf", settings],
    ["facebook", "page_tokens", { dev: "EAAB" }],
  ] as const) {
    const { body } = await ask(backend.app, "GET", `/v1/app/data/${id}`, headers);
    expect(body).toStrictEqual({ results: [{ name, value }] });
  }
  const { say } = await talk(backend.app, { body: { lang: "en" } });
  for (const title of ["xylophone", "zither"]) {
    const answer = await say(title);
    expect(answer.attributes).toMatchObject(attributes);
    expect(answer.flags).toStrictEqual(["escalate", "no-rating"]);
  }
  const found = await ask(backend.app, "GET", "/knowledge/v1/contents/900", headers);
  expect(JSON.stringify(found.body)).toContain(JSON.stringify(JSON.stringify(URL_BUTTONS)));
});
