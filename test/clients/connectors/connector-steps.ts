import { expect } from "vitest";
import { valueAt } from "./client.ts";
import { type Answer, ask } from "./http.ts";

/** Expected values by their path in an answer, such as `answers.0.message` or `header:name`. */
export type Reads = Readonly<Record<string, unknown>>;

/**
 * One request, and its client's use of the answer. `{name}` in a path, a header or a body stands
 * for a value that an earlier step has kept.
 */
export interface Step {
  /** The method, the base that the client puts before the path, and the path. */
  readonly asks: `${"GET" | "POST" | "DELETE"} ${"auth" | "chatbot" | "ticketing" | "chat"} /${string}`;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The members that the client uses. */
  readonly reads?: Reads;
  /** Values that later steps send, by their path in the answer. */
  readonly keeps?: Readonly<Record<string, string>>;
}

export const form = { "Content-Type": "application/x-www-form-urlencoded" };
export const comma = { "Content-Type": "application/json,charset=UTF-8" };
const key = { "x-inbenta-key": "demo-key" };
export const known = { ...key, Authorization: "Bearer {token}" };
export const talking = { ...known, "x-inbenta-session": "Bearer {session}" };
const app = { "x-hyper-appId": "demo-app", "x-hyper-secret": "demo-app-secret" };

/** What clients read of events and of a survey: that the call succeeded. */
export const success: Reads = { success: true, errors: undefined };

/** The connectors' own library: a raw form to log in, then JSON with a comma in its type. */
export const login: Step = {
  asks: "POST auth /v1/auth",
  headers: { ...form, ...key },
  body: "secret=demo-secret",
  reads: { expires_in: 1200 },
  keeps: { token: "accessToken", chatbot: "apis.chatbot", ticketing: "apis.ticketing" },
};

export function start(source: string, headers: Readonly<Record<string, string>> = {}): Step {
  return {
    asks: "POST chatbot /v1/conversation",
    headers: { ...known, ...comma, "x-inbenta-source": source, ...headers },
    body: JSON.stringify({
      lang: "en",
      answers: { answerAttributes: ["ANSWER_TEXT"], maxOptions: 3, maxRelatedContents: 2 },
      forms: { allowUserToAbandonForm: true, errorRetries: 2 },
    }),
    reads: { sessionId: expect.stringMatching(/./u) },
    keeps: { session: "sessionToken" },
  };
}

export function post(path: string, body: object, reads: Reads = {}, keeps = {}): Step {
  const headers = { ...talking, ...comma };
  const asks = `POST chatbot /v1/${path}` as const;
  return { asks, headers, body: JSON.stringify(body), reads, keeps };
}

export function say(body: object, reads: Reads, keeps: Step["keeps"] = {}): Step {
  return post("conversation/message", body, reads, keeps);
}

/** A connector's settings, which it reads before it has a session. */
export function readSettings(channel: string, reads: Reads): Step {
  return {
    asks: `GET chatbot /v1/app/data/${channel}?name=`,
    headers: { ...known, ...form },
    reads,
  };
}

const firstText = "answers.0.messageList.0";
export const welcome = say(
  { message: "", directCall: "sys-welcome" },
  { "answers.0.flags": ["welcome"], [firstText]: expect.stringMatching(/./u) },
);
/** A question, a rating with its comment, and the click that a reader makes. */
export const conversation: readonly Step[] = [
  welcome,
  say(
    { message: "Where is my order?" },
    { "answers.0.type": "answer", "answers.0.parameters.contents.related.relatedContents.0.id": 2 },
    {
      rate: "answers.0.parameters.contents.trackingCode.rateCode",
      click: "answers.0.parameters.contents.trackingCode.clickCode",
    },
  ),
  post(
    "tracking/events",
    { type: "rate", data: { code: "{rate}", value: 2, comment: "No" } },
    success,
  ),
  post("tracking/events", { type: "click", data: { code: "{click}" } }, success),
  say({ message: "xyzzy plugh frobozz" }, { "answers.0.flags": ["no-results"] }),
];

