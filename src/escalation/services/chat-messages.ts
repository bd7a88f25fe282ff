import { isObject } from "../../json/values.ts";
import { readListMember, memberOf, readTextMember } from "../../api/call/read.ts";
import type { CallInput } from "../../api/call/caller.ts";
import type { ChatOperationName } from "../../api/chat/caller.ts";
import { type CallResult, mapResult } from "./call-result.ts";
import { chatIn, type ChatServiceMessage, recordId, secondsOf } from "./chat-answers.ts";

type Get = (name: ChatOperationName, input: CallInput) => Promise<CallResult<unknown>>;

/**
 * Reads the messages of a chat after the message `after` (empty: from the beginning), in order,
 * without those that were imported when it was opened. The service may or may not know `after`;
 * what it answers up to that message is left out here.
 */
export async function readChatMessages(
  get: Get,
  chat: string,
  after: string,
): Promise<CallResult<readonly ChatServiceMessage[]>> {
  const all = await readPages(get, chat, after);
  if (all.kind !== "ok") return all;
  const position = after === "" ? -1 : all.value.findIndex(({ id }) => id === after);
  const later = all.value.slice(position + 1).filter(isSpoken);
  const first = later[0];
  if (after !== "" || first === undefined) return { kind: "ok", value: later };
  const opened = await openingOf(get, chat);
  if (opened.kind !== "ok") return opened;
  const { created, creator } = opened.value;
  // Imported lines come first. One that is as old as the chat is distinguished from a new one by
  // its sender: no agent writes before the chat exists, and the reader's own messages are known.
  const isImported = (one: ChatServiceMessage): boolean =>
    one.at < created || (one.at === created && one.sender === creator);
  const start = later.findIndex((one) => !isImported(one));
  return { kind: "ok", value: start === -1 ? [] : later.slice(start) };
}

const pageLength = 100;
/** 5,000 messages: more than any chat has. */
const maxPages = 50;

async function readPages(
  get: Get,
  chat: string,
  after: string,
): Promise<CallResult<readonly ChatServiceMessage[]>> {
  const found: ChatServiceMessage[] = [];
  for (let page = 0; page < maxPages; page++) {
    const paging = { length: pageLength, offset: page * pageLength };
    const query = { ...paging, after: after === "" ? undefined : after };
    const answer = await get("messages", { id: chat, query });
    if (answer.kind !== "ok") return answer;
    const list = memberOf(answer.value, "messages");
    if (!Array.isArray(list)) {
      const problem = "chat.messages: the answer lacks what it should hold";
      return { kind: "failed", sent: false, problem };
    }
    found.push(...readListMember(answer.value, "messages").flatMap((one) => toMessage(one) ?? []));
    if (memberOf(answer.value, "hasMore") !== true || list.length === 0) break;
  }
  return { kind: "ok", value: found };
}

async function openingOf(
  get: Get,
  chat: string,
): Promise<CallResult<{ readonly created: number; readonly creator: string }>> {
  const answer = await get("chat", { id: chat });
  return mapResult(answer, (value) => ({
    created: chatIn(value)?.created ?? 0,
    creator: readTextMember(memberOf(value, "chat") ?? value, "creator") ?? "",
  }));
}

/** How transcripts name senders who take no part in a chat (rows 22 and 29 of the spellings). */
const notSpoken: ReadonlySet<string> = new Set(["assistant", "bot", "system", "user", "guest"]);

function isSpoken({ sender }: ChatServiceMessage): boolean {
  return !notSpoken.has(sender);
}

/**
 * Converts a message; null for one of another kind, since `object` occurs only in imported history.
 */
function toMessage(value: unknown): ChatServiceMessage | null {
  const id = recordId(value);
  const sender = memberOf(value, "sender");
  const from = isObject(sender) ? recordId(sender) : readTextMember(value, "sender");
  const type = readTextMember(value, "type") ?? "text";
  if (id === null || from === null || (type !== "text" && type !== "media")) return null;
  // Afterword's own service marks them. In other services they are recognized by their time.
  if (memberOf(value, "imported") === true) return null;
  const content = memberOf(value, "message");
  const at = secondsOf(memberOf(value, "created") ?? memberOf(value, "created_at"));
  if (type === "text") {
    const text = typeof content === "number" ? String(content) : content;
    return typeof text === "string" ? { id, sender: from, type, text, media: null, at } : null;
  }
  const url = isObject(content) ? readTextMember(content, "url") : readTextMember(value, "message");
  if (url === null) return null;
  const name = readTextMember(content, "name") ?? url.split("/").at(-1) ?? url;
  const kind = readTextMember(content, "type") ?? "application/octet-stream";
  return { id, sender: from, type, text: name, media: { name, url, type: kind }, at };
}
