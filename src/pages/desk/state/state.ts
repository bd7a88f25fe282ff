import type {
  Chat,
  ChatAgent,
  ChatCannedAnswer,
  ChatEvent,
  ChatMessage,
  ChatNote,
  ChatRoom,
  ChatUser,
} from "../../../api/chat/answers.ts";
import { membershipAfter, messageOf, personOf } from "./events.ts";
import { EMPTY, withEvents } from "./timeline.ts";
import type { Timeline } from "./timeline.ts";

/** A message or file that this page sends and that has not come back as a message yet. */
export interface Outgoing {
  /** Its Idempotency-Key, so that a repeated message is stored once. */
  readonly key: string;
  readonly text: string;
  readonly file: File | null;
  readonly state: "sending" | "sent" | "failed";
  /** The share of a file that has been sent, from 0 to 1. */
  readonly part?: number;
  /** False if the service would refuse it again. */
  readonly retryable: boolean;
  /** Why it failed, for people. */
  readonly reason: string;
  /** True if the service was not reached. It is sent again as soon as the connection is back. */
  readonly unreached: boolean;
  /** Once it is sent: the message's id, or the address of the file. */
  readonly sentAs: string;
  /** The last event before it, which comes later in the stream. */
  readonly after: number;
}

/** A chat as the desk knows it. */
export interface DeskChat {
  readonly chat: Chat;
  /** True while this agent is in it. */
  readonly mine: boolean;
  /** True once its history has been read. */
  readonly loaded: boolean;
  readonly timeline: Timeline;
  /** The people who are writing, and until when that is believed (milliseconds since the epoch). */
  readonly writing: ReadonlyMap<string, number>;
  readonly outgoing: readonly Outgoing[];
  /** The notes that agents keep about it, as far as this page has read them. */
  readonly notes: readonly ChatNote[];
}

export interface Desk {
  /** `expired`: the session has ended under a desk that is in use. */
  readonly phase: "opening" | "out" | "in" | "expired";
  /** Id of the app of the last login on this page, or empty. */
  readonly app: string;
  readonly me: ChatAgent | null;
  readonly link: "joining" | "live" | "lost" | "regained";
  readonly chats: ReadonlyMap<string, DeskChat>;
  /** Users and agents by id. */
  readonly people: ReadonlyMap<string, ChatUser>;
  readonly rooms: readonly ChatRoom[];
  readonly cannedAnswers: readonly ChatCannedAnswer[];
  readonly selected: string | null;
  readonly drafts: ReadonlyMap<string, string>;
  /** By chat, the messages that were not sent before the page was loaded again. */
  readonly unsent: ReadonlyMap<string, readonly Outgoing[]>;
  /** The last failure, for people, or null. */
  readonly problem: string | null;
  /** The last decision elsewhere, for people, or null. */
  readonly notice: string | null;
  /** Types of files that the service accepts, such as `image/*`; null if unknown. */
  readonly fileTypes: readonly string[] | null;
  /** True once chats have been read for the first time. */
  readonly listed: boolean;
  /** How many tickets are new, among those that the agent may read, or wait for the agent's answer. */
  readonly ticketsToDo: number;
  /** Counted up when tickets have changed, so that what is shown of them is read again. */
  readonly ticketRound: number;
}

export const START: Desk = {
  phase: "opening",
  app: "",
  me: null,
  link: "joining",
  chats: new Map(),
  people: new Map(),
  rooms: [],
  cannedAnswers: [],
  selected: null,
  drafts: new Map(),
  unsent: new Map(),
  problem: null,
  notice: null,
  fileTypes: null,
  listed: false,
  ticketsToDo: 0,
  ticketRound: 0,
};

/** Milliseconds for which a sign of writing counts when nothing follows. */
export const WRITING_FOR = 8_000;

