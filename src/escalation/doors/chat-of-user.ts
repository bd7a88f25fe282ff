import type { Answered } from "../outside.ts";
import { ask, encoded, getting, type Link } from "./ask.ts";
import { chatIn, openChatsIn } from "./chat-answers.ts";

/**
 * The open chat of a user that carries our id, or null. A failure on the way leaves open whether
 * there is one.
 */
export async function openChatOf(
  link: Link,
  user: string,
  externalId: string,
): Promise<Answered<{ readonly id: string }> | null> {
  const found = await ask(link, getting("chat.user", `/users/${encoded(user)}`));
  if (found.kind === "failed") return { ...found, sent: true };
  if (found.kind === "refused") return null;
  for (const id of openChatsIn(found.value)) {
    const answer = await ask(link, getting("chat.chat", `/chats/${encoded(id)}`));
    if (answer.kind === "failed") return { ...answer, sent: true };
    if (answer.kind === "ok" && chatIn(answer.value)?.externalId === externalId) {
      return { kind: "ok", value: { id } };
    }
  }
  return null;
}
