import { setTimeout as sleep } from "node:timers/promises";
import { isCallError } from "../../../src/api/call/call-error.ts";
import type { ChatClient } from "../../../src/api/chat/client-types.ts";
import { startBackend } from "../../../bench/backend/process.ts";
import { demoChat } from "../../../bench/chat/held-chats.ts";

export interface Killing {
  readonly database: string;
  readonly kills: number;
  readonly chats: number;
  /** From 0 up to, but not including, 1. */
  readonly random: () => number;
  readonly progress?: (kill: number, acknowledged: number) => void;
}

/** What happened to the acknowledged messages. */
export interface Survival {
  readonly acknowledged: number;
  /** Messages without an answer, which may or may not be stored. */
  readonly unanswered: number;
  /** Each as a sentence; empty if there are none. */
  readonly faults: readonly string[];
}

/**
 * Kills a backend (SIGKILL) again and again while people write and a listener stays across all
 * restarts. Acknowledged messages must be stored once and received once, in the order of their
 * chat. A message that is sent again with its `Idempotency-Key` until it is acknowledged must be
 * stored once as well.
 */
export async function killAgainAndAgain(options: Killing): Promise<Survival> {
  const { database, kills, random } = options;
  let backend = await startBackend(database);
  const port = Number(new URL(backend.url).port);
  const chat = demoChat(backend.url);
  const talks = await Promise.all(
    Array.from({ length: options.chats }, async (_, n) => {
      const { user } = await chat.createUser({ name: `Chaos ${n}` });
      const { id } = await chat.createChat({ room: 1, creator: user.id });
      return { id, user: user.id, acknowledged: [] as string[], unanswered: [] as string[] };
    }),
  );
  const received: { chat: string; text: string }[] = [];
  const stop = new AbortController();
  const listening = listen(chat, stop.signal, received);
  let over = false;
  const sending = talks.map((talk) => speak(chat, talk, random, () => over));

  for (let kill = 1; kill <= kills; kill += 1) {
    await sleep(300 + random() * 1200);
    await backend.end("SIGKILL");
    backend = await startBackend(database, { port });
    const so = talks.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0);
    options.progress?.(kill, so);
  }
  over = true;
  await Promise.all(sending);
  const faults: string[] = [];
  for (const talk of talks) {
    const stored: string[] = [];
    for await (const { message } of chat.messages(talk.id)) {
      stored.push(typeof message === "string" ? message : "");
    }
    faults.push(...compared(talk, stored, "stored"));
    const soFar = (): string[] =>
      received.filter((one) => one.chat === talk.id).map(({ text }) => text);
    for (let wait = 0; wait < 1_200 && soFar().length < stored.length; wait += 1) await sleep(50);
    faults.push(...compared(talk, soFar(), "heard"));
  }
  stop.abort();
  await listening;
  await backend.end("SIGTERM");
  const sum = (of: (talk: Talk) => number): number =>
    talks.reduce((all, talk) => all + of(talk), 0);
  return {
    acknowledged: sum(({ acknowledged }) => acknowledged.length),
    unanswered: sum(({ unanswered }) => unanswered.length),
    faults,
  };
}

interface Talk {
  readonly id: string;
  readonly user: string;
  readonly acknowledged: string[];
  readonly unanswered: string[];
}

/**
 * Sends messages one after the other, half of them with a key and repeated until there is an
 * answer.
 */
async function speak(
  chat: ChatClient,
  talk: Talk,
  random: () => number,
  over: () => boolean,
): Promise<void> {
  for (let n = 0; !over(); n += 1) {
    const text = `${talk.id} ${n}`;
    const keyed = random() < 0.5;
    for (;;) {
      const message = { sender: talk.user, message: text };
      const answered = await chat
        .send(talk.id, message, keyed ? { idempotencyKey: text } : {})
        .then(() => true)
        .catch((error: unknown) => {
          if (isCallError(error) && error.status === null) return false;
          throw error;
        });
      if (answered) {
        talk.acknowledged.push(text);
        break;
      }
      await sleep(50);
      if (keyed) continue;
      talk.unanswered.push(text);
      break;
    }
  }
}

async function listen(
  chat: ChatClient,
  signal: AbortSignal,
  messages: { chat: string; text: string }[],
): Promise<void> {
  for await (const { trigger, data } of chat.events({ after: "0", signal })) {
    if (trigger !== "messages:new") continue;
    const { message } = data as { readonly message: { chat: string; message: string } };
    messages.push({ chat: message.chat, text: message.message });
  }
}

function compared(
  { id, acknowledged, unanswered }: Talk,
  found: readonly string[],
  how: string,
): string[] {
  const faults: string[] = [];
  const count = Map.groupBy(found, (text) => text);
  for (const text of acknowledged) {
    const times = count.get(text)?.length ?? 0;
    if (times !== 1) faults.push(`${text}: acknowledged, and ${how} ${times} times`);
  }
  const allowed = new Set([...acknowledged, ...unanswered]);
  for (const [text, all] of count) {
    if (!allowed.has(text)) faults.push(`${text}: ${how}, and never sent`);
    else if (all.length > 1) faults.push(`${text}: ${how} ${all.length} times`);
  }
  const order = found.map((text) => Number(text.split(" ")[1]));
  if (order.some((n, at) => at > 0 && n < (order[at - 1] ?? 0))) faults.push(`${id}: out of order`);
  return faults;
}
