import { cutText } from "../text.ts";
import { addMessage, hasTooMuchUndelivered } from "./records/messages.ts";
import { type ChatRef, chatOf, type EscalationRecord } from "./stores/record.ts";
import type { Scope } from "./records/scope.ts";
import type { ChatServiceMessage } from "./services/chat-answers.ts";
import type { ChatService } from "./services/chat-service.ts";
import { withChat, withTyping } from "./records/signs.ts";
import { addLines } from "./records/transcript.ts";

/**
 * Takes over new messages; null if they cannot be read. If they are not whole, the caller delivers
 * these before it takes more.
 */
export async function readNew(
  scope: Scope,
  chat: ChatService,
  record: EscalationRecord,
  phase: { readonly chat: ChatRef },
): Promise<{ readonly record: EscalationRecord; readonly isWhole: boolean } | null> {
  const messages = await chat.messages(phase.chat.id, phase.chat.seen);
  if (messages.kind === "failed") return null;
  const all = messages.kind === "ok" ? messages.value : [];
  const agents = all.map(({ sender }) => sender).filter((sender) => sender !== phase.chat.user);
  const ref = await withNames(chat, phase.chat, agents);
  let now = ref === phase.chat ? record : withChat(record, ref);
  let taken = 0;
  for (const message of all) {
    if (hasTooMuchUndelivered(now)) break;
    taken++;
    if (message.sender === phase.chat.user) continue;
    now = withTyping(takeOver(scope, now, message), false, scope.now());
  }
  const isWhole = taken === all.length;
  const last = all[taken - 1];
  if (last === undefined) return { record: now, isWhole };
  return { record: withChat(now, { ...(chatOf(now) ?? ref), seen: last.id }), isWhole };
}

/** Adds the names of these agents. A name that cannot be read now is looked up again later. */
export async function withNames(
  service: ChatService,
  chat: ChatRef,
  agents: readonly string[],
): Promise<ChatRef> {
  const unknown = [...new Set(agents)].filter((id) => !Object.hasOwn(chat.names ?? {}, id));
  if (unknown.length === 0) return chat;
  const found = await Promise.all(
    unknown.map(async (id) => [id, await service.agentName(id)] as const),
  );
  const names = Object.fromEntries(found.filter(([, name]) => name !== ""));
  return { ...chat, names: { ...chat.names, ...names } };
}

function takeOver(
  scope: Scope,
  record: EscalationRecord,
  message: ChatServiceMessage,
): EscalationRecord {
  const { media, sender: agent } = message;
  const names = chatOf(record)?.names ?? {};
  const name = Object.hasOwn(names, agent) ? names[agent] : undefined;
  const written =
    media === null ? message.text : `${scope.say(record, "escalation.file") ?? ""} ${media.name}`;
  const text = boundText(written);
  const added = addMessage(record, {
    kind: media === null ? "agent" : "media",
    text,
    ...(media !== null && { media }),
    source: message.id,
    ...(name !== undefined && { name }),
  });
  const about = { agent, ...(name !== undefined && { name }) };
  const line = { who: "agent", said: text, at: message.at, ...about } as const;
  return { ...added, ...addLines(added, [line]) };
}

/** Removes control characters, and cuts the text to the limit of a record. */
function boundText(written: string): string {
  const text = written
    .toWellFormed()
    // oxlint-disable-next-line no-control-regex
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/gu, "")
    .trim();
  if (text.length <= maxMessageLength) return text;
  return `${cutText(text, maxMessageLength - 1)}…`;
}

const maxMessageLength = 20_000;
