// Suite: slow
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Draft, ImportResult } from "../../../src/api/console.ts";
import { ADMIN, EVA, type Served, served, VERA } from "./console.ts";

const FR = '# Our French.\nno-results: "Rien." # short\nwelcome: "Salut"\n';
const SAM = "token-of-sam-1234567890";
const TOKENS = {
  AFTERWORD_ADMIN_TOKEN: ADMIN,
  AFTERWORD_ADMIN_TOKENS: `eva:edit:fr:${EVA},vera:view:${VERA},sam@shop:publish:${SAM}`,
};

type Api = Served["api"];

async function exported(api: Api, query: string, token = ADMIN): Promise<string> {
  const { status, body } = await api(`translations?instance=shop&${query}`, { token });
  expect(status).toBe(200);
  return (body as { text: string }).text;
}

const send = (api: Api, text: string, token = ADMIN) =>
  api("translations", { json: { instance: "shop", name: "from-eva.csv", text }, token });

describe("translators' files", () => {
  it.each(["csv", "xliff"])(
    "of what is shown go out as %s and come back into the draft",
    async (format) => {
      const { api, directory } = await served({ "messages/fr.yaml": FR }, TOKENS);
      const query = `format=${format}&locales=fr&lines=welcome,no-results`;
      const text = await exported(api, query, VERA);
      expect(text).toContain("Salut");
      expect(text).not.toContain("sorry");
      const { status, body } = await send(api, text.replace("Salut", "Bonsoir"), EVA);
      expect(status).toBe(200);
      const { draft, taken, unchanged } = body as ImportResult;
      expect({ taken, unchanged }).toEqual({ taken: 1, unchanged: 1 });
      expect(draft.changes).toMatchObject([
        {
          key: "welcome",
          id: "welcome",
          text: "Bonsoir",
          before: "Salut",
          instances: ["shop", "bank"],
        },
      ]);
      expect(draft.files[0]?.diff).toContain('\n-welcome: "Salut"\n+welcome: "Bonsoir"\n');
      expect(await readFile(join(directory, "messages/fr.yaml"), "utf8")).toBe(FR);
    },
  );

  it("hold every line of every language unless something is chosen, and change nothing as they are", async () => {
    const { api } = await served({ "messages/fr.yaml": FR }, TOKENS);
    const text = await exported(api, "");
    expect(text.startsWith("\uFEFF")).toBe(true);
    for (const language of ['"de"', '"fr"', '"ar"']) expect(text).toContain(language);
    expect(text).not.toContain('"en"');
    const { draft, taken } = (await send(api, text)).body as ImportResult;
    expect({ taken, changes: draft.changes }).toEqual({ taken: 0, changes: [] });
  });

  it("are taken over whole or not at all, and say where they are wrong", async () => {
    const { api } = await served({ "messages/fr.yaml": FR }, TOKENS);
    const rows = 'locale,key,target\r\n"fr","welcome","Bonsoir"\r\n"fr","no-results","{{query"\r\n';
    const broken = await send(api, rows, EVA);
    expect(broken.status).toBe(422);
    expect(JSON.stringify(broken.body)).toContain("from-eva.csv:3: ");
    expect(((await api("draft", { token: EVA })).body as Draft).changes).toEqual([]);
    for (const [text, why] of [
      ["nothing of a table", "the header names no column"],
      ["<xliff version='1.1'/>", "only 1.2 and 2"],
      ['locale,key,target\n"fr","wellcome","x"\n', "welcome"],
      ["", "the sheet is empty"],
    ] as const) {
      const { status, body } = await send(api, text);
      expect(status).toBe(422);
      expect(JSON.stringify(body)).toContain(why);
    }
  });

  it("are bound by what a token may do", async () => {
    const { api } = await served({ "messages/fr.yaml": FR }, TOKENS);
    const german = 'locale,key,target\n"fr","welcome","Bonsoir"\n"de","welcome","Guten Tag!"\n';
    const refused = await send(api, german, EVA);
    expect(refused.status).toBe(403);
    expect(JSON.stringify(refused.body)).toContain("may change fr, not de");
    expect(((await api("draft", { token: EVA })).body as Draft).changes).toEqual([]);
    expect((await send(api, german, VERA)).status).toBe(403);
    // The bank uses the same files.
    expect((await send(api, german, SAM)).status).toBe(403);
    expect((await send(api, german)).status).toBe(200);
  });

  it("are refused for what is not there", async () => {
    const { api } = await served({}, TOKENS);
    const status = async (query: string): Promise<number> =>
      (await api(`translations?${query}`)).status;
    expect(await status("instance=nobody")).toBe(404);
    expect(await status("format=pdf")).toBe(422);
    expect(await status("locales=xx")).toBe(422);
    expect(await status("lines=wellcome")).toBe(422);
  });
});
