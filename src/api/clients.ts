import { AfterwordError } from "../errors.ts";
import { createChatClient } from "./chat/client.ts";
import type { ChatClient } from "./chat/client-types.ts";
import { createChatbotClient } from "./chatbot/client.ts";
import type { ChatbotClient } from "./chatbot/client.ts";
import { checkOptions } from "./client-options.ts";
import type { ClientsOptions } from "./client-options.ts";
import { createKnowledgeClient } from "./knowledge/client.ts";
import type { KnowledgeClient } from "./knowledge/client.ts";
import { createTicketingClient } from "./ticketing/client.ts";
import type { TicketingClient } from "./ticketing/client.ts";
import { type AccessGrant, createTokenSource, type TokenSource } from "./call/token-source.ts";
import { createAuthCalls } from "./auth/client.ts";
import { createApiCaller, type ApiCaller } from "./call/caller.ts";
import { isCallError, type CallError } from "./call/call-error.ts";
import {
  sendCall,
  type Fetch,
  type HttpAnswer,
  type HttpCall,
  type HttpOptions,
} from "./call/http-call.ts";

/** Typed clients of one project. They share an access token, and one discovery for each token. */
export interface Clients {
  readonly auth: AuthClient;
  readonly chatbot: ChatbotClient;
  /** Throws `argument-invalid` if the options have no `chat`. */
  readonly chat: ChatClient;
  readonly knowledge: KnowledgeClient;
  readonly ticketing: TicketingClient;
}

export interface AuthClient {
  /** Returns a token that is not about to expire, and the addresses that discovery named for it. */
  current(): Promise<AccessGrant>;
}

/**
 * Creates clients of the service, self-hosted or the vendor's. Nothing is sent before the first call.
 * Throws `argument-invalid` for unusable options, and for a secret in a browser. A failed call
 * rejects with a `CallError`; one that its `signal` aborts rejects with the signal's reason.
 *
 * @example
 * const { chatbot } = createClients({
 *   auth: { url: "http://127.0.0.1:8787", apiKey: "demo-key", secret: "demo-secret" },
 * });
 * const conversation = await chatbot.start({ lang: "en" });
 * const [answer] = await conversation.send({ message: "Where is my order?" });
 */
export function createClients(options: ClientsOptions): Clients {
  checkOptions(options);
  const { tokens, caller, send } = createConnection(options);
  let chat: ChatClient | null = null;
  return {
    auth: { current: () => tokens.current() },
    chatbot: createChatbotClient(caller),
    get chat() {
      chat ??= chatOf(options, send);
      return chat;
    },
    knowledge: createKnowledgeClient(caller, options.wire),
    ticketing: createTicketingClient(caller),
  };
}

function chatOf({ chat, wire }: ClientsOptions, send: ClientConnection["send"]): ChatClient {
  if (chat === undefined) {
    throw new AfterwordError(
      "argument-invalid",
      "Give createClients a `chat` with url, appId and secret: the live chat has an address and credentials of its own.",
    );
  }
  return createChatClient({ ...chat, wire, send });
}

/** The parts that all typed clients of a project share. */
interface ClientConnection {
  readonly tokens: TokenSource;
  readonly caller: ApiCaller;
  /** For the chat, which has its own credentials. */
  readonly send: (call: HttpCall) => Promise<HttpAnswer>;
}

/** Creates what the clients share. The options must have been checked. The first call fetches a token. */
export function createConnection(options: ClientsOptions): ClientConnection {
  const now = options.now ?? Date.now;
  let token = "";
  const http: HttpOptions = {
    fetch: followRedirects(options.fetch ?? ((url, init) => fetch(url, init))),
    timeout: options.timeout ?? 20_000,
    now,
    secrets: () => [...secretsOf(options), token].filter((secret) => secret !== ""),
  };
  const retry = {
    retries: options.retries ?? 2,
    longestWait: options.longestWait ?? 10_000,
    random: options.random ?? Math.random,
    sleep: options.sleep ?? sleep,
  };
  const send = (call: HttpCall): Promise<HttpAnswer> =>
    withRetries(call, (one) => sendCall(one, http), retry);
  const source = createTokenSource(createAuthCalls(options.auth, send), now);
  const tokens: TokenSource = {
    ...source,
    async current() {
      const access = await source.current();
      token = access.accessToken;
      return access;
    },
  };
  return {
    tokens,
    send,
    caller: createApiCaller({ tokens, send, headers: headersOf(options) }),
  };
}

