import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { parse } from "yaml";
import type { Config } from "../../../src/config/config.ts";
import {
  type EscalationConfig,
  DEFAULT_ESCALATION,
} from "../../../src/config/escalation-config.ts";
import { loadConfig } from "../../../src/runtime/node/index.ts";
import { type Running, serve } from "../../../src/runtime/node/serve.ts";
import type { ChatFilter } from "../../../src/api/chat/client-types.ts";
import type { Chat } from "../../../src/api/chat/answers.ts";
import type { ConversationAnswer } from "../../../src/api/chatbot/types.ts";
import { type Clients, createClients } from "../../../src/api/clients.ts";

type Part<Type> = { readonly [Name in keyof Type]?: Partial<Type[Name]> | Type[Name] };

/** A gateway with the embedded backend, whose instances hand over as `settings` say. */
export interface Bed {
  readonly url: string;
  readonly running: Running;
  readonly clients: Clients;
  /** The header that grants access to the admin routes. */
  asAdmin(): Record<string, string>;
  talk(lang?: string, headers?: Record<string, string>): Promise<Talk>;
  /** Starts another gateway with the same files, as a new process would. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

export interface BedOptions {
  readonly settings?: Part<EscalationConfig>;
  /** An address of the chat, or of case management, that replaces the backend's. */
  readonly chat?: string;
  readonly ticketing?: string;
  /**
   * Default: `file` if `data` is passed, else `memory`, because a turn waits only 50 ms for a file,
   * which a busy machine may exceed.
   */
  readonly store?: string;
  readonly data?: string;
  readonly env?: Record<string, string>;
  readonly change?: (config: Config) => Config;
}

/** Opens a bed that is closed at the end of the test. */
export async function openBed(options: BedOptions = {}): Promise<Bed> {
  const bed = await handOverBed(options);
  onTestFinished(() => bed.close());
  return bed;
}

export async function handOverBed(options: BedOptions = {}): Promise<Bed> {
  const shipped = await (loaded ??= loadConfig(shippedFile));
  const data = options.data ?? (await mkdtemp(join(tmpdir(), "afterword-hand-over-")));
  const escalation = settingsOf(options.settings ?? {});
  const instances = shipped.instances.map((instance) => ({
    ...instance,
    escalation,
    upstream: {
      ...instance.upstream,
      chat: options.chat ?? instance.upstream.chat,
      apis: {
        ...instance.upstream.apis,
        ...(options.ticketing !== undefined && { ticketing: options.ticketing }),
      },
    },
  }));
  const changed: Config = {
    ...shipped,
    escalation,
    instances,
    data,
    state: {
      ...shipped.state,
      store: options.store ?? (options.data === undefined ? "memory" : "file"),
    },
    backend: { ...shipped.backend, database: join(data, "backend.db") },
  };
  const config = options.change?.(changed) ?? changed;
  const open = (): Promise<Running> =>
    serve({ config, port: 0, env: { AFTERWORD_LOG: "error", ...options.env } });
  let running = await open();
  return {
    get url() {
      return running.url;
    },
    get running() {
      return running;
    },
    get clients() {
      return clientsAt(running.url);
    },
    asAdmin: () => ({ authorization: `Bearer ${running.adminToken}` }),
    talk: (lang = "en", headers = {}) => startTalk(running.url, lang, headers),
    async restart() {
      await running.close();
      running = await open();
    },
    async close() {
      await running.close();
      if (options.data === undefined) await rm(data, { recursive: true, force: true });
    },
  };
}

const shippedFile = fileURLToPath(new URL("../../../config/afterword.yaml", import.meta.url));

/** A bed only copies it, so it is read once for a whole file. */
let loaded: Promise<Config> | null = null;

// The default is one look per second, and a test would spend most of its time between two. A look
// itself does the same at any interval.
const defaults: EscalationConfig = {
  ...DEFAULT_ESCALATION,
  chat: { ...DEFAULT_ESCALATION.chat, poll: 100 },
};

function settingsOf(settings: Part<EscalationConfig>): EscalationConfig {
  const all = Object.entries({ mode: "managed", ...settings }).map(([name, value]) => {
    const whole: unknown = Reflect.get(defaults, name);
    return [name, isPlain(whole) && isPlain(value) ? Object.assign({}, whole, value) : value];
  });
  return { ...defaults, ...Object.fromEntries(all) };
}

