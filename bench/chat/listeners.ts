/**
 * Listens as all people of these chats, in a separate process: as each agent, and as the app's
 * server. Received messages are compared with sent ones by their texts:
 * `<chat>:<sequence>:<nanoseconds at which its POST began>`. The clock is the machine's monotonic
 * one, which all processes share.
 */
import { WebSocket } from "ws";
import type { RawData } from "ws";
import type { ChatStreamEvent } from "../../src/api/chat/events.ts";
import { demoChat } from "./held-chats.ts";
import type { HeldChats } from "./held-chats.ts";

export interface ToListeners {
  readonly url: string;
  readonly held: HeldChats;
  readonly transport: "sse" | "websocket";
}

export type FromListeners =
  | { readonly kind: "ready" }
  | ({ readonly kind: "heard" } & ListenerReport)
  | { readonly kind: "progress"; readonly messages: number };

export interface ListenerReport {
  /** Milliseconds from the start of a POST to its receipt by the agent of its chat. */
  readonly latencies: readonly number[];
  /** Messages that the app's server received, each once. */
  readonly messages: number;
  readonly duplicates: number;
  readonly outOfOrder: number;
  /** Messages that the agent of their chat received, each once. */
  readonly toAgents: number;
  /** Events of all kinds in all streams. */
  readonly events: number;
}

const latencies: number[] = [];
let events = 0;
const app = createLedger();
const holders = createLedger();

process.once("message", (message: ToListeners) => {
  const { held } = message;
  const agentOf = new Map(held.chats.map(({ id, agent }) => [id, agent.id]));
  const ready: Promise<void>[] = [
    listen(message, null, ({ chat, sequence }) => {
      app.note(chat, sequence);
    }),
  ];
  for (const agent of held.agents) {
    ready.push(
      listen(message, agent.token, ({ chat, sequence, sent }) => {
        if (agentOf.get(chat) !== agent.id) return;
        latencies.push(Number(process.hrtime.bigint() - sent) / 1e6);
        holders.note(chat, sequence);
      }),
    );
  }
  void Promise.all(ready).then(() => tell({ kind: "ready" }));
  setInterval(() => tell({ kind: "progress", messages: app.messages }), 200).unref();
  process.once("message", () => {
    const { messages, duplicates, outOfOrder } = app;
    tell({
      kind: "heard",
      latencies,
      messages,
      duplicates: duplicates + holders.duplicates,
      outOfOrder: outOfOrder + holders.outOfOrder,
      toAgents: holders.messages,
      events,
    });
    process.disconnect();
    process.exit();
  });
});

interface Said {
  readonly chat: string;
  readonly sequence: number;
  readonly sent: bigint;
}

/** Resolves when the stream is open: it has sent something, or nothing for a moment. */
function listen(
  { url, transport }: ToListeners,
  token: string | null,
  heard: (said: Said) => void,
): Promise<void> {
  const take = (event: ChatStreamEvent): void => {
    events += 1;
    if (event.trigger !== "messages:new") return;
    const { message } = event.data as { readonly message: { chat: string; message: string } };
    const [, sequence = "", sent = "0"] = message.message.split(":");
    heard({ chat: message.chat, sequence: Number(sequence), sent: BigInt(sent) });
  };
  return transport === "sse" ? overHttp(url, token, take) : overSocket(url, token, take);
}

async function overHttp(
  url: string,
  token: string | null,
  take: (event: ChatStreamEvent) => void,
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const watched: typeof fetch = async (...asked) => {
    const response = await fetch(...asked);
    resolve();
    return response;
  };
  const chat = demoChat(url, watched);
  const listening = token === null ? chat : chat.as(token);
  void (async () => {
    for await (const event of listening.events()) take(event);
  })();
  return promise;
}

function overSocket(
  url: string,
  token: string | null,
  take: (event: ChatStreamEvent) => void,
): Promise<void> {
  const credentials =
    token === null ? { "x-hyper-secret": "demo-app-secret" } : { "x-hyper-token": token };
  const socket = new WebSocket(`${url.replace(/^http/, "ws")}/v1/events`, {
    headers: { "x-hyper-appId": "demo-app", ...credentials },
  });
  return new Promise((resolve, reject) => {
    socket.on("error", reject);
    socket.on("message", (data: RawData) => {
      const text = Buffer.isBuffer(data) ? data.toString() : "";
      const said = JSON.parse(text) as ChatStreamEvent & { readonly type: string };
      if (said.type === "ready") resolve();
      if (said.type === "event") take(said);
    });
  });
}

function createLedger() {
  const highest = new Map<string, number>();
  const seen = new Set<string>();
  const counts = { messages: 0, duplicates: 0, outOfOrder: 0 };
  return {
    get messages() {
      return counts.messages;
    },
    get duplicates() {
      return counts.duplicates;
    },
    get outOfOrder() {
      return counts.outOfOrder;
    },
    note(chat: string, sequence: number): void {
      const key = `${chat}:${sequence}`;
      if (seen.has(key)) {
        counts.duplicates += 1;
        return;
      }
      seen.add(key);
      counts.messages += 1;
      if (sequence < (highest.get(chat) ?? -1)) counts.outOfOrder += 1;
      else highest.set(chat, sequence);
    },
  };
}

function tell(message: FromListeners): void {
  process.send?.(message);
}
