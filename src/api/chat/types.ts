import type { AssignRule, ChatStatus, ChatTrigger } from "./states.ts";

/** A JSON value whose type comes back as it was sent: clients compare strictly (chat.md 5). */
export type NumberOrText = number | string;

export interface ChatUser {
  readonly id: string;
  readonly name: string;
  /** Agents only: what users see instead of the name. */
  readonly nickname?: string | undefined;
  /** E-mail address, or empty. */
  readonly contact: string;
  /** Empty when there is none. */
  readonly externalId: string;
  readonly extraInfo: Readonly<Record<string, unknown>>;
  /** Ids of the chats that are not closed; for a user one at most. */
  readonly chats: readonly string[];
  /** Not empty for agents, and only for them. */
  readonly providerId: string;
}

export interface NewChatUser {
  readonly name: string;
  readonly externalId?: string | undefined;
  readonly extraInfo?: Readonly<Record<string, unknown>> | undefined;
  readonly contact?: string | undefined;
}

export type ChatUserChange = {
  readonly [name in keyof NewChatUser]?: NewChatUser[name] | undefined;
};

/** What an agent is allowed to do. */
export interface ChatRights {
  /** To change the user info of somebody whom the agent is chatting with. */
  readonly CHAT_EDIT_USER_INFO: boolean;
}

export interface ChatAgent extends ChatUser {
  readonly login: string;
  /** Ids of rooms. */
  readonly rooms: readonly string[];
  /** ISO 639-1; none means every language. */
  readonly languages: readonly string[];
  /** How many chats at once. */
  readonly slots: number;
  /** How many of them are taken, pending invitations included. */
  readonly load: number;
  readonly online: boolean;
  readonly rights: ChatRights;
}

export interface NewChatAgent {
  readonly name: string;
  readonly login: string;
  /** Generated, and shown once, when there is none. */
  readonly password?: string | undefined;
  readonly nickname?: string | undefined;
  readonly contact?: string | undefined;
  readonly externalId?: string | undefined;
  readonly extraInfo?: Readonly<Record<string, unknown>> | undefined;
  readonly rooms?: readonly string[] | undefined;
  readonly languages?: readonly string[] | undefined;
  readonly slots?: number | undefined;
  readonly online?: boolean | undefined;
  readonly rights?: { readonly CHAT_EDIT_USER_INFO?: boolean | undefined } | undefined;
}

export type ChatAgentChange = {
  readonly [name in keyof NewChatAgent]?: NewChatAgent[name] | undefined;
};

/**
 * An agent is asked: to take a chat (`assign`), to join its agent (`join`), or to take over from
 * them (`transfer`).
 */
export interface ChatInvitation {
  /** Id of the agent. */
  readonly userId: string;
  readonly type: "assign" | "join" | "transfer";
  /** Unix seconds: then it goes to the next one. */
  readonly expires: number;
}

export interface Chat {
  readonly id: string;
  readonly status: ChatStatus;
  readonly room: NumberOrText;
  readonly creator: string;
  readonly source: NumberOrText;
  /** ISO 639-1, or empty. */
  readonly lang: string;
  readonly externalId: string;
  /** 1 while it has a place in the queue. */
  readonly inQueue: 0 | 1;
  /** Id of the agent who answers for it, or null. */
  readonly agent: string | null;
  /** Who is asked and has not answered, or null. */
  readonly invitation?: ChatInvitation | null | undefined;
  readonly closed: boolean;
  /** Unix seconds. */
  readonly created: number;
}

/** A line of what was said before. */
export interface ChatHistoryLine {
  /** The user's id, or `assistant` for the bot. */
  readonly sender: string;
  readonly message: string;
  /** Unix seconds. */
  readonly created: number;
  readonly type?: "text" | "object" | undefined;
}

export interface NewChat {
  readonly room: NumberOrText;
  readonly creator: string;
  readonly source?: NumberOrText | undefined;
  readonly lang?: string | undefined;
  readonly externalId?: string | undefined;
  readonly history?: readonly ChatHistoryLine[] | undefined;
}

export interface ChatMediaMessage {
  /** Relative to the versioned base: `/media/<id>`. */
  readonly url: string;
  readonly type: string;
  readonly name: string;
}

export interface ChatMessage {
  readonly id: string;
  /** Id of the chat. */
  readonly chat: string;
  readonly sender: string;
  readonly type: "text" | "media" | "object";
  /** A text (it may be HTML), or what a media message shows. */
  readonly message: string | ChatMediaMessage;
  /** Unix seconds. */
  readonly created: number;
  /** Ids of those who have read it. */
  readonly read: readonly string[];
  /** True for a line of a transcript: nobody said it in this chat. */
  readonly imported?: true | undefined;
}

export interface ChatMedia extends ChatMediaMessage {
  readonly id: string;
  /** Bytes. */
  readonly size: number;
  readonly created: number;
}

/** One line of a chat's history, oldest first. */
export interface ChatEvent {
  readonly id: number;
  readonly trigger: ChatTrigger;
  readonly data: Readonly<Record<string, unknown>>;
  /** Unix seconds. */
  readonly created_at: number;
}

/** What a registered address is sent, and what an event stream carries. */
export interface ChatDelivery extends Omit<ChatEvent, "id"> {
  readonly appId: string;
}

/** An event that a registered address did not take, in all its attempts. */
export interface ChatUndelivered {
  readonly id: number;
  readonly event: ChatDelivery;
  readonly attempts: number;
  /** What came of the last attempt. */
  readonly reason: string;
  /** Unix seconds. */
  readonly givenUp: number;
}

export interface ChatSettings {
  readonly queue: { readonly active: boolean };
  readonly languages: readonly string[];
  /**
   * MIME types (`image/png`, `image/*`) or extensions (`png`). What is not named may not be sent.
   */
  readonly allowedMediaTypes: readonly string[];
  /** Seconds that an agent has to answer an invitation. */
  readonly invitationTimeout: number;
  /** Seconds without a message after which a chat is closed; 0 for never. */
  readonly inactivity: number;
  /**
   * Hosts whose pages may listen to event streams, such as `shop.example` or `.example.com`; none
   * for all.
   */
  readonly domains: readonly string[];
}

export interface ChatApp {
  readonly id: string;
  readonly name: string;
  readonly created: number;
}

export interface ChatRoom {
  readonly id: string;
  readonly name: string;
  readonly assign: AssignRule;
}

/** What is not named stays as it is; a new room is called by its id. */
export interface NewChatRoom {
  readonly id: NumberOrText;
  readonly name?: string | undefined;
  readonly assign?: AssignRule | undefined;
}

export interface ChatQueuePlace {
  readonly chatId: string;
  /** From 1; 0 for a chat that has no place. */
  readonly queuePosition: number;
  /** Seconds until an agent is likely to answer, or null when nothing is known yet. */
  readonly estimatedWait: number | null;
}

export interface ChatSurvey {
  readonly id: string;
  readonly name: string;
  readonly url: string;
}

export interface ChatWebhook {
  readonly id: string;
  /** Separated by commas. */
  readonly events: string;
  readonly target: string;
  readonly created: number;
}
