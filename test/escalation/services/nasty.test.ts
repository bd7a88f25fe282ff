// Suite: slow
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import {
  type ChatService,
  createChatService,
} from "../../../src/escalation/services/chat-service.ts";
import {
  createTicketService,
  type TicketService,
} from "../../../src/escalation/services/ticket-service.ts";
import type { CallResult } from "../../../src/escalation/services/call-result.ts";
import {
  type RecordedRequest,
  type ScriptedAnswer,
  startScriptedUpstream,
} from "../../../src/testing/scripted-upstream.ts";
import { createNodeTransport } from "../../../src/runtime/node/transport.ts";
import { holdTime } from "../../runtime/node/support.ts";
import { ana, sendTo } from "./bed.ts";

/** Every method of both services, and whether its call changes the service's state. */
const chatCalls: readonly (readonly [
  name: string,
  creates: boolean,
  call: (service: ChatService) => Promise<CallResult<unknown>>,
])[] = [
  ["availability", false, (service) => service.availability(1, "en")],
  ["findUser", false, (service) => service.findUser("reader-text")],
  [
    "createUser",
    true,
    (service) => service.createUser({ externalId: "reader-text", person: ana, extraInfo: {} }),
  ],
  ["updateUser", false, (service) => service.updateUser("u", ana)],
  [
    "openChat",
    true,
    (service) =>
      service.openChat({
        externalId: "reader-text",
        user: "u",
        room: 1,
        lang: "en",
        source: 3,
        history: [{ sender: "u", message: "reader-text", created: 1 }],
        idempotencyKey: "k",
      }),
  ],
  ["chat", false, (service) => service.chat("c")],
  ["assign", true, (service) => service.assign("c")],
  ["say", true, (service) => service.say("c", "u", "reader-text", "k")],
  ["messages", false, (service) => service.messages("c", "")],
  ["attach", true, (service) => service.attach("c", "u", "a.txt", "text/plain", new Uint8Array(3))],
  ["close", true, (service) => service.close("c", "u")],
  ["queuePosition", false, (service) => service.queuePosition("c")],
  ["survey", false, (service) => service.survey("s", "c")],
];
const ticketCalls: readonly (readonly [
  name: string,
  creates: boolean,
  call: (service: TicketService) => Promise<CallResult<unknown>>,
])[] = [
  ["find", false, (service) => service.find("reader-text")],
  [
    "create",
    true,
    (service) =>
      service.create({
        externalId: "reader-text",
        person: ana,
        title: "reader-text",
        message: "reader-text",
        language: "en",
        transcript: { name: "a.txt", text: "reader-text" },
        conversation: { dropped: 0, lines: [] },
        fields: {},
        idempotencyKey: "k",
      }),
  ],
];

type Script = (request: RecordedRequest) => ScriptedAnswer | Promise<ScriptedAnswer>;

/** Kinds of failures, and whether a creating call may have been carried out. */
const outages: readonly (readonly [name: string, sent: boolean, script: Script])[] = [
  ["says nothing", true, silence],
  ["stops in the middle", true, () => ({ headers: ["Content-Length", "90"], body: stalling() })],
  ["breaks off at once", true, () => Promise.reject(new Error("broken"))],
  [
    "breaks off in the middle",
    true,
    () => ({ headers: ["Content-Length", "90"], body: breaking() }),
  ],
  ["speaks no HTTP", true, () => ({ raw: "SSH-2.0-OpenSSH_9.2\r\n", close: true })],
  ["answers 500 with a page", true, () => ({ status: 500, body: "<html>reader-text</html>" })],
  ["answers 504", true, () => ({ status: 504, body: '{"message":"reader-text"}' })],
  ["answers 503 without a word of when", true, () => ({ status: 503, body: "{}" })],
  [
    "answers 503 and says when to come again",
    false,
    () => ({ status: 503, headers: ["Retry-After", "1"], body: "{}" }),
  ],
  ["answers 429", false, () => ({ status: 429, body: '{"error":{"code":429,"message":"x"}}' })],
  ["answers 429 in a 200", false, () => ({ body: '{"error":{"code":429,"message":"x"}}' })],
  ["answers 200 with a page", true, () => ({ body: "<html>reader-text</html>" })],
  ["answers 200 with more than it may", true, () => ({ body: "[".repeat(9 * 1024 * 1024) })],
  [
    "answers in a coding that nobody knows",
    true,
    () => ({ headers: ["Content-Encoding", "zstd"], body: "{}" }),
  ],
];

