import type { Chat, ChatAgent } from "../../api/chat/answers.ts";
import type { Figures } from "../../api/chat/answers-figures.ts";
import type { ChatUserChange } from "../../api/chat/schema.ts";
import type { FigureTable } from "../../api/chat/schema-figures.ts";
import type { MessageOutbox } from "./outbox.ts";
import type { TicketActs } from "./ticket-acts.ts";

/** The acts of an agent at the desk. */
export interface Acts {
  /** Continues the session of this tab, or asks for a login. */
  readonly open: () => void;
  /** Returns the problem in words for people, or null. */
  readonly login: (given: Login) => Promise<string | null>;
  readonly logout: () => Promise<void>;
  readonly setStatus: (status: ChatAgent["status"]) => Promise<boolean>;
  readonly select: (chat: string | null) => void;
  readonly accept: (chat: string) => Promise<boolean>;
  readonly reject: (chat: string) => Promise<boolean>;
  readonly take: (chat: string) => Promise<boolean>;
  readonly leave: (chat: string) => Promise<boolean>;
  readonly giveBack: (chat: string) => Promise<boolean>;
  /** `reason`: a word, or empty. */
  readonly close: (chat: string, reason: string) => Promise<boolean>;
  /** Reads all chats of a user that this agent may see, the latest first. Throws FailedCall. */
  readonly chatsOf: (user: string) => Promise<readonly Chat[]>;
  /** Transfers to a colleague, who is asked, or to a room, at once. The note is stored first. */
  readonly transfer: (chat: string, to: TransferTo, note: string) => Promise<boolean>;
  /** Reads the messages of a chat that this agent is not in yet. */
  readonly look: (chat: string) => void;
  /** Reads a person's data. */
  readonly readPerson: (id: string) => void;
  readonly readNotes: (chat: string) => void;
  /** Stores a note for agents, and empties its draft. */
  readonly addNote: (chat: string, text: string) => Promise<boolean>;
  readonly draft: (name: string, text: string) => void;
  /** A page of the chats that this agent may see, the newest first. Throws FailedCall. */
  readonly find: (query: Readonly<Record<string, string>>) => Promise<ChatPage>;
  readonly colleagues: () => Promise<readonly ChatAgent[]>;
  /** Throws FailedCall. */
  readonly changeUser: (id: string, change: ChatUserChange) => Promise<void>;
  /** Marks everything in a chat as read. */
  readonly read: (chat: string) => void;
  readonly tickets: TicketActs;
  /** Reads a table of figures, by a query with period and time zone. Throws FailedCall. */
  readonly figures: <Table extends FigureTable>(
    table: Table,
    query: string,
  ) => Promise<Figures<Table>>;
  readonly download: (path: string) => Promise<Blob>;
  readonly outbox: MessageOutbox;
  /** Tries at once to reach the service. */
  readonly hurry: () => void;
  /** Checks whether the service is still reachable. */
  readonly doubt: () => void;
  readonly forgetProblem: () => void;
}

export interface ChatPage {
  readonly chats: readonly Chat[];
  /** The beginning of the following page; null on the last one. */
  readonly next: string | null;
}

export interface TransferTo {
  readonly kind: "agent" | "room";
  readonly id: string;
}

export interface Login {
  readonly appId: string;
  readonly login: string;
  readonly password: string;
}
