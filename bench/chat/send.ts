import { setTimeout as sleep } from "node:timers/promises";
import { Pool } from "undici";
import type { HeldChats } from "./held-chats.ts";

export interface Sent {
  readonly sent: number;
  /** Messages that were not acknowledged with 200. */
  readonly refused: number;
  /** Milliseconds from the start of a POST to its answer. */
  readonly answers: readonly number[];
  readonly seconds: number;
}

/**
 * Sends messages at a fixed rate, regardless of the answers, to the chats in turn, alternately from
 * the user and the agent. Within one chat, the next is sent after the last was answered, so that
 * their order is known.
 */
export async function sendMessages(
  url: string,
  { chats }: HeldChats,
  { rate, messages }: { readonly rate: number; readonly messages: number },
): Promise<Sent> {
  const pool = new Pool(url, { connections: 64, pipelining: 1 });
  const last = new Map<string, Promise<void>>();
  const answers: number[] = [];
  let refused = 0;
  const began = performance.now();
  for (let n = 0; n < messages; n += 1) {
    const due = began + (n * 1000) / rate;
    const early = due - performance.now();
    if (early > 1) await sleep(early);
    const chat = chats[n % chats.length];
    if (chat === undefined) break;
    const sequence = Math.floor(n / chats.length);
    const sender = sequence % 2 === 0 ? chat.user : chat.agent;
    const before = last.get(chat.id) ?? Promise.resolve();
    last.set(
      chat.id,
      before.then(() => post(chat.id, sequence, sender.id)),
    );
  }
  await Promise.all(last.values());
  const seconds = (performance.now() - began) / 1000;
  await pool.close();
  return { sent: messages, refused, answers, seconds };

  // Sent by the app's server, because a person may send only 120 messages a minute.
  async function post(chat: string, sequence: number, sender: string): Promise<void> {
    const start = process.hrtime.bigint();
    const { statusCode, body } = await pool.request({
      method: "POST",
      path: `/v1/chats/${chat}/messages`,
      headers: {
        "x-hyper-appid": "demo-app",
        "x-hyper-secret": "demo-app-secret",
        "content-type": "application/json",
      },
      body: JSON.stringify({ sender, message: `${chat}:${sequence}:${start}` }),
    });
    await body.dump();
    answers.push(Number(process.hrtime.bigint() - start) / 1e6);
    if (statusCode !== 200) refused += 1;
  }
}
