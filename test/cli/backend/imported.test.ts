// Suite: slow
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { loadConfig, serve } from "../../../src/runtime/node/index.ts";
import { answerIn, startConversation } from "../../clients/connectors/client.ts";
import { createFolder } from "../../fixtures/folder.ts";
import { afterword } from "../terminal.ts";

interface Export {
  readonly files: Readonly<Record<string, string>>;
  /** The files that the command line names. */
  readonly given: readonly string[];
}

const exports: readonly (readonly [string, Export])[] = [
  [
    "a sheet",
    {
      files: { "faq.csv": "sep=;\r\nFrage;Answer\r\nWhen do you open?;At nine.\r\n" },
      given: ["faq.csv", "--language", "en"],
    },
  ],
  [
    "a bot of Rasa",
    {
      files: {
        "bot/data/nlu.yml":
          'version: "3.1"\nnlu:\n- intent: hours\n  examples: |\n    - when do you [open](verb)\n    - at what time do you open\n',
        "bot/domain.yml": 'responses:\n  utter_hours:\n  - text: "At nine."\n',
      },
      given: ["bot", "--language", "en"],
    },
  ],
  [
    "an agent of Dialogflow",
    {
      files: {
        "agent.json": '{ "language": "en", "supportedLanguages": [] }',
        "intents/hours.json":
          '{ "name": "hours", "contexts": [], "responses": [{ "messages": [{ "type": "0", "lang": "en", "speech": ["At nine."] }] }] }',
        "intents/hours_usersays_en.json":
          '[{ "data": [{ "text": "at what time do you " }, { "text": "open" }], "isTemplate": false }]',
      },
      given: ["agent.json", "intents"],
    },
  ],
  [
    "a workspace of Watson Assistant",
    {
      files: {
        "watson.json":
          '{ "language": "en", "intents": [{ "intent": "hours", "examples": [{ "text": "at what time do you open" }] }], "dialog_nodes": [{ "dialog_node": "n", "conditions": "#hours", "output": { "generic": [{ "response_type": "text", "values": [{ "text": "At nine." }] }] } }] }',
      },
      given: ["watson.json"],
    },
  ],
  [
    "an export of Botpress",
    {
      files: {
        "qna.json":
          '{ "qnas": [{ "id": "a", "data": { "questions": { "en": ["at what time do you open"] }, "answers": { "en": ["At nine."] } } }] }',
      },
      given: ["qna.json"],
    },
  ],
];

test.each(exports)(
  "%s is imported, and the bot answers its question",
  async (_, { files, given }) => {
    const cwd = createFolder();
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(cwd, name)), { recursive: true });
      await writeFile(join(cwd, name), text);
    }
    // Options and their values name no file.
    const paths = given.map((word) => (existsSync(join(cwd, word)) ? join(cwd, word) : word));
    const content = join(cwd, "config/backend");
    const imported = await afterword(["backend", "import", ...paths, "--content", content]);
    expect(imported).toMatchObject({ code: 0, out: expect.stringContaining("(written to ") });
    const file = join(cwd, "config/afterword.yaml");
    await writeFile(
      file,
      "version: 1\nupstream: embedded\ninstances: [{ name: shop, match: {}, language: en, created: 2018-06-01 }]\n",
    );
    const running = await serve({
      config: await loadConfig(file, { env: {} }),
      port: 0,
      env: { AFTERWORD_LOG: "error" },
    });
    onTestFinished(() => running.close());
    const { say } = await startConversation(running.url);
    expect(answerIn(await say({ message: "at what time do you open?" }))).toEqual({
      flags: [],
      message: "At nine.",
    });
  },
);
