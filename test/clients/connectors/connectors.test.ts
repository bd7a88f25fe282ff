// Suite: slow
import { rm } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  comma,
  conversation,
  converseByForm,
  form,
  handOver,
  known,
  login,
  play,
  post,
  readSettings,
  say,
  spokenList,
  start,
  type Step,
  success,
  talking,
  welcome,
} from "./connector-steps.ts";
import {
  createWorkspace,
  root,
  type Server,
  startServer,
  type Workspace,
} from "../../runtime/processes/processes.ts";

/** Public clients, each with a whole conversation. They do not know Afterword. */
const clients: readonly (readonly [name: string, steps: readonly Step[]])[] = [
  ["a page that sends an empty text in quotes as a form", converseByForm('""')],
  ["a page that sends a text in quotes as a form", converseByForm('"a"')],
  ["a page that sends an empty list as a form", converseByForm("[]")],
  [
    "Facebook, which hides a reader's name",
    [
      login,
      readSettings("facebook", { "results.0.value.development": "EAAC" }),
      start("facebook", { "x-inbenta-env": "development" }),
      ...conversation,
      ...handOver("facebook", " "),
    ],
  ],
  [
    "LINE",
    [
      login,
      readSettings("line", {
        "results.0.name": "line_conf",
        "results.0.value.production.0.channel_id": "1234",
      }),
      start("line"),
      ...conversation,
    ],
  ],
  [
    "Skype",
    [
      login,
      readSettings("skype", { "results.0.value.production": "s3" }),
      start("skype"),
      ...conversation,
    ],
  ],
  [
    "Vonage, which shows a list as text",
    [
      login,
      readSettings("nexmo", { "results.0.value.production.0.token": "t5" }),
      start("whatsapp-bot"),
      ...conversation,
      ...spokenList,
    ],
  ],
  [
    "Telegram, with a reader without a name",
    [login, start("telegram"), ...conversation, ...handOver("telegram", null)],
  ],
  ...["alexa", "twilio", "intelepeer"].map(
    (source) =>
      [`${source}, which speaks a list`, [login, start(source), welcome, ...spokenList]] as const,
  ),
  [
    "Telegram, which keeps a link in a button",
    [
      login,
      start("telegram"),
      say(
        { message: "Find my size" },
        { "answers.1.options.0.label": "Shoes", "answers.1.options.1.label": "Clothes" },
        { link: "answers.1.options.0.attributes.DIRECT_CALL" },
      ),
      say(
        { message: "Opening hours" },
        {
          "answers.0.flags": ["no-subset-match"],
          "answers.1.parameters.contents.title": "Opening hours",
        },
      ),
      say({ directCall: "{link}" }, { "answers.0.parameters.contents.title": "Shoe sizes" }),
    ],
  ],
  [
    "an application whose log-in takes whether the reader is known",
    [{ ...login, reads: { isUserIdentified: false } }, start("web"), ...conversation],
  ],
  [
    "an application that takes a conversation's life from a header",
    [
      login,
      {
        ...start("web"),
        reads: { "header:x-inbenta-auth-expiration": expect.stringMatching(/^\d{10}$/u) },
      },
      welcome,
      {
        asks: "GET chatbot /v1/conversation/history",
        headers: talking,
        reads: { "0.user": "bot", "1": undefined },
      },
    ],
  ],
  [
    "a telephone client, which reports the call and asks for an opinion",
    [
      login,
      {
        asks: "POST ticketing /v1/surveys",
        headers: { ...known, ...comma },
        body: JSON.stringify({
          name: "After the call",
          pages: [{ id: 1, items: [{ id: 7, type: "text", subtype: "input" }] }],
          settings: [{ subtype: "url", value: "https://survey.example/7" }],
        }),
        keeps: { survey: "uuid" },
      },
      start("audiocodes"),
      welcome,
      post("tracking/session/user", { data: { caller: "+34600000000" } }, success),
      {
        asks: "GET chatbot /v1/surveys/{survey}",
        headers: talking,
        reads: { url: "https://survey.example/7" },
      },
      {
        asks: "GET chatbot /v1/surveys/{survey}/start",
        headers: talking,
        reads: { "pages.0.items.0.id": 7 },
        keeps: { answers: "token" },
      },
      {
        asks: "POST chatbot /v1/surveys/{survey}/submit",
        headers: { ...talking, ...form },
        body: "fieldAnswers%5B7%5D=fine&token={answers}",
        reads: { errors: undefined },
      },
    ],
  ],
];

const content = `
language: en
contents:
  - id: 901
    title: Book a vehicle
    answer: <p>Gladly.</p>
    form:
      name: vehicle
      fields:
        - name: vehicle
          type: list
          question: Which one?
          values: [{ label: Delivery van, value: van }, Something else]
      finished: "<p>Booked: {{vehicle}}.</p>"
appData:
  facebook: { page_tokens: { production: EAAB, development: EAAC } }
  line: { line_conf: { production: [{ channel_id: "1234" }] } }
  skype: { app_password: { production: s3 } }
  nexmo: { app_tokens: { production: [{ token: t5 }] } }
`;

let place: Workspace;
let server: Server;

beforeAll(async () => {
  place = await createWorkspace();
  await place.write("backend/connectors.en.yaml", content);
  const command = ["src/cli/main.ts", "serve", "--config", place.config, "--port", "0"];
  server = await startServer(command, { cwd: root });
});

afterAll(async () => {
  await server.stop();
  await rm(place.path, { recursive: true, force: true });
});

describe("a whole conversation, with nothing changed but the address, of", () => {
  test.each(clients)("%s", async (_name, steps) => {
    await play(server.url, steps);
  });
});