function secretsOf({ auth, chat }: ClientsOptions): readonly string[] {
  return [auth.apiKey, auth.secret, auth.domainKey, auth.personalSecret, chat?.secret].filter(
    (secret) => secret !== undefined,
  );
}

function headersOf(options: ClientsOptions): Readonly<Record<string, string>> {
  return {
    [options.auth.keyHeader ?? "x-vendor-key"]: options.auth.apiKey,
    ...(options.environment !== undefined && { "x-inbenta-env": options.environment }),
    ...(options.userType !== undefined && { "x-inbenta-user-type": String(options.userType) }),
    ...(options.source !== undefined && { "x-inbenta-source": options.source }),
  };
}

function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason instanceof Error ? signal.reason : new Error("aborted"));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    if (signal?.aborted === true) stop();
    else signal?.addEventListener("abort", stop, { once: true });
  });
}

const redirects = new Set([301, 302, 303, 307, 308]);
const maxRedirects = 3;

/**
 * Follows redirects of a GET within its origin, such as those of a knowledge service from a former
 * slug. Other redirects are returned, because following them would send credentials elsewhere.
 */
function followRedirects(fetch: Fetch): Fetch {
  return async (url, init) => {
    for (let from = url, hop = 0; ; hop += 1) {
      const response = await fetch(from, init);
      const next =
        init.method === "GET" && hop < maxRedirects ? findRedirectTarget(response, from) : null;
      if (next === null) return response;
      await response.body?.cancel();
      from = next;
    }
  };
}

function findRedirectTarget(response: Response, from: string): string | null {
  const location = response.headers.get("location");
  if (!redirects.has(response.status) || location === null) return null;
  const target = URL.parse(location, from);
  return target !== null && target.origin === new URL(from).origin ? target.href : null;
}

interface RetryOptions {
  /** Further attempts after the first. */
  readonly retries: number;
  /** The longest wait before a further attempt, in milliseconds. A call that must wait longer fails. */
  readonly longestWait: number;
  /** Returns a number from 0 up to, but not including, 1. */
  readonly random: () => number;
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
}

/** Milliseconds before the second attempt, without jitter. */
const firstWait = 200;

/**
 * Sends a call again if that is safe: a repeatable call after any temporary failure, and others only
 * if the service did not process them (429, or 503 with Retry-After). It waits as long as the service
 * asks, or else twice as long each time, with jitter.
 */
async function withRetries(
  call: HttpCall,
  send: (call: HttpCall) => Promise<HttpAnswer>,
  options: RetryOptions,
): Promise<HttpAnswer> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await send(call);
    } catch (error) {
      if (attempt >= options.retries || !isCallError(error) || !mayRepeat(call, error)) throw error;
      const wait = error.retryAfter ?? firstWait * 2 ** attempt * (0.5 + options.random() / 2);
      if (wait > options.longestWait) throw error;
      await options.sleep(wait, call.signal);
    }
  }
}

function mayRepeat(call: HttpCall, error: CallError): boolean {
  if (call.body instanceof ReadableStream) return false;
  if (error.code === "call-rate-limited") return true;
  if (error.status === 503 && error.retryAfter !== null) return true;
  if (!call.repeatable) return false;
  const isTemporary = error.code === "call-unreachable" || error.code === "call-timeout";
  return isTemporary || error.status === 502 || error.status === 503 || error.status === 504;
}
