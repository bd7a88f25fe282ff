import type { CallOptions, CreateOptions, ListOptions } from "../call/caller.ts";
import type { ChatStreamEvent, EventsOptions } from "./events.ts";
import type { Figures } from "./answers-figures.ts";
import type { FiguresQuery, FigureTable } from "./schema-figures.ts";
import type { ChatHistoryLine } from "./schema.ts";
import type {
  Chat,
  ChatAgent,
  ChatApp,
  ChatCannedAnswer,
  ChatEvent,
  ChatMedia,
  ChatMessage,
  ChatNote,
  ChatQueuePosition,
  ChatRoom,
  ChatSettings,
  ChatSurvey,
  ChatUndelivered,
  ChatUser,
  ChatWebhook,
  NumberOrText,
} from "./answers.ts";
import type { ChatAgentChange, NewChatAgent } from "./schema-agents.ts";
import type { NewChatRoom, ChatUserChange, NewChat, NewChatUser } from "./schema.ts";

export interface SignedUp {
  readonly user: ChatUser;
  /**
   * The token with which the user's own client acts, without a secret. Null if the service returns
   * none.
   */
  readonly token: string | null;
}

export interface SignedIn {
  readonly agent: ChatAgent;
  readonly token: string | null;
}

export interface FoundAgent {
  /** The agent who was invited; null if the search found none. */
  readonly agent: ChatAgent | null;
  /** The chat after the search; null if the service does not return it. */
  readonly chat: Chat | null;
}

export interface ChatFilter {
  readonly status?: "active" | "open" | "waiting" | "closed";
  readonly room?: NumberOrText;
  readonly userId?: string;
  readonly externalId?: string;
}

export interface StartRequest {
  readonly room: NumberOrText;
  /** A new user, or the existing one with this `externalId` or id. */
  readonly user: NewChatUser | { readonly id: string };
  readonly history?: readonly ChatHistoryLine[];
  readonly source?: NumberOrText;
  readonly lang?: string;
  readonly externalId?: string;
  /**
   * True if the app's setting `queue.active` is. The chat may then wait, so it starts if any agent is
   * online, even without a free slot.
   */
  readonly queue?: boolean;
  /** Calls with the same key create one chat. */
  readonly idempotencyKey?: string;
}

export type StartOutcome =
  /** Nobody is available in the room, and nothing was created. */
  | { readonly started: false; readonly reason: "no-agents" }
  | {
      readonly started: true;
      readonly user: ChatUser;
      /** The user's own token; null for an existing user. */
      readonly token: string | null;
      readonly chat: Chat;
      /** The agent who was invited; null if there is none. */
      readonly agent: ChatAgent | null;
      /** `ongoing`: the user's open chat continues. `alone`: the search found no agent. */
      readonly outcome: "invited" | "queued" | "alone" | "ongoing";
    };

/** The client of the live chat. A list requests its next page when it has been read that far. */
export interface ChatClient {
  /**
   * Checks that agents are available, creates the user and the chat, and searches for an agent.
   * Without agents nothing is created.
   */
  start(request: StartRequest, options?: CallOptions): Promise<StartOutcome>;
  /** Returns a client that acts as the user or agent of a token, without the secret. */
  as(token: string): ChatClient;

  createApp(name: string, options?: CallOptions): Promise<{ app: ChatApp; secret: string }>;
  app(options?: CallOptions): Promise<ChatApp>;
  isValid(options?: CallOptions): Promise<boolean>;

  createUser(user: NewChatUser, options?: CallOptions): Promise<SignedUp>;
  users(filter?: { readonly externalId?: string }, options?: ListOptions): AsyncIterable<ChatUser>;
  /** Finds the user with this `externalId`; null if there is none. */
  findUser(externalId: string, options?: CallOptions): Promise<ChatUser | null>;
  user(id: string, options?: CallOptions): Promise<ChatUser>;
  changeUser(id: string, change: ChatUserChange, options?: CallOptions): Promise<ChatUser>;
  activity(
    userId: string,
    type: "writing" | "not-writing" | "away" | "back",
    chatId?: string,
    options?: CallOptions,
  ): Promise<void>;

  /** Counts the agents with a free slot in each room. */
  availableAgents(
    rooms: readonly NumberOrText[],
    options?: CallOptions & { readonly langs?: readonly string[] },
  ): Promise<Readonly<Record<string, number>>>;
  areAgentsOnline(room: NumberOrText, options?: CallOptions): Promise<boolean>;
  createAgent(
    agent: NewChatAgent,
    options?: CallOptions,
  ): Promise<{ readonly agent: ChatAgent; readonly password: string | null }>;
  agents(
    filter?: { readonly roomId?: NumberOrText; readonly online?: boolean },
    options?: ListOptions,
  ): AsyncIterable<ChatAgent>;
  agent(id: string, options?: CallOptions): Promise<ChatAgent>;
  changeAgent(id: string, change: ChatAgentChange, options?: CallOptions): Promise<ChatAgent>;
  login(login: string, password: string, options?: CallOptions): Promise<SignedIn>;
  logout(agentId?: string, options?: CallOptions): Promise<void>;
  cannedAnswers(options?: CallOptions): Promise<readonly ChatCannedAnswer[]>;
  /** Replaces all canned answers. */
  changeCannedAnswers(
    all: readonly ChatCannedAnswer[],
    options?: CallOptions,
  ): Promise<readonly ChatCannedAnswer[]>;
  rooms(options?: CallOptions): Promise<readonly ChatRoom[]>;
  createRoom(room: NewChatRoom, options?: CallOptions): Promise<ChatRoom>;

