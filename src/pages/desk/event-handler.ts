import type { ChatEvent } from "../../api/chat/answers.ts";
import type { Context } from "./context.ts";
import { chatIdOf, membershipAfter, messageOf, personOf } from "./state/events.ts";
import { withEvent } from "./state/state.ts";
import type { Sync } from "./sync.ts";
import { textOf } from "./state/timeline.ts";
import { fill } from "../shared/words.ts";

/**
 * Creates the handler that applies events to the state, reads the data that they do not carry, and
 * announces important ones.
 *
 * @param missed called if that data cannot be read
 */
export function createEventHandler(
  { store, words, announce, session }: Context,
  sync: Sync,
  missed: () => void,
) {
  const reportFailure = (work: Promise<unknown>): void => void work.catch(missed);
  const tickets = createTicketRefresh(store);
  const handle = (event: ChatEvent): void => {
    if (event.trigger === "tickets:change") return tickets.begin();
    const id = chatIdOf(event);
    if (id === null) return;
    const known = store.get().chats.get(id);
    store.change((desk) => withEvent(desk, id, event, Date.now()));
    const person = personOf(event);
    const mine = person !== "" && person === session()?.agent;
    if (!/^(?:messages|users):/.test(event.trigger)) {
      sync.noteChange(id, mine ? membershipAfter(event) : undefined);
      reportFailure(readChangedChat(id, mine ? event.trigger : ""));
    }
    if (person !== "") reportFailure(sync.person(person));
    if (event.trigger === "invitations:reject" && !mine && known?.mine === true)
      reportFailure(reportDeclined(event, known.chat.creator));
    if (event.trigger === "chats:close" && !mine && known?.mine === true) {
      announce(fill(words().toldClosed, { name: nameOf(known.chat.creator) }), id);
    }
    const message = event.trigger === "messages:new" ? messageOf(event) : null;
    if (message === null || message.sender === session()?.agent || known?.mine !== true) return;
    const { selected } = store.get();
    // Screen readers read new lines of the open chat without an announcement.
    if (selected === id && document.hasFocus()) return;
    const tell = (): void => {
      const name = nameOf(message.sender);
      const text = textOf(message).slice(0, 200);
      announce(fill(words().toldMessage, { name, text }), id);
    };
    reportFailure(sync.person(message.sender).finally(tell));
  };

  /** Reads a chat once after an event. `trigger` is the event's if it is about this agent, else empty. */
  const readChangedChat = async (id: string, trigger: string): Promise<void> => {
    if (trigger === "chats:join") return readJoinedChat(id);
    await sync.chat(id);
    if (trigger === "invitations:new") announceInvitation(id);
  };
  /** Reads a chat that this agent has joined, with its earlier messages. */
  const readJoinedChat = async (id: string): Promise<void> => {
    sync.noteChange(id, true);
    await sync.chat(id);
    await sync.history(id);
  };
  const announceInvitation = (id: string): void => {
    const chat = store.get().chats.get(id)?.chat;
    if (chat === undefined || chat.invitation?.userId !== session()?.agent) return;
    announce(fill(words().toldInvitation, { name: nameOf(chat.creator) }), id, true);
  };
  const reportDeclined = async (event: ChatEvent, creator: string): Promise<void> => {
    await sync.person(personOf(event));
    const names = { name: nameOf(personOf(event)), user: nameOf(creator) };
    store.change((desk) => ({ ...desk, notice: fill(words().toldRefused, names) }));
  };
  const nameOf = (id: string): string => {
    const person = store.get().people.get(id);
    return (person?.nickname || person?.name) ?? words().somebody;
  };
  return { handle, readJoinedChat };
}

/** Milliseconds in which changes of tickets are collected, because they often come together. */
const gatherTime = 500;

/** Reads the shown tickets again, soon after the first change. */
function createTicketRefresh(store: Context["store"]): { readonly begin: () => void } {
  let timer: ReturnType<typeof setTimeout> | null = null;
  const end = (): void => {
    timer = null;
    store.change((desk) => ({ ...desk, ticketRound: desk.ticketRound + 1 }));
  };
  return { begin: () => void (timer ??= setTimeout(end, gatherTime)) };
}
