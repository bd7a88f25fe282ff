import type { CallInput, ApiCaller, CallOptions } from "../call/caller.ts";
import { isObject, isRecord } from "../../json/values.ts";
import { readListMember, memberOf, readTextMember } from "../call/read.ts";
import { type OperationName, routeOf } from "../call/routes.ts";
import { createUnusableAnswerError } from "../call/call-error.ts";
import type {
  ConversationAnswer,
  ConversationSettings,
  ConversationTurn,
  HistoryEntry,
  AnsweredContent,
  AnswerOption,
} from "./types.ts";

/** The conversation engine. */
export interface ChatbotClient {
  /** Starts a conversation. */
  start(settings?: ConversationSettings, options?: CallOptions): Promise<Conversation>;
  /** Continues a conversation by its token. */
  resume(sessionToken: string, sessionId?: string): Conversation;
  /** Lists the values that the contents hold for front ends under an id. */
  appData(id: string, name?: string, options?: CallOptions): Promise<readonly AppValue[]>;
}

export interface AppValue {
  readonly name: string;
  readonly value: unknown;
}

/** One conversation. After error code `session-expired`, start a new one and repeat the call. */
export interface Conversation {
  /** Gives access to the conversation, so it must be kept secret. */
  readonly sessionToken: string;
  readonly sessionId: string;
  /** Sends a turn. It is never retried, because the engine would count two turns. */
  send(turn: ConversationTurn, options?: CallOptions): Promise<readonly ConversationAnswer[]>;
  history(options?: CallOptions): Promise<readonly HistoryEntry[]>;
  /** Names are in lower case. */
  variables(options?: CallOptions): Promise<ReadonlyMap<string, string>>;
  setVariable(name: string, value: string, options?: CallOptions): Promise<void>;
  setVariables(values: Readonly<Record<string, string>>, options?: CallOptions): Promise<void>;
  /** True if agents are available, by the conversation's variable; null if it is not set. */
  areAgentsAvailable(options?: CallOptions): Promise<boolean | null>;
  /** Sets whether agents are available, before the conversation's escalation begins. */
  setAgentsAvailable(available: boolean, options?: CallOptions): Promise<void>;
  /** Rates an answer by the `rateCode` that came with it. */
  rate(code: string, value: number, comment?: string | null, options?: CallOptions): Promise<void>;
  /** Records any other event, such as `click` with `{ code }`. */
  track(type: string, data: unknown, options?: CallOptions): Promise<void>;
}

/** The client of `apis.chatbot`. */
export function createChatbotClient(caller: ApiCaller): ChatbotClient {
  return {
    async start(settings = {}, options = {}) {
      const start = routeOf("chatbot", "start");
      const { value, status } = await caller.call(start, { body: settings, ...options });
      const token = readTextMember(value, "sessionToken");
      if (token === null)
        throw createUnusableAnswerError(start.id, "has no sessionToken.", { status });
      return openConversation(caller, token, readTextMember(value, "sessionId") ?? "");
    },
    resume: (token, id = "") => openConversation(caller, token, id),
    async appData(id, name, options = {}) {
      const input = { id, query: { name }, ...options };
      const { value } = await caller.call(routeOf("chatbot", "appData"), input);
      return readListMember(value, "results").map((one) => ({
        name: readTextMember(one, "name") ?? "",
        value: memberOf(one, "value"),
      }));
    },
  };
}

function openConversation(
  caller: ApiCaller,
  sessionToken: string,
  sessionId: string,
): Conversation {
  const headers = { "x-inbenta-session": `Bearer ${sessionToken}` };
  const call = (name: OperationName<"chatbot">, input: CallInput): ReturnType<ApiCaller["call"]> =>
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
      const answers = readListMember(value, "answers");
      const bare = answers.length === 0 && readTextMember(value, "message") !== null;
      return (bare ? [value] : answers).map((answer) => readAnswer(answer));
    },
    async history(options = {}) {
      const { value } = await call("history", options);
      return (Array.isArray(value) ? value : []).map((entry) => readHistoryEntry(entry));
    },
    variables: readVariables,
    async areAgentsAvailable(options = {}) {
      return readAgentsAvailable(await readVariables(options));
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
    const members = isObject(value) ? Object.entries(value) : [];
    return new Map(
      members.map(([name, held]) => [name.toLowerCase(), readTextMember(held, "value") ?? ""]),
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

/** Reads one answer; missing or null members become empty, `message` and `messageList` alike. */
function readAnswer(value: unknown): ConversationAnswer {
  const list = listTexts(readListMember(value, "messageList"));
  const message = readTextMember(value, "message") ?? list.join("\n");
  return {
    type: readTextMember(value, "type") ?? "answer",
    message,
    messageList: list.length > 0 ? list : message === "" ? [] : [message],
    flags: listTexts(readListMember(value, "flags")),
    options: readListMember(value, "options").flatMap((option) => readOption(option) ?? []),
    attributes: objectOf(memberOf(value, "attributes")),
    contents: readContent(memberOf(memberOf(value, "parameters"), "contents")),
    actions: readListMember(value, "actions").map((action) => objectOf(action)),
    raw: objectOf(value),
  };
}

function readContent(value: unknown): AnsweredContent | null {
  if (!isObject(value)) return null;
  const codes = memberOf(value, "trackingCode");
  const related = memberOf(value, "related");
  return {
    title: readTextMember(value, "title") ?? "",
    clickCode: readTextMember(codes, "clickCode"),
    rateCode: readTextMember(codes, "rateCode"),
    relatedTitle: readTextMember(related, "relatedTitle"),
    related: readListMember(related, "relatedContents").flatMap((one) => {
      const id = memberOf(one, "id");
      const title = readTextMember(one, "title");
      const usable = typeof id === "number" || typeof id === "string";
      return title === null ? [] : [{ id: usable ? id : "", title }];
    }),
    url: readTextMember(memberOf(value, "url"), "value"),
  };
}

function readHistoryEntry(value: unknown): HistoryEntry {
  return {
    user: readTextMember(value, "user") ?? "",
    message: readTextMember(value, "message") ?? "",
    messageList: listTexts(readListMember(value, "messageList")),
    datetime: readTextMember(value, "datetime") ?? "",
  };
}

function readOption(value: unknown): AnswerOption | null {
  const given = memberOf(value, "value");
  if (typeof given !== "number" && typeof given !== "string") return null;
  return {
    label: readTextMember(value, "label") ?? String(given),
    value: given,
    revisitableLink: readTextMember(value, "revisitableLink"),
    attributes: objectOf(memberOf(value, "attributes")),
  };
}

function listTexts(values: readonly unknown[]): readonly string[] {
  return values.filter((value) => typeof value === "string");
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? { ...value } : {};
}

/** The variable by which clients tell the engine whether agents are there (chatbot.md, 7.2). */
const AGENTS_AVAILABLE = "agents_available";

/**
 * Reads whether a client has reported agents. One guide spells the name without its s, and some
 * clients write the value in upper case. Null without a report, or for any other value.
 *
 * @param variables names in lower case
 */
export function readAgentsAvailable(variables: ReadonlyMap<string, string>): boolean | null {
  const reported = variables.get(AGENTS_AVAILABLE) ?? variables.get("agent_available");
  const value = reported?.trim().toLowerCase();
  if (value === "true" || value === "1") return true;
  return value === "false" || value === "0" ? false : null;
}
