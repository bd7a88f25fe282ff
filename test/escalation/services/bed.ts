import type { AddressInfo } from "node:net";
import { serve as listen } from "@hono/node-server";
import { onTestFinished } from "vitest";
import { openBackend, type OpenBackendOptions } from "../../../src/backend/node.ts";
import type { UpstreamConfig } from "../../../src/config/config.ts";
import type { ChatServiceOptions } from "../../../src/escalation/services/chat-calls.ts";
import {
  type ChatService,
  createChatService,
} from "../../../src/escalation/services/chat-service.ts";
import {
  createTicketService,
  type TicketService,
  type TicketServiceOptions,
} from "../../../src/escalation/services/ticket-service.ts";
import type { CallResult, SendCall } from "../../../src/escalation/services/call-result.ts";
import type { Person } from "../../../src/escalation/stores/record.ts";
import { createServiceSend } from "../../../src/gateway/upstream/service-fetch.ts";
import type { Transport } from "../../../src/gateway/exchange/transport.ts";
import { createNodePlatform } from "../../../src/runtime/node/platform.ts";
import { createNodeTransport } from "../../../src/runtime/node/transport.ts";
import { contentDirectory, type Json, signingKey } from "../../backend/client.ts";

/**
 * The backend over a real socket, the two services that call it, and functions with which a test
 * changes its state.
 */
export interface Bed {
  readonly url: string;
  readonly chat: ChatService;
  readonly tickets: TicketService;
  chatService(more?: Partial<ChatServiceOptions>): ChatService;
  ticketService(more?: Partial<TicketServiceOptions>): TicketService;
  /** A call of the chat with the app's secret. */
  askChat(method: string, path: string, body?: unknown): Promise<Json>;
  /** A call of case management. */
  askTickets(method: string, path: string, body?: unknown): Promise<Json>;
  /** Adds an agent who is online in room 1, and returns the id. */
  agent(more?: object): Promise<string>;
  /** Starts a new server with the same database. */
  restart(): Promise<void>;
}

export async function bed(options: Partial<OpenBackendOptions> = {}): Promise<Bed> {
  let server = await started(options);
  onTestFinished(() => server.close());
  const transport = createNodeTransport();
  onTestFinished(() => transport.close());
  const sendOf = (url: string): SendCall => sendTo(url, transport);
  const chatService: Bed["chatService"] = (more = {}) =>
    createChatService({
      send: sendOf(server.url),
      base: `${server.url}/chat`,
      appId: "demo-app",
      secret: "demo-app-secret",
      ...more,
    });
  const ticketService: Bed["ticketService"] = (more = {}) =>
    createTicketService({
      send: sendOf(server.url),
      auth: server.url,
      ticketing: null,
      apiKey: "demo-key",
      secret: "demo-secret",
      keyHeader: "x-vendor-key",
      now: Date.now,
      ...more,
    });
  const asJson = async (url: string, method: string, headers: object, body: unknown) => {
    const response = await fetch(url, {
      method,
      headers: { "content-type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const read: Json = text === "" ? null : JSON.parse(text);
    if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${text}`);
    return read;
  };
  const askChat: Bed["askChat"] = (method, path, body) => {
    const secret = { "x-hyper-appId": "demo-app", "x-hyper-secret": "demo-app-secret" };
    return asJson(`${server.url}/chat/v1${path}`, method, secret, body);
  };
  let agents = 0;
  return {
    get url() {
      return server.url;
    },
    chat: chatService(),
    tickets: ticketService(),
    chatService,
    ticketService,
    askChat,
    async askTickets(method, path, body) {
      const key = { "x-vendor-key": "demo-key" };
      const token = await asJson(`${server.url}/v1/auth`, "POST", key, { secret: "demo-secret" });
      const access = { ...key, authorization: `Bearer ${token.accessToken}` };
      return asJson(`${server.url}/ticketing/v1${path}`, method, access, body);
    },
    async agent(more = {}) {
      agents += 1;
      const login = { name: "Sam", login: `sam-${agents}`, password: "a long password" };
      const usual = { rooms: ["1"], slots: 1, online: true, languages: [] };
      return (await askChat("POST", "/agents", { ...login, ...usual, ...more })).agent.id;
    },
    async restart() {
      await server.close();
      server = await started(options);
    },
  };
}

/** A client made as the gateway makes it. */
export function sendTo(url: string, transport: Transport = createNodeTransport()): SendCall {
  const platform = createNodePlatform({ transport, log: () => undefined });
  const config: UpstreamConfig = {
    auth: url,
    chat: url,
    apis: {},
    allow: [],
    keyHeader: "x-vendor-key",
    timeouts: { connect: 3000, headers: 27_000, total: 28_000, idle: 60_000 },
  };
  return createServiceSend({ platform, upstream: config, via: "1.1 afterword-test" });
}

export const ana: Person = { name: "Ana", email: "ana@example.test", id: "", consent: true };

/** Returns the value of an answer, which must have one. */
export function valueOf<Value>(answer: CallResult<Value>): Value {
  if (answer.kind !== "ok") throw new Error(`${answer.kind}: ${answer.problem}`);
  return answer.value;
}

async function started(options: Partial<OpenBackendOptions>) {
  const backend = await openBackend({
    content: contentDirectory,
    database: null,
    signingKeys: [signingKey],
    demo: true,
    limits: null,
    passwordRounds: 10,
    ...options,
  });
  const server = await new Promise<ReturnType<typeof listen>>((resolve) => {
    const opened = listen({ port: 0, hostname: "127.0.0.1", fetch: backend.app.fetch }, () =>
      resolve(opened),
    );
  });
  const { port } = server.address() as AddressInfo;
  let closing: Promise<void> | null = null;
  const close = async (): Promise<void> => {
    if ("closeAllConnections" in server) server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
    await backend.close();
  };
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => (closing ??= close()),
  };
}