  createChat(chat: NewChat, options?: CreateOptions): Promise<Chat>;
  chats(filter?: ChatFilter, options?: ListOptions): AsyncIterable<Chat>;
  chat(id: string, options?: CallOptions): Promise<Chat>;
  changeChat(
    id: string,
    change: { readonly externalId?: string; readonly lang?: string },
    options?: CallOptions,
  ): Promise<Chat>;
  /**
   * Closes a chat in the name of a member or, without `userId`, of the system. A lost answer is not
   * retried, because closing twice is refused with 409.
   */
  close(id: string, userId?: string, options?: CallOptions): Promise<void>;
  assign(id: string, options?: CallOptions): Promise<FoundAgent>;
  /** Puts the chat back for other agents; `room` moves it to another room. */
  toInbox(
    id: string,
    options?: CallOptions & { readonly room?: NumberOrText },
  ): Promise<FoundAgent>;
  join(id: string, userId?: string, options?: CallOptions): Promise<void>;
  leave(id: string, userId?: string, options?: CallOptions): Promise<void>;
  transfer(id: string, toAgent: string, options?: CallOptions): Promise<void>;
  chatUsers(id: string, options?: CallOptions): Promise<readonly ChatUser[]>;
  invite(chatId: string, agentId: string, options?: CallOptions): Promise<void>;
  accept(chatId: string, agentId?: string, options?: CallOptions): Promise<void>;
  reject(chatId: string, agentId?: string, options?: CallOptions): Promise<void>;

  send(
    chatId: string,
    message: { readonly sender?: string; readonly message: string },
    options?: CreateOptions,
  ): Promise<ChatMessage>;
  messages(
    chatId: string,
    options?: ListOptions & { readonly after?: string },
  ): AsyncIterable<ChatMessage>;
  read(messageId: string, userId?: string, options?: CallOptions): Promise<ChatMessage>;
  /** Lists the notes of agents about a chat, which users do not see. */
  notes(chatId: string, options?: CallOptions): Promise<readonly ChatNote[]>;
  addNote(
    chatId: string,
    note: { readonly author?: string; readonly text: string },
    options?: CreateOptions,
  ): Promise<ChatNote>;
  history(chatId: string, options?: CallOptions): Promise<readonly ChatEvent[]>;
  historyCsv(chatId: string, options?: CallOptions): Promise<string>;
  importHistory(
    chatId: string,
    history: readonly ChatHistoryLine[],
    options?: CallOptions,
  ): Promise<readonly ChatMessage[]>;
  /** Uploads a file; `to` sends it in a chat. */
  upload(
    file: { readonly name: string; readonly bytes: Uint8Array; readonly type?: string },
    to?: { readonly chatId: string; readonly senderId?: string },
    options?: CallOptions,
  ): Promise<ChatMedia>;
  mediaList(filter?: { readonly chatId?: string }, options?: ListOptions): AsyncIterable<ChatMedia>;
  /** Returns the response, whose body streams the file. */
  download(id: string, options?: CallOptions): Promise<Response>;

  queueStatus(
    options?: CallOptions,
  ): Promise<Readonly<Record<string, { waiting: number; estimatedWait: number | null }>>>;
  queuePosition(chatId: string, options?: CallOptions): Promise<ChatQueuePosition>;
  /** Without the secret, only `queue`, `languages` and `allowedMediaTypes` are returned. */
  settings(options?: CallOptions): Promise<Partial<ChatSettings>>;
  changeSettings(change: Partial<ChatSettings>, options?: CallOptions): Promise<ChatSettings>;
  /** Returns a table of figures. It needs the token of an agent with the right SUPERVISE. */
  figures<Table extends FigureTable>(
    table: Table,
    query?: Omit<FiguresQuery, "format">,
    options?: CallOptions,
  ): Promise<Figures<Table>>;
  figuresCsv(
    table: FigureTable,
    query?: Omit<FiguresQuery, "format">,
    options?: CallOptions,
  ): Promise<string>;
  surveys(options?: CallOptions): Promise<readonly ChatSurvey[]>;
  survey(
    id: string,
    about?: { readonly sourceType?: string; readonly sourceId?: string },
    options?: CallOptions,
  ): Promise<ChatSurvey>;
  createSurvey(survey: Omit<ChatSurvey, "id">, options?: CallOptions): Promise<ChatSurvey>;
  webhooks(options?: CallOptions): Promise<readonly ChatWebhook[]>;
  createWebhook(
    webhook: { readonly events: string; readonly target: string; readonly secret?: string },
    options?: CallOptions,
  ): Promise<{ readonly webhook: ChatWebhook; readonly secret: string | null }>;
  removeWebhook(id: string, options?: CallOptions): Promise<void>;
  /** Lists the events that a registered address did not accept, oldest first. */
  undelivered(webhookId: string, options?: ListOptions): AsyncIterable<ChatUndelivered>;
  /** Sends all undelivered events again, or those with these ids. Returns how many. */
  resend(webhookId: string, ids?: readonly number[], options?: CallOptions): Promise<number>;
  /**
   * Yields events as they happen: all of the app's or, with a token, those of the person's chats.
   * After a broken connection it continues after the last event, so that each event comes once, in
   * order. Ends when `signal` is aborted or the loop is left. Throws if the service refuses it.
   */
  events(options?: EventsOptions): AsyncIterable<ChatStreamEvent>;
  newId(options?: CallOptions): Promise<string>;
}