/** Opens a chat for a person without a name, without a form, sends a message and closes it. */
export function handOver(source: string, name: string | null): readonly Step[] {
  const person = { name, externalId: `reader-${source}`, extraInfo: {} };
  const chat = {
    room: 1,
    creator: "{user}",
    source: 3,
    lang: "en",
    history: [{ sender: "assistant", message: "Hello", created: 1767225600 }],
  };
  return [
    post("tracking/events", { type: "CONTACT_REJECTED", data: { value: "TRUE" } }, success),
    { asks: "GET chat /v1/agents/available?roomIds=1", headers: app, reads: { error: undefined } },
    {
      asks: "POST chat /v1/users/",
      headers: { ...app, "Content-Type": "application/json" },
      body: JSON.stringify(person),
      reads: { "user.name": "Guest", "session.token": expect.stringMatching(/./u) },
      keeps: { user: "user.id" },
    },
    {
      asks: "POST chat /v1/chats/",
      headers: { ...app, "Content-Type": "application/json" },
      body: JSON.stringify(chat),
      reads: { "chat.creator": expect.stringMatching(/./u), error: undefined },
      keeps: { opened: "chat.id" },
    },
    {
      asks: "POST chat /v1/chats/{opened}/messages",
      headers: { ...app, "Content-Type": "application/json" },
      body: JSON.stringify({ sender: "{user}", type: "text", message: "Is somebody there?" }),
      reads: { error: undefined },
    },
    { asks: "GET chat /v1/chats/{opened}", headers: app, reads: { "chat.lang": "en" } },
    {
      asks: "DELETE chat /v1/chats/{opened}?userId={user}",
      headers: app,
      reads: { error: undefined },
    },
  ];
}

/** The client speaks or shows the `option` of a list, and sends back the reader's choice. */
export const spokenList: readonly Step[] = [
  say(
    { message: "Book a vehicle" },
    {
      "answers.1.actionField.fieldType": "list",
      "answers.1.actionField.listValues.values.0.option": "Delivery van",
      "answers.1.actionField.listValues.values.1.label.0": "Something else",
    },
    { choice: "answers.1.actionField.listValues.values.0.option" },
  ),
  say({ message: "{choice}" }, { [firstText]: "<p>Booked: Delivery van.</p>" }),
];

const boundary = "------------------------5c1a";
const multipart = { "Content-Type": `multipart/form-data; boundary=${boundary}` };

/** Sends nothing but forms, with an opening body that is JSON in spite of its type. */
export function converseByForm(quoted: string): readonly Step[] {
  const message: Step = {
    asks: "POST chatbot /v1/conversation/message",
    headers: { ...talking, ...form },
    body: "message=Where+is+my+order%3F",
    reads: { "answers.0.parameters.contents.title": "Where is my order?", errors: undefined },
  };
  return [
    login,
    {
      asks: "POST chatbot /v1/conversation",
      headers: { ...known, ...form },
      body: quoted,
      reads: { errors: undefined },
      keeps: { session: "sessionToken" },
    },
    message,
    {
      ...message,
      headers: { ...talking, ...multipart },
      body: [
        `--${boundary}`,
        'Content-Disposition: form-data; name="message"',
        "",
        "Where is my order?",
        `--${boundary}--`,
        "",
      ].join("\r\n"),
    },
  ];
}

/** Runs a client's steps one after the other, and expects each answer to be usable. */
export async function play(url: string, steps: readonly Step[]): Promise<void> {
  const kept = new Map([
    ["auth", url],
    ["chat", url],
  ]);
  const fill = (text: string): string =>
    text.replaceAll(/\{(\w+)\}/gu, (whole, name: string) => kept.get(name) ?? whole);
  for (const { asks, headers = {}, body, reads = {}, keeps = {} } of steps) {
    const [method = "", base = "", path = ""] = asks.split(" ");
    const filled = Object.entries(headers).map(([name, value]) => [name, fill(value)] as const);
    const answer = await ask(`${kept.get(base)}${fill(path)}`, {
      method,
      headers: Object.fromEntries(filled),
      ...(body !== undefined && { body: fill(body) }),
    });
    expect([asks, answer.status, answer.text]).toEqual([asks, 200, expect.any(String)]);
    for (const [member, value] of Object.entries(reads)) {
      expect([asks, member, readAt(answer, member)]).toEqual([asks, member, value]);
    }
    for (const [name, member] of Object.entries(keeps)) {
      const value = readAt(answer, member);
      expect([asks, member, value]).not.toEqual([asks, member, undefined]);
      kept.set(name, String(value));
    }
  }
}

function readAt(answer: Answer, member: string): unknown {
  return member.startsWith("header:")
    ? answer.headers[member.slice("header:".length)]
    : valueAt(answer.json(), ...member.split("."));
}
