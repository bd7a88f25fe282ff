import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect, test, vi } from "vitest";
import { createFolder } from "../../fixtures/folder.ts";
import { root } from "../../runtime/processes/processes.ts";
import { brokenLinks } from "./markdown.ts";
import { pasted } from "./session.ts";

vi.setConfig({ testTimeout: 180_000 });

const page = join(root, "docs", "import.md");
const script = join(root, "tools/import/contents.mjs");

const rasa = {
  "nlu.yml":
    'version: "3.1"\nnlu:\n- intent: opening_hours\n  examples: |\n    - when do you [open](verb)\n    - opening hours\n- intent: greet\n  examples: |\n    - hi\n',
  "domain.yml": 'responses:\n  utter_opening_hours:\n  - text: "At nine."\n  - text: "At 9."\n',
};

const exported: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ["rasa", rasa],
  [
    "dialogflow",
    {
      "intents/hours.json":
        '{ "name": "hours", "responses": [{ "messages": [{ "type": "0", "lang": "en", "speech": ["At nine."] }] }] }',
      "intents/hours_usersays_en.json":
        '[{ "data": [{ "text": "when do you " }, { "text": "open" }] }, { "data": [{ "text": "opening hours" }] }]',
      "intents/fallback.json": '{ "name": "fallback", "responses": [] }',
    },
  ],
  [
    "watson",
    {
      "watson.json": `{ "language": "en",
        "intents": [{ "intent": "hours", "examples": [{ "text": "when do you open" }, { "text": "opening hours" }] }],
        "dialog_nodes": [
          { "conditions": "#hours", "output": { "generic": [{ "response_type": "text", "values": [{ "text": "At nine." }] }] } },
          { "conditions": "anything_else", "output": {} }] }`,
    },
  ],
  [
    "botpress",
    {
      "qna.json":
        '{ "qnas": [{ "id": "a", "data": { "enabled": true, "questions": { "en": ["when do you open", "opening hours"] }, "answers": { "en": ["At nine."] } } }] }',
    },
  ],
];

async function filled(files: Readonly<Record<string, string>>): Promise<string> {
  const place = createFolder();
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(place, name)), { recursive: true });
    await writeFile(join(place, name), text);
  }
  return place;
}

test("the page on imports prints what it says, beside an export", async () => {
  const here = (text: string): string => text.replaceAll("../afterword/", `${root}/`);
  const steps = await pasted(page, here, {}, await filled(rasa));
  expect(steps.length).toBe(2);
  for (const { printed, expected } of steps) expect(printed).toBe(expected ?? "");
  expect(await brokenLinks([page])).toEqual([]);
});

test.each(exported)(
  "an export of %s becomes the contents that the page shows",
  async (bot, files) => {
    const cwd = await filled(files);
    await promisify(execFile)(process.execPath, [script, bot], { cwd });
    const [, shown = ""] = /```json\n(.*?)```/su.exec(await readFile(page, "utf8")) ?? [];
    expect(JSON.parse(await readFile(join(cwd, "contents.json"), "utf8"))).toEqual(
      JSON.parse(shown),
    );
  },
);

test("the script names the bots that it knows", async () => {
  const run = promisify(execFile)(process.execPath, [script, "siri"]);
  await expect(run).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining("name one of botpress, dialogflow, rasa, watson"),
  });
});
