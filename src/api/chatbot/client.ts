import type { CallInput, Caller } from "../caller.ts";
import { listMember, memberOf, textMember } from "../read.ts";
import { type OperationName, routeOf } from "../routes.ts";
import { unusableAnswer } from "../call-error.ts";
import { AGENTS_AVAILABLE, agentsAvailable } from "./agents-available.ts";
import { readAnswer, readHistoryEntry } from "./read-answer.ts";
import type {
  ConversationAnswer,
  ConversationSettings,
  ConversationTurn,
  HistoryEntry,
} from "./types.ts";

/** The conversation engine. */
export interface ChatbotClient {
  /** Begins a conversation. */
  start(settings?: ConversationSettings, options?: CallOptions): Promise<Conversation>;
  /** Goes on with one whose token was kept. */
  resume(sessionToken: string, sessionId?: string): Conversation;
  /** The named values of GET /app/data/{id}. */
  appData(id: string, name?: string, options?: CallOptions): Promise<readonly AppValue[]>;
}

export interface AppValue {
  readonly name: string;
  readonly value: unknown;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
}

/**
 * One conversation. A session that has expired is an error with the code `session-expired`: start a
 * new one and say it again.
 */
export interface Conversation {
  /** Opens the conversation: keep it as a secret of the reader's. */
  readonly sessionToken: string;
  readonly sessionId: string;
  /** Says something. Never sent twice: the engine would take it for two turns. */
  send(turn: ConversationTurn, options?: CallOptions): Promise<readonly ConversationAnswer[]>;
  history(options?: CallOptions): Promise<readonly HistoryEntry[]>;
  /** Names are in lower case. */
  variables(options?: CallOptions): Promise<ReadonlyMap<string, string>>;
  setVariable(name: string, value: string, options?: CallOptions): Promise<void>;
  setVariables(values: Readonly<Record<string, string>>, options?: CallOptions): Promise<void>;
  /**
   * What the conversation knows of agents, by the variable that tells it; null: nobody has told it.
   */
  areAgentsAvailable(options?: CallOptions): Promise<boolean | null>;
  /** Tells the conversation whether somebody is there, before its escalation begins. */
  setAgentsAvailable(available: boolean, options?: CallOptions): Promise<void>;
  /** Rates an answer by the `rateCode` that came with it. */
  rate(code: string, value: number, comment?: string | null, options?: CallOptions): Promise<void>;
  /** Any other event, such as `click` with `{ code }`. */
  track(type: string, data: unknown, options?: CallOptions): Promise<void>;
}

/** The client of `apis.chatbot`. */
export function chatbotClient(caller: Caller): ChatbotClient {
  return {
    async start(settings = {}, options = {}) {
      const start = routeOf("chatbot", "start");
      const { value, status } = await caller.call(start, { body: settings, ...options });
      const token = textMember(value, "sessionToken");
      if (token === null) throw unusableAnswer(start.id, "has no sessionToken.", { status });
      return conversation(caller, token, textMember(value, "sessionId") ?? "");
    },
    resume: (token, id = "") => conversation(caller, token, id),
    async appData(id, name, options = {}) {
      const input = { id, query: { name }, ...options };
      const { value } = await caller.call(routeOf("chatbot", "appData"), input);
      return listMember(value, "results").map((one) => ({
        name: textMember(one, "name") ?? "",
        value: memberOf(one, "value"),
      }));
    },
  };
}

function conversation(caller: Caller, sessionToken: string, sessionId: string): Conversation {
  const headers = { "x-inbenta-session": `Bearer ${sessionToken}` };
  const call = (name: OperationName<"chatbot">, input: CallInput): ReturnType<Caller["call"]> =>
    caller.call(routeOf("chatbot", name), { headers, ...input });
  const track: Conversation["track"] = async (type, data, options = {}) => {
    const body = { type, data };
    await call("track", { body, answer: "none", ...options });
  };

  return {
    sessionToken,
    sessionId,
    track,
    rate: (code, value, comment = null, options) =>
      track("rate", { code, value, comment: comment === "" ? null : comment }, options),
    async send(turn, options = {}) {
      const { value } = await call("send", { body: turn, ...options });
      // A bare answer without `answers` is accepted by known clients.
      const answers = listMember(value, "answers");
      const bare = answers.length === 0 && textMember(value, "message") !== null;
      return (bare ? [value] : answers).map((answer) => readAnswer(answer));
    },
    async history(options = {}) {
      const { value } = await call("history", options);
      return (Array.isArray(value) ? value : []).map((entry) => readHistoryEntry(entry));
    },
    variables: readVariables,
    async areAgentsAvailable(options = {}) {
      return agentsAvailable(await readVariables(options));
    },
    setAgentsAvailable: (available, options = {}) =>
      setVariable(AGENTS_AVAILABLE, available ? "true" : "false", options),
    setVariable,
    async setVariables(values, options = {}) {
      const body = { variables: Object.entries(values).map(([name, value]) => ({ name, value })) };
      await call("setVariables", { body, ...options });
    },
  };

  async function readVariables(options: CallOptions = {}): Promise<ReadonlyMap<string, string>> {
    const { value } = await call("variables", options);
    const members = typeof value === "object" && value !== null ? Object.entries(value) : [];
    return new Map(
      members.map(([name, held]) => [name.toLowerCase(), textMember(held, "value") ?? ""]),
    );
  }

  async function setVariable(
    name: string,
    value: string,
    options: CallOptions = {},
  ): Promise<void> {
    const body = { name, value };
    await call("setVariable", { body, ...options });
  }
}
