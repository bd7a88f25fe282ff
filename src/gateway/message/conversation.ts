import type { InstanceConfig } from "../../config/config.ts";
import { type ConversationMemory, emptyMemory } from "../../conversation/memory.ts";
import { quote } from "../../json/quote.ts";
import { scan } from "../../json/scan.ts";
import { compileShape } from "../../json/shape.ts";
import { splice } from "../../json/splice.ts";
import { findMember, readString } from "../../json/text.ts";
import type { Edit, JsonNode } from "../../json/types.ts";
import { fieldOf } from "../exchange/headers.ts";
import type { GatewayRequest } from "../exchange/request.ts";
import { createFieldReader } from "../rewriter/request-text.ts";
import type { Transform } from "../upstream/route.ts";
import type { Recall } from "./recall.ts";

/**
 * `history: shown`: GET /conversation/history with the texts the reader saw. The history holds the
 * engine's words without flags (chatbot.md, 3.8), so each replaced text is found by the engine's
 * original, in the order of the conversation.
 */
export function createHistoryTransform(
  recall: Recall,
  { exchange }: GatewayRequest,
  instance: InstanceConfig,
): Transform {
  return {
    edits: true,
    async apply(body) {
      const memory = await recall.of(instance, exchange.headers);
      const edits = findShownEdits(body, memory?.shown ?? []);
      return edits.length === 0 ? null : { body: splice(body, edits), decided: null, fields: [] };
    },
  };
}

/** Finds the edits that replace the engine's texts with those that were shown. */
function findShownEdits(body: Uint8Array, shown: ConversationMemory["shown"]): readonly Edit[] {
  if (shown.length === 0) return [];
  const root = scan(body, historyShape);
  if (root?.kind !== "array") return [];
  const edits: Edit[] = [];
  let next = 0;
  for (const item of root.items) {
    if (item.kind !== "object" || readString(body, item.fields.get("user")) !== "bot") continue;
    const message = item.fields.get("message");
    const original = readString(body, message);
    if (original === null || message === undefined) continue;
    const found = shown.findIndex(([one], index) => index >= next && one === original);
    const text = shown[found]?.[1];
    if (text === undefined) continue;
    next = found + 1;
    const bytes = quote(text);
    edits.push({ start: message.start, end: message.end, bytes });
    const list = listEdit(item.fields.get("messageList"), bytes);
    if (list !== null) edits.push(list);
  }
  return edits.sort((a, b) => a.start - b.start);
}

const historyShape = compileShape({
  items: { fields: { user: {}, message: {}, messageList: { items: {} } } },
});

function listEdit(list: JsonNode | undefined, bytes: Uint8Array): Edit | null {
  if (list?.kind !== "array" || !list.items.some((item) => item.kind === "string")) return null;
  const first = list.items.at(0);
  const last = list.items.at(-1);
  return first === undefined || last === undefined
    ? null
    : { start: first.start, end: last.end, bytes };
}

/** Creates a transform that reads an answer with its question, and leaves it unchanged. */
export function createObserver(
  observe: (answer: Uint8Array, question: Uint8Array) => Promise<void> | undefined,
): Transform {
  return {
    edits: false,
    async apply(answer, question) {
      await observe(answer, question);
      return null;
    },
  };
}

/**
 * Remembers the settings of POST /conversation, because the language is stated only there
 * (chatbot.md, 3.2). The answer is never changed.
 *
 * @param question the first bytes of the request body
 * @param answer the decoded body of a 200 answer
 */
export function rememberStart(
  recall: Recall,
  { exchange: { headers } }: GatewayRequest,
  instance: InstanceConfig,
  question: Uint8Array,
  answer: Uint8Array,
): Promise<void> | undefined {
  const token = readString(answer, findMember(scan(answer, answerShape), "sessionToken"));
  if (token === null) return undefined;
  const memory: ConversationMemory = {
    ...emptyMemory,
    lang: readLang(question).get("lang") ?? null,
    env: fieldOf(headers, "x-inbenta-env"),
    userType: fieldOf(headers, "x-inbenta-user-type"),
    source: fieldOf(headers, "x-inbenta-source"),
  };
  return recall.remember(instance, token, memory);
}

/** Remembers listed variables that a client sets (POST /conversation/variables, and /multiple). */
export function rememberVariables(
  recall: Recall,
  { exchange: { headers } }: GatewayRequest,
  instance: InstanceConfig,
  question: Uint8Array,
): Promise<void> | undefined {
  const given = variablesOf(question);
  const listed = [...given].filter(([name]) => instance.variables.includes(name));
  if (listed.length === 0) return undefined;
  return recall.change(instance, headers, (memory) => {
    const variables = { ...memory.variables, ...Object.fromEntries(listed) };
    return { ...memory, variables };
  });
}

const answerShape = compileShape({ fields: { sessionToken: {} } });
const readLang = createFieldReader(["lang"]);
const readPair = createFieldReader(["name", "value"]);
const multipleShape = compileShape({
  fields: { variables: { each: {}, items: { fields: { name: {}, value: {} } } } },
});
// A variable is a word or a line; longer values do not belong in texts.
const maxValueLength = 1000;

function variablesOf(request: Uint8Array): Map<string, string> {
  const variables = new Map<string, string>();
  const put = (name: string | null = null, value: string | null = null): void => {
    if (name === null || value === null || value.length > maxValueLength) return;
    variables.set(name.toLowerCase(), value);
  };
  const pair = readPair(request);
  put(pair.get("name"), pair.get("value"));
  const several = findMember(scan(request, multipleShape), "variables");
  if (several?.kind === "object") {
    for (const [name, node] of several.fields) put(name, readString(request, node));
  } else if (several?.kind === "array") {
    for (const item of several.items) {
      put(
        readString(request, findMember(item, "name")),
        readString(request, findMember(item, "value")),
      );
    }
  }
  return variables;
}