/** The desk after an event about this chat. An unknown chat is read first. */
export function withEvent(desk: Desk, id: string, event: ChatEvent, now: number): Desk {
  const known = desk.chats.get(id);
  if (known === undefined) return desk;
  const person = personOf(event);
  const sender = event.trigger === "messages:new" ? messageOf(event)?.sender : undefined;
  let { writing } = known;
  if (event.trigger === "users:activity") {
    const ends = event.data["type"] !== "writing";
    writing = ends ? without(writing, person) : new Map([...writing, [person, now + WRITING_FOR]]);
  }
  if (sender !== undefined) writing = without(writing, sender);
  const isOwn = person !== "" && person === desk.me?.id;
  const mine = (isOwn ? membershipAfter(event) : undefined) ?? known.mine;
  const timeline =
    event.trigger === "users:activity" ? known.timeline : withEvents(known.timeline, [event]);
  return patch(desk, id, {
    writing,
    mine,
    timeline,
    outgoing: listPending(desk, known.outgoing, timeline),
  });
}

/**
 * The desk with a chat as the service returns it. A chat that is left and not waiting is removed.
 */
export function withChat(desk: Desk, chat: Chat, mine?: boolean): Desk {
  const known = desk.chats.get(chat.id);
  const entry: DeskChat = known ?? {
    chat,
    mine: false,
    loaded: false,
    timeline: EMPTY,
    writing: new Map(),
    outgoing: desk.unsent.get(chat.id) ?? [],
    notes: [],
  };
  return put(desk, { ...entry, chat, mine: mine ?? entry.mine });
}

export function withHistory(desk: Desk, id: string, history: readonly ChatEvent[]): Desk {
  const known = desk.chats.get(id);
  if (known === undefined) return desk;
  const timeline = withEvents(known.timeline, history);
  return patch(desk, id, {
    timeline,
    loaded: true,
    outgoing: listPending(desk, known.outgoing, timeline),
  });
}

export function withoutChat(desk: Desk, id: string): Desk {
  const chats = new Map(desk.chats);
  return chats.delete(id) ? { ...desk, chats } : desk;
}

export function withPerson(desk: Desk, person: ChatUser): Desk {
  return { ...desk, people: new Map([...desk.people, [person.id, person]]) };
}

export function withDraft(desk: Desk, id: string, text: string): Desk {
  const drafts = new Map(desk.drafts);
  if (text === "") drafts.delete(id);
  else drafts.set(id, text);
  return { ...desk, drafts };
}

export function withOutgoing(desk: Desk, id: string, one: Outgoing): Desk {
  const known = desk.chats.get(id);
  if (known === undefined) return desk;
  const others = known.outgoing.filter(({ key }) => key !== one.key);
  // A message that is sent again keeps its position.
  const at = known.outgoing.findIndex(({ key }) => key === one.key);
  const outgoing = at === -1 ? [...others, one] : known.outgoing.with(at, one);
  return patch(desk, id, { outgoing: listPending(desk, outgoing, known.timeline) });
}

export function withoutOutgoing(desk: Desk, id: string, key: string): Desk {
  const outgoing = desk.chats.get(id)?.outgoing.filter((one) => one.key !== key) ?? [];
  return patch(desk, id, { outgoing });
}

/** Changes parts of a known chat; an unknown one stays unknown. */
export function patch(desk: Desk, id: string, change: Partial<DeskChat>): Desk {
  const known = desk.chats.get(id);
  return known === undefined ? desk : put(desk, { ...known, ...change });
}

/**
 * Lists the messages that are not in the timeline yet, because events may arrive before the answer
 * with the id.
 */
function listPending(
  { me }: Desk,
  outgoing: readonly Outgoing[],
  { entries }: Timeline,
): readonly Outgoing[] {
  if (outgoing.length === 0) return outgoing;
  const own = entries.flatMap((entry) =>
    entry.kind === "message" && entry.message.sender === me?.id ? entry : [],
  );
  return outgoing.filter(
    ({ sentAs, state, text, after }) =>
      !own.some(({ event, message: { id, message } }) => {
        const confirmed = typeof message === "string" ? message : message.name;
        if (state === "sending") return event > after && confirmed === text;
        return sentAs !== "" && (id === sentAs || addressIn(message) === sentAs);
      }),
  );
}

function addressIn(message: ChatMessage["message"]): string {
  return typeof message === "string" ? "" : message.url;
}

function put(desk: Desk, entry: DeskChat): Desk {
  return { ...desk, chats: new Map([...desk.chats, [entry.chat.id, entry]]) };
}

function without(
  writing: ReadonlyMap<string, number>,
  person: string,
): ReadonlyMap<string, number> {
  if (!writing.has(person)) return writing;
  return new Map([...writing].filter(([id]) => id !== person));
}