describe.each(outages)("a service that %s", (_, sent, script) => {
  beforeEach(holdTime);

  it.each(chatCalls)(
    "fails the chat's %s, in time and without a word of the answer",
    async (_name, creates, call) => {
      allowed = _name === "assign" ? deadline + longerToLook : deadline;
      const { service } = await chatAt(script);
      // Closing needs no body, so any success counts.
      const answer = await call(service);
      if (answer.kind === "ok") {
        expect([_name, _]).toEqual([
          expect.stringMatching(/close|updateUser|attach/),
          expect.stringMatching(/200 with a page/),
        ]);
        return;
      }
      expect(answer).toMatchObject({ kind: "failed", sent: creates && sent });
      expect(JSON.stringify(answer)).not.toMatch(/reader-text|4711|ana@|127\.0\.0\.1/);
    },
  );

  it.each(ticketCalls)("fails the ticket's %s", async (_name, creates, call) => {
    allowed = deadline;
    const { service } = await ticketAt((request) => working(request) ?? script(request));
    const answer = await call(service);
    expect(answer).toMatchObject({ kind: "failed", sent: creates && sent });
    expect(JSON.stringify(answer)).not.toMatch(/reader-text|4711|ana@|127\.0\.0\.1/);
  });

  it.each(ticketCalls)(
    "fails the login of the ticket's %s, and nothing is sent",
    async (_name, _creates, call) => {
      const { service } = await ticketAt(script);
      expect(await call(service)).toMatchObject({ kind: "failed", sent: false });
    },
  );
});

describe("a service that cannot be reached", () => {
  it.each(chatCalls)("fails the chat's %s, and nothing is sent", async (_name, _creates, call) => {
    const service = createChatService({ ...chat, send: sendTo(nowhere), base: nowhere });
    expect(await call(service)).toMatchObject({ kind: "failed", sent: false });
  });

  it("is not called at an address that login names and the configuration does not allow", async () => {
    const upstream = await scripted(() => ({
      body: '{"accessToken":"t","apis":{"ticketing":"http://127.0.0.1:9"}}',
    }));
    const service = createTicketService({
      ...ticket,
      send: sendTo(upstream.origin),
      auth: upstream.origin,
    });
    expect(await service.find("k")).toMatchObject({ kind: "failed", sent: false });
    expect(await service.create(creation)).toMatchObject({ kind: "failed", sent: false });
    expect(upstream.requests.map(({ target }) => target)).toEqual(["/v1/auth", "/v1/apis"]);
  });
});

