import { createClients } from "../../src/api/clients.ts";
import type { ChatClient } from "../../src/api/chat/client-types.ts";

export interface Seat {
  readonly id: string;
  readonly token: string;
}

/** Held chats, with their user and their agent. */
export interface HeldChats {
  readonly agents: readonly Seat[];
  readonly chats: readonly {
    readonly id: string;
    readonly user: Seat;
    readonly agent: Seat;
  }[];
}

export interface HeldChatsOptions {
  readonly chats: number;
  readonly agents: number;
  /** Agents see the chats of their room. */
  readonly rooms: number;
}

/** The chat of a backend with its demo credentials, which work on a loopback address. */
export function demoChat(url: string, fetch?: typeof globalThis.fetch): ChatClient {
  const auth = { url, apiKey: "demo-key", secret: "demo-secret" };
  const chat = { url, appId: "demo-app", secret: "demo-app-secret" };
  return createClients({ auth, chat, ...(fetch !== undefined && { fetch }) }).chat;
}

/** Creates rooms, agents, users and chats, and lets an agent of its room accept each chat. */
export async function holdChats(chat: ChatClient, options: HeldChatsOptions): Promise<HeldChats> {
  const slots = Math.ceil(options.chats / options.agents) + 1;
  for (let room = 0; room < options.rooms; room += 1) {
    await chat.createRoom({ id: `bench-${room}`, name: `Room ${room}` });
  }
  const agents: Seat[] = [];
  for (let n = 0; n < options.agents; n += 1) {
    const login = `bench-agent-${n}`;
    const rooms = [`bench-${n % options.rooms}`];
    await chat.createAgent({ name: login, login, password: login, rooms, slots });
    const { agent, token } = await chat.login(login, login);
    agents.push({ id: agent.id, token: token ?? "" });
  }
  const chats = [];
  for (let n = 0; n < options.chats; n += 1) {
    const at = n % options.agents;
    const agent = agents[at] ?? { id: "", token: "" };
    const { user, token } = await chat.createUser({ name: `User ${n}` });
    const { id } = await chat.createChat({
      room: `bench-${at % options.rooms}`,
      creator: user.id,
    });
    await chat.join(id, agent.id);
    chats.push({ id, user: { id: user.id, token: token ?? "" }, agent });
  }
  return { agents, chats };
}