function isPlain(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function clientsAt(url: string): Clients {
  return createClients({
    auth: { url, apiKey: "demo-key", secret: "demo-secret" },
    chat: { url, appId: "demo-app", secret: "demo-app-secret" },
  });
}

/** A reader's conversation, with the requests of an unmodified client. */
export interface Talk {
  readonly session: string;
  /** Headers that only this conversation's requests have. */
  readonly headers: Record<string, string>;
  post(body: Record<string, unknown>): Promise<Response>;
  say(message: string): Promise<readonly ConversationAnswer[]>;
  choose(option: unknown): Promise<readonly ConversationAnswer[]>;
  /** Sends the last request once more, byte for byte. */
  again(): Promise<readonly ConversationAnswer[]>;
}

export async function startTalk(
  url: string,
  lang: string,
  extra: Record<string, string>,
  { apiKey, secret }: { readonly apiKey: string; readonly secret: string } = {
    apiKey: "demo-key",
    secret: "demo-secret",
  },
): Promise<Talk> {
  const key = { "x-inbenta-key": apiKey, "content-type": "application/json" };
  const login = await fetch(`${url}/v1/auth`, {
    method: "POST",
    headers: key,
    body: JSON.stringify({ secret }),
  });
  const { accessToken } = (await login.json()) as { accessToken: string };
  const authorized = { ...key, authorization: `Bearer ${accessToken}`, ...extra };
  const started = await fetch(`${url}/v1/conversation`, {
    method: "POST",
    headers: authorized,
    body: JSON.stringify({ lang }),
  });
  const { sessionToken } = (await started.json()) as { sessionToken: string };
  const headers = { ...authorized, "x-inbenta-session": `Bearer ${sessionToken}` };
  let last = "";
  const send = (body: string): Promise<Response> => {
    last = body;
    return fetch(`${url}/v1/conversation/message`, { method: "POST", headers, body });
  };
  const answers = async (body: string): Promise<readonly ConversationAnswer[]> => {
    const response = await send(body);
    const read = (await response.json()) as { answers?: readonly ConversationAnswer[] };
    if (read.answers === undefined) throw new Error(JSON.stringify(read));
    return read.answers;
  };
  return {
    session: sessionToken,
    headers,
    post: (body) => send(JSON.stringify(body)),
    say: (message) => answers(JSON.stringify({ message })),
    choose: (option) => answers(JSON.stringify({ message: "", option })),
    again: () => answers(last),
  };
}

/**
 * Asks two questions without an answer. Returns the second answer, which ends in the offer of a
 * person.
 */
export async function toTheOffer(talk: Talk): Promise<readonly ConversationAnswer[]> {
  await talk.say("qwxz zzyx");
  return talk.say("vvkq jjxq plugh");
}

/** Asks two questions without an answer, and accepts the offer. Returns the answer to that. */
export async function sayYes(talk: Talk): Promise<readonly ConversationAnswer[]> {
  const [yes] = optionsOf((await toTheOffer(talk)).at(-1));
  return talk.choose(yes?.value);
}

/** Returns the options of the question in an answer. */
export function optionsOf(answer: ConversationAnswer | undefined): readonly {
  readonly label: string;
  readonly value: unknown;
}[] {
  return answer?.options ?? [];
}

/** Waits until `look` returns something. */
export async function until<Value>(
  look: () => Promise<Value | null | undefined | false>,
  patience = 100_000,
): Promise<Value> {
  const end = Date.now() + patience;
  for (;;) {
    const found = await look();
    if (found !== null && found !== undefined && found !== false) return found;
    if (Date.now() > end) throw new Error("it did not come");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** A shipped line without placeholders, as the reader should see it. */
export function lineOf(locale: string, key: string): string {
  const file = new URL(`../../../locales/${locale}.yaml`, import.meta.url);
  const table: unknown = parse(readFileSync(file, "utf8"));
  const line: unknown = Reflect.get(table as object, `escalation.${key}`);
  if (typeof line !== "string") throw new Error(`escalation.${key} of ${locale} is no plain line`);
  return line;
}

/** Signs the demo agent in, and returns the token. */
export async function signIn(chat: Clients["chat"]): Promise<string> {
  const { token } = await chat.login("demo-agent", "demo-agent");
  if (token === null) throw new Error("no token");
  return token;
}

/**
 * Starts a conversation in which a person is offered, with the address of its stream, and signs the
 * demo agent in.
 */
export async function offered(bed: Bed): Promise<Offered> {
  const { chat } = bed.clients;
  const sam = chat.as(await signIn(chat));
  const talk = await bed.talk();
  const offer = (await toTheOffer(talk)).at(-1);
  const events = String(Reflect.get(offer?.attributes ?? {}, "AFTERWORD_EVENTS"));
  return { chat, sam, talk, yes: optionsOf(offer)[0], events };
}

export interface Offered {
  readonly chat: Clients["chat"];
  readonly sam: Clients["chat"];
  readonly talk: Talk;
  readonly yes: ReturnType<typeof optionsOf>[number] | undefined;
  /** Path and query. */
  readonly events: string;
}

/** Waits for the first chat of the app, and returns it. */
export function openedChat(chat: Clients["chat"], only: ChatFilter = {}): Promise<Chat> {
  return until(async () => {
    for await (const one of chat.chats(only)) return one;
    return null;
  });
}