describe("answers of any shape", () => {
  const shapes = [
    "null",
    "[]",
    "{}",
    "1",
    '"text"',
    '{"chat":null,"user":7,"users":{},"agent":[],"agents":"x","messages":{},"queue":3,"survey":[],"data":1}',
    '{"chat":{"id":{}},"users":[null,[],7,{"id":[]}],"messages":[null,1,{"id":1,"sender":[]}],"data":[null,1]}',
    '{"__proto__":{"id":"x"},"constructor":{"id":"y"}}',
    `${"[".repeat(50_000)}${"]".repeat(50_000)}`,
    '{"chat":{"id":"","status":7,"inQueue":"yes","agent":{"id":""}},"agents":{"1":"many"}}',
  ];
  it.each(shapes.map((body) => [body.slice(0, 60), body]))("throw nothing: %s", async (_, body) => {
    const { service } = await chatAt(() => ({ body }));
    for (const [, , call] of chatCalls) expect(kindOf(await call(service))).toBe(true);
    const tickets = await ticketAt((request) => working(request) ?? { body });
    for (const [, , call] of ticketCalls) expect(kindOf(await call(tickets.service))).toBe(true);
  });

  it("of other services are understood: a list for no agents, positions below data, agents in a list of people", async () => {
    const { service } = await chatAt(({ target }) => {
      if (target.startsWith("/v1/settings"))
        return { body: '{"settings":{"queue":{"active":"0"}}}' };
      if (target.startsWith("/v1/agents")) return { body: '{"agents":[]}' };
      if (target.startsWith("/v1/queues")) return { body: '{"data":{"queuePosition":"2"}}' };
      if (target.endsWith("/users")) {
        return { body: '{"users":[{"id":"u"},{"id":7,"providerId":"p"}]}' };
      }
      return { body: '{"chat":{"id":9,"status":"OPEN","inQueue":"1","closed":0}}' };
    });
    expect(await service.availability(1, "")).toEqual({
      kind: "ok",
      value: { agents: 0, queue: false },
    });
    expect(await service.queuePosition("9")).toEqual({
      kind: "ok",
      value: { position: 2, estimate: null, overtaken: 0 },
    });
    expect(await service.chat("9")).toEqual({
      kind: "ok",
      value: { id: "9", status: "active", queued: true, externalId: "", agent: "7" },
    });
  });

  it("that ignore the filter of tickets prove nothing", async () => {
    const found = async (lists: (target: string) => object): Promise<unknown> => {
      const { service } = await ticketAt(
        (request) =>
          (request.target.startsWith("/v1/tickets") ? null : working(request)) ?? {
            body: JSON.stringify(lists(request.target)),
          },
      );
      const answer = await service.find("mine");
      return answer.kind === "ok" ? answer.value : answer;
    };
    const other = { id: 1, external_id: "other" };
    const mine = { id: 2, external_id: "mine", full_uuid: "ABC-2" };
    expect(await found(() => ({ data: [other, { id: 3 }] }))).toBe("unable");
    expect(await found(() => ({ data: [other, mine] }))).toEqual({ id: "2", number: "ABC-2" });
    expect(await found(() => ({ data: [] }))).toBeNull();
    expect(await found(() => ({ tickets: [] }))).toBe("unable");
    expect(await found(() => ({ errors: [{ code: 422, message: "external_id" }] }))).toBe("unable");
    // If lists do not contain the id, the filter is tried with an id that does not exist.
    expect(await found(() => ({ data: [{ id: 5 }] }))).toBe("unable");
    const filters = (target: string) => ({
      data: target.endsWith("external_id=mine") ? [{ id: 5 }] : [],
    });
    expect(await found(filters)).toEqual({ id: "5", number: "5" });
  });

  it("that ignore the filter of users make nobody else the ticket's creator", async () => {
    const bodies: string[] = [];
    const { service } = await ticketAt((request) => {
      const { method, target, body } = request;
      if (target === "/v1/auth") return working(request) ?? { body: "{}" };
      if (method === "GET") return { body: '{"data":[{"id":1,"address":"boss@example.test"}]}' };
      if (target === "/v1/users") return { body: '{"uuid":77}' };
      if (target === "/v1/tickets") bodies.push(Buffer.from(body).toString());
      return { body: '{"uuid":5,"full_uuid":"X-5"}' };
    });
    expect(await service.create(creation)).toEqual({
      kind: "ok",
      value: { id: "5", number: "X-5" },
    });
    expect(JSON.parse(bodies[0] ?? "")).toMatchObject({ creator: 77, attachments: [5] });
  });

  it("ids that are made of dots, or hold them, ask for nothing else", async () => {
    const { service, requests } = await chatAt(() => ({ body: "{}" }));
    for (const id of ["", ".", ".."]) {
      expect(await service.assign(id)).toMatchObject({ kind: "refused", status: 404 });
      expect(await service.say(id, "u", "text", "k")).toMatchObject({
        kind: "refused",
        status: 404,
      });
    }
    await service.chat("../../x?y#z\ud800");
    expect(requests().map(({ target }) => target)).toEqual([
      "/v1/chats/..%2F..%2Fx%3Fy%23z%EF%BF%BD",
    ]);
  });

  it("a service that takes only members it knows opens the chat without the others", async () => {
    const { service, requests } = await chatAt(({ body }) =>
      body.toString().includes("no-results")
        ? { status: 422, body: '{"error":{"code":422,"message":"reason is not allowed"}}' }
        : { body: '{"chat":{"id":"c-1"}}' },
    );
    const about = { reason: "no-results", question: "Where?" };
    const asked = { externalId: "x", user: "u", room: 1, lang: "en", source: 3, history: [] };
    const opened = await service.openChat({ ...asked, idempotencyKey: "k", about });
    expect(opened).toEqual({ kind: "ok", value: { id: "c-1" } });
    expect(requests()).toHaveLength(2);
  });

  it("credentials that no header can carry are never sent", async () => {
    const upstream = await scripted(() => ({ body: "{}" }));
    const send = sendTo(upstream.origin);
    const secret = "line\r\nx-injected: 1";
    const service = createChatService({ ...chat, send, base: upstream.origin, secret });
    expect(await service.say("c", "u", "t", "k")).toMatchObject({ kind: "failed", sent: false });
    expect(upstream.requests).toHaveLength(0);
  });
});

