import type { Line, Person } from "./record.ts";

/**
 * What came of a call to the other side. `refused` is a definite no (a 4xx that will not change by
 * asking again). `failed` with `sent: false`: nothing was created. `failed` with `sent: true`: it
 * may have been.
 */
export type Answered<Value> =
  | { readonly kind: "ok"; readonly value: Value }
  | { readonly kind: "refused"; readonly status: number; readonly problem: string }
  | { readonly kind: "failed"; readonly sent: boolean; readonly problem: string };

/** The chat service as escalation needs it. Never throws; every call ends within its deadline. */
export interface ChatDoor {
  /** How many agents are free (queue mode: 1 when somebody is online) and whether chats queue. */
  availability(
    room: string | number,
    lang: string,
  ): Promise<Answered<{ agents: number; queue: boolean }>>;
  /** The user with this external id, or null. */
  findUser(externalId: string): Promise<Answered<{ id: string; chats: readonly string[] } | null>>;
  createUser(user: {
    readonly externalId: string;
    readonly person: Person;
    readonly extraInfo: { readonly [name: string]: string };
  }): Promise<Answered<{ id: string }>>;
  /** Name, contact and extra information of a user that is there already. */
  updateUser(id: string, person: Person): Promise<Answered<null>>;
  openChat(chat: {
    readonly externalId: string;
    readonly user: string;
    readonly room: string | number;
    readonly lang: string;
    readonly source: string | number;
    readonly history: readonly { sender: string; message: string; created: number }[];
    /** Sent as Idempotency-Key, for a service that honours it. */
    readonly idempotencyKey: string;
  }): Promise<Answered<{ id: string }>>;
  chat(id: string): Promise<Answered<ChatState | null>>;
  /** The agent who was invited, or null when there is nobody. */
  assign(chat: string): Promise<Answered<{ agent: string | null }>>;
  say(
    chat: string,
    user: string,
    text: string,
    idempotencyKey: string,
  ): Promise<Answered<{ id: string }>>;
  /** Messages after the one with this id (empty: all), without imported history, in order. */
  messages(chat: string, after: string): Promise<Answered<readonly ChatMessage[]>>;
  attach(
    chat: string,
    user: string,
    name: string,
    type: string,
    bytes: Uint8Array,
  ): Promise<Answered<null>>;
  close(chat: string, user: string | null): Promise<Answered<null>>;
  place(chat: string): Promise<Answered<{ position: number; estimate: number | null } | null>>;
  survey(id: string, chat: string): Promise<Answered<{ url: string } | null>>;
}

export interface ChatState {
  readonly id: string;
  readonly status: "waiting" | "active" | "closed";
  readonly queued: boolean;
  readonly externalId: string;
  /** An agent who is in it, or null. */
  readonly agent: string | null;
}

export interface ChatMessage {
  readonly id: string;
  readonly sender: string;
  readonly type: "text" | "media";
  readonly text: string;
  readonly media: { readonly name: string; readonly url: string; readonly type: string } | null;
  /** Unix seconds. */
  readonly at: number;
}

/** Case management as escalation needs it. Logs in by itself with the instance's credentials. */
export interface TicketDoor {
  /**
   * The ticket with our key in it. `unable`: this service cannot be asked, so absence cannot be
   * proved.
   */
  find(externalId: string): Promise<Answered<{ id: string; number: string } | null | "unable">>;
  create(ticket: {
    readonly externalId: string;
    readonly person: Person;
    readonly title: string;
    readonly message: string;
    readonly language: string;
    readonly transcript: { readonly name: string; readonly text: string };
    readonly fields: { readonly [name: string]: string | number | boolean };
    readonly idempotencyKey: string;
  }): Promise<Answered<{ id: string; number: string }>>;
}

/** Lines as both doors hand them over. */
export type Transcript = readonly Line[];
