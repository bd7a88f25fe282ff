import type { Answered } from "../outside.ts";
import { ask, encoded, getting, type Link } from "./ask.ts";
import { agentAmong } from "./chat-answers.ts";

/**
 * The agent in a chat whose record does not name one: found among the people in it. A service that
 * does not list them has nobody to name.
 */
export async function holderOf(
  link: Link,
  chat: string,
): Promise<Answered<{ readonly agent: string | null }>> {
  const answer = await ask(link, getting("chat.chatUsers", `/chats/${encoded(chat)}/users`));
  if (answer.kind === "failed") return answer;
  const agent = answer.kind === "ok" ? agentAmong(answer.value) : null;
  return { kind: "ok", value: { agent } };
}