/** Milliseconds for a call. In the outages above they pass only when the service falls silent. */
const deadline = 60_000;
/** Additional milliseconds for finding an agent. */
const longerToLook = 5000;
let allowed = deadline;

const nowhere = "http://127.0.0.1:9";
const chat = { appId: "app-4711", secret: "secret-4711", deadline };
const ticket = {
  apiKey: "key-4711",
  secret: "secret-4711",
  ticketing: null,
  keyHeader: "x-vendor-key",
  now: Date.now,
  deadline,
};
const creation = {
  externalId: "k",
  person: ana,
  title: "t",
  message: "m",
  language: "en",
  transcript: { name: "a.txt", text: "text" },
  conversation: { dropped: 0, lines: [] },
  fields: {},
  idempotencyKey: "k",
};

function kindOf({ kind }: CallResult<unknown>): boolean {
  return kind === "ok" || kind === "failed" || kind === "refused";
}

/** Correct answers for login, users and files; null for tickets. */
function working({ method, target }: RecordedRequest): ScriptedAnswer | null {
  if (target === "/v1/auth")
    return { body: '{"accessToken":"token-4711","expires_in":600,"apis":{}}' };
  if (target.startsWith("/v1/users")) {
    return { body: method === "GET" ? '{"data":[]}' : '{"uuid":12}' };
  }
  return target === "/v1/media" ? { body: '{"uuid":13}' } : null;
}

async function scripted(handler: Script) {
  const upstream = await startScriptedUpstream({ handler });
  onTestFinished(() => upstream.close());
  return upstream;
}

async function chatAt(
  script: Script,
): Promise<{ readonly service: ChatService; requests(): readonly RecordedRequest[] }> {
  const upstream = await scripted(script);
  const transport = createNodeTransport();
  onTestFinished(() => transport.close());
  const send = sendTo(upstream.origin, transport);
  const service = createChatService({ ...chat, send, base: upstream.origin });
  return { service, requests: () => upstream.requests };
}

async function ticketAt(script: Script): Promise<{ readonly service: TicketService }> {
  const upstream = await scripted(script);
  const transport = createNodeTransport();
  onTestFinished(() => transport.close());
  const send = sendTo(upstream.origin, transport);
  const ticketing = upstream.origin;
  return { service: createTicketService({ ...ticket, send, auth: upstream.origin, ticketing }) };
}

/**
 * Never resolves. The caller's time limit passes meanwhile, so only a caller that exceeds it waits
 * forever.
 */
function silence(): Promise<never> {
  setImmediate(() => void vi.advanceTimersByTime(allowed));
  return new Promise(() => undefined);
}

async function* stalling(): AsyncGenerator<string> {
  yield '{"chat":';
  await silence();
}

async function* breaking(): AsyncGenerator<string> {
  yield '{"chat":';
  throw new Error("broken");
}
