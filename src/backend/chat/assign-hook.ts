import { isRecord } from "../../api/read.ts";
import type { ChatRow } from "./chat-rows.ts";
import { signatureOf } from "./hook-signature.ts";
import type { ChatOptions } from "./options.ts";

/** Milliseconds in which a registered address may name the agent (chat.md 7). */
const timeout = 5_000;

/**
 * Asks the address that is registered for `chats:assign` whom to invite: it may answer with an
 * agent's id, bare or as `userId`, `agentId` or `agent`. Null where it names nobody, fails or takes
 * longer than 5 seconds.
 */
export async function askAddress(
  { database, hooks, now }: ChatOptions,
  chat: ChatRow,
  proposed: string,
): Promise<string | null> {
  const target = await database.kysely
    .selectFrom("chat_webhooks")
    .select(["target", "secret"])
    .where("app", "=", chat.app)
    .where("events", "like", "%,chats:assign,%")
    .orderBy("number")
    .executeTakeFirst();
  if (hooks === null || target === undefined) return null;
  const body = JSON.stringify({
    trigger: "chats:assign",
    appId: chat.app,
    data: { chatId: chat.id, userId: proposed },
    created_at: Math.floor(now() / 1000),
  });
  const signature = await signatureOf(target.secret, body);
  const answer = await hooks({
    method: "POST",
    url: target.target,
    headers: { "content-type": "application/json", "x-hook-signature": signature },
    body,
    timeout,
  });
  return answer.ok && answer.status === 200 ? agentIn(answer.text) : null;
}

/** The agent that an answer names, or null. */
export function agentIn(text: string): string | null {
  const value = parse(text);
  if (!isRecord(value)) return idOf(value);
  const named = ["userId", "agentId", "agent", "id"].map((name) => value[name]);
  const found = named.find((one) => one !== undefined && one !== null);
  return isRecord(found) ? idOf(found["id"]) : idOf(found);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function idOf(value: unknown): string | null {
  const text = typeof value === "number" ? String(value) : value;
  return typeof text === "string" && /^\S{1,200}$/.test(text.trim()) ? text.trim() : null;
}
