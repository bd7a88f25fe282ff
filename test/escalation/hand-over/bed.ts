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

/** A gateway with its own backend, whose instances hand over as `settings` say. */
export interface Bed {
  readonly url: string;
  readonly running: Running;
  readonly clients: Clients;
  /** What opens the admin routes. */
  asAdmin(): Record<string, string>;
  talk(lang?: string, headers?: Record<string, string>): Promise<Talk>;
  /** The same files, another process's worth of gateway. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

export interface BedOptions {
  readonly settings?: Part<EscalationConfig>;
  /** Another address for the chat, or for case management. */
  readonly chat?: string;
  readonly ticketing?: string;
  /**
   * Default: `file` where `data` is given, else `memory`: a turn waits 50 ms for a file, which a
   * busy machine may exceed.
   */
  readonly store?: string;
  readonly data?: string;
  readonly env?: Record<string, string>;
  readonly change?: (config: Config) => Config;
}

/** One that is closed with the test that opens it. */
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

/** A bed only makes another one of it, so one reading does for all of a file. */
let loaded: Promise<Config> | null = null;

// What happens at a look is the same at the default's one a second; a test would spend most of its
// time between two.
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

/** A reader's conversation, as an unmodified client has it. */
export interface Talk {
  readonly session: string;
  /** Headers of its own requests. */
  readonly headers: Record<string, string>;
  post(body: Record<string, unknown>): Promise<Response>;
  say(message: string): Promise<readonly ConversationAnswer[]>;
  choose(option: unknown): Promise<readonly ConversationAnswer[]>;
  /** Sends what was sent last once more, byte for byte. */
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

/** Two questions without an answer; what comes then, which ends in the offer of a person. */
export async function toTheOffer(talk: Talk): Promise<readonly ConversationAnswer[]> {
  await talk.say("qwxz zzyx");
  return talk.say("vvkq jjxq plugh");
}

/** Two questions without an answer, and a yes to the offer; what is said then. */
export async function sayYes(talk: Talk): Promise<readonly ConversationAnswer[]> {
  const [yes] = optionsOf((await toTheOffer(talk)).at(-1));
  return talk.choose(yes?.value);
}

/** What an answer's question offers. */
export function optionsOf(answer: ConversationAnswer | undefined): readonly {
  readonly label: string;
  readonly value: unknown;
}[] {
  return answer?.options ?? [];
}

/** Waits until `look` finds something. */
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

/** Signs the demo agent in; gives back the token. */
export async function signIn(chat: Clients["chat"]): Promise<string> {
  const { token } = await chat.login("demo-agent", "demo-agent");
  if (token === null) throw new Error("no token");
  return token;
}

/**
 * A conversation in which a person is offered, with the address of its stream; and the demo agent,
 * who has signed in.
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

/** A chat of the app, as soon as there is one. */
export function openedChat(chat: Clients["chat"], only: ChatFilter = {}): Promise<Chat> {
  return until(async () => {
    for await (const one of chat.chats(only)) return one;
    return null;
  });
}
