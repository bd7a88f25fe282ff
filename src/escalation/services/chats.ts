import { languageOf } from "../../locales/tag.ts";
import { settleCall, type CallResult, isMissing, mapResult, readOrThrow } from "./call-result.ts";
import {
  agentAmong,
  chatIn,
  endingIn,
  invitedAgentIn,
  openChatsIn,
  queuePositionIn,
  surveyIn,
} from "./chat-answers.ts";
import type { ChatCalls } from "./chat-calls.ts";
import type { ChatService } from "./chat-service.ts";

type Chats = Pick<
  ChatService,
  "openChat" | "chat" | "assign" | "close" | "queuePosition" | "survey"
>;

/** Chats, from the first call for an agent to the survey. */
export function createChats({ call, callPatiently, get, run, create }: ChatCalls): Chats {
  const chats: Chats = {
    async openChat({ externalId, user, room, lang, source, history, idempotencyKey, about = {} }) {
      const body = {
        room,
        creator: user,
        source,
        ...(languageOf(lang) === "" ? {} : { lang: languageOf(lang) }),
        externalId,
        ...(history.length === 0 ? {} : { history: history.slice(-maxHistory) }),
      };
      const extended = { ...body, ...about };
      const first = await create("chat", "createChat", { body: extended, idempotencyKey });
      // `about` is an extension. A service that refuses unknown fields is asked without it.
      const isStrict = first.kind === "refused" && (first.status === 400 || first.status === 422);
      const made = isStrict ? await create("chat", "createChat", { body, idempotencyKey }) : first;
      if (made.kind !== "refused" || made.status !== 409) return made;
      // The key was used with a shorter history, or the user has an open chat, which may be this
      // one.
      return (await findOpenChat(get, user, externalId)) ?? made;
    },

    async chat(id) {
      const read = await settleCall(false, async () =>
        readOrThrow("chat.chat", await call("chat", { id }), chatIn),
      );
      if (isMissing(read)) return nothing;
      if (read.kind !== "ok") return read;
      const { created: _, agent, ...state } = read.value;
      const isEnded = state.status === "closed" && state.closedBy === undefined;
      const ending = isEnded ? mapResult(await get("history", { id }), endingIn) : null;
      const chat = ending?.kind === "ok" ? { ...state, ...ending.value } : state;
      if (agent !== undefined) return { kind: "ok", value: { ...chat, agent } };
      if (chat.status !== "active") return { kind: "ok", value: { ...chat, agent: null } };
      return mapResult(await agentOf(get, id), (found) => ({ ...chat, agent: found }));
    },

    assign: (id) =>
      settleCall(true, async () => {
        return { agent: invitedAgentIn(await callPatiently("assign", { id })) };
      }),

    async close(id, user, reason) {
      const query = { userId: user ?? undefined, reason };
      const answer = await run("closeChat", { id, query, answer: "none" }, true);
      if (answer.kind !== "refused" || answer.status !== 409) return answer;
      // A service refuses to close a chat that is closed already, which is as good.
      const state = await chats.chat(id);
      return state.kind === "ok" && state.value?.status === "closed" ? nothing : answer;
    },

    async queuePosition(id) {
      const answer = await get("queuePosition", { id });
      return isMissing(answer) ? nothing : mapResult(answer, queuePositionIn);
    },

    async survey(id, chat) {
      const query = { sourceType: "chat", sourceId: chat };
      const answer = await get("survey", { id, query });
      return isMissing(answer) ? nothing : mapResult(answer, surveyIn);
    },
  };
  return chats;
}

/** Finds the user's open chat with our id; null if there is none. A failure leaves it uncertain. */
async function findOpenChat(
  get: ChatCalls["get"],
  user: string,
  externalId: string,
): Promise<CallResult<{ readonly id: string }> | null> {
  const found = await get("user", { id: user });
  if (found.kind === "failed") return { ...found, sent: true };
  if (found.kind === "refused") return null;
  for (const id of openChatsIn(found.value)) {
    const answer = await get("chat", { id });
    if (answer.kind === "failed") return { ...answer, sent: true };
    if (answer.kind === "ok" && chatIn(answer.value)?.externalId === externalId) {
      return { kind: "ok", value: { id } };
    }
  }
  return null;
}

/**
 * Finds the agent among the people in a chat whose record names none; null if people are not
 * listed.
 */
async function agentOf(get: ChatCalls["get"], id: string): Promise<CallResult<string | null>> {
  const answer = await get("chatUsers", { id });
  return answer.kind === "refused" ? nothing : mapResult(answer, agentAmong);
}

/** The most messages that a chat service takes at once. */
const maxHistory = 1000;

const nothing: CallResult<null> = { kind: "ok", value: null };
