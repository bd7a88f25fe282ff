import type {
  ChatTicket,
  ChatTicketChoices,
  ChatTicketCounts,
  ChatTicketFile,
  ChatTicketLine,
  ChatTicketPerson,
  ChatTicketsChanged,
} from "../../api/chat/answers-tickets.ts";
import type { ChatTicketActivity, ChatTicketMailAction } from "../../api/chat/schema-tickets.ts";
import type { TicketOrder, TicketView } from "../../api/chat/states.ts";
import type { Context } from "./context.ts";
import { isRecord } from "./state/events.ts";
import { type Desk, withDraft } from "./state/state.ts";

/** The acts of an agent on tickets. Each call throws FailedCall. */
export interface TicketActs {
  /** Lists tickets that fit the filter's fields, with their number in each view. */
  readonly list: (filter: Readonly<Record<string, string>>) => Promise<TicketPage>;
  readonly read: (id: string) => Promise<ChatTicket>;
  readonly choices: () => Promise<ChatTicketChoices>;
  /** Finds people who asked before, by words of their names or addresses. */
  readonly people: (search: string) => Promise<readonly ChatTicketPerson[]>;
  readonly ofChat: (chat: string) => Promise<readonly ChatTicketLine[]>;
  /** Makes a ticket of a chat, or finds the one that it has, and opens it; problems are shown. */
  readonly create: (chat: string) => Promise<boolean>;
  /** Creates a ticket that an agent has written, and opens it. Repeated attempts create only one. */
  readonly open: (ticket: NewTicket) => Promise<void>;
  /** Makes one change to several tickets, and gives for each whether it was made. */
  readonly changeSeveral: (
    tickets: readonly ChatTicketLine[],
    change: TicketsEdit,
  ) => Promise<ChatTicketsChanged["results"]>;
  readonly change: (ticket: ChatTicket, change: TicketEdit) => Promise<ChatTicket>;
  /** Sends an answer and empties its draft. Repeated attempts send it only once. */
  readonly answer: (ticket: ChatTicket, answer: TicketAnswer) => Promise<ChatTicket>;
  readonly note: (ticket: ChatTicket, message: string) => Promise<ChatTicket>;
  /** Reports this agent's activity on a ticket, and returns the other agents who are present. */
  readonly tell: (id: number, type: ChatTicketActivity["type"]) => Promise<ChatTicket["present"]>;
  readonly merge: (ticket: ChatTicket, into: string) => Promise<ChatTicket>;
  /** Sends a mail again, or decides about one that is held. */
  readonly decideMail: (ticket: ChatTicket, decision: ChatTicketMailAction) => Promise<ChatTicket>;
  /** Opens the ticket that this one was merged into, and moves the unsent text there. */
  readonly moveDraft: (ticket: ChatTicket) => void;
  readonly upload: (file: File) => Promise<ChatTicketFile>;
  /** Changes which uploaded files are kept for a ticket's next answer. */
  readonly keepFiles: (ticket: number, change: (files: ChosenFiles) => ChosenFiles) => void;
  /** State of the tickets that is kept while the page shows something else. */
  readonly remembered: Remembered;
}

type ChosenFiles = readonly ChatTicketFile[];

export interface TicketPage {
  readonly tickets: readonly ChatTicketLine[];
  /** The beginning of the following page; null on the last one. */
  readonly next: string | null;
  readonly counts: ChatTicketCounts;
}

/** The values of the form for a new ticket; empty texts count as missing. */
export interface NewTicket {
  readonly name: string;
  readonly contact: string;
  readonly title: string;
  readonly message: string;
  readonly queue: string;
  readonly assignee: string;
  readonly language: string;
  /** Id of a user of the chat, or empty. */
  readonly person: string;
  /** Ids of uploaded files. */
  readonly attachments: readonly string[];
}

export interface TicketEdit {
  readonly status?: number;
  /** Id of an agent, or empty for nobody. */
  readonly assignee?: string;
  readonly queue?: number;
  readonly tags?: readonly string[];
}

/** A change of several tickets. Their other tags stay. */
export interface TicketsEdit extends Pick<TicketEdit, "status" | "assignee" | "queue"> {
  readonly addTags?: readonly string[];
  readonly removeTags?: readonly string[];
}

/** Tickets that the service changes in one call. */
const maxAtOnce = 100;

export interface TicketAnswer {
  readonly message: string;
  readonly attachments: readonly string[];
  readonly status: number;
}

export interface Remembered {
  /** The list that is shown; `queue` is a number, or empty for all. */
  list: { readonly view: TicketView; readonly order: TicketOrder; readonly queue: string };
  /** The last reply when an answer was begun, by ticket. */
  readonly begunAfter: Map<number, number>;
  /** The last change that was known after an answer from this page, by ticket. */
  readonly answered: Map<number, number>;
}

/** Names of the drafts of a ticket. */
export const draftOf = {
  answer: (id: number): string => `ticket ${id}`,
  note: (id: number): string => `ticket-note ${id}`,
  /** The files of an unsent answer. */
  files: (id: number): string => `ticket-files ${id}`,
} as const;

/** Reads the files that were uploaded for a ticket's next answer, or for a new ticket. */
export function readChosenFiles({ drafts }: Desk, id: number): readonly ChatTicketFile[] {
  const kept: unknown = JSON.parse(drafts.get(draftOf.files(id)) ?? "[]");
  return (Array.isArray(kept) ? kept : []).flatMap((one: unknown) =>
    isRecord(one) ? { id: String(one["id"]), url: String(one["url"]), ...describeFile(one) } : [],
  );
}

function describeFile({ type, name }: Readonly<Record<string, unknown>>) {
  return { type: String(type), name: String(name) };
}

/** Keeps them as a draft is kept, so that they outlive a reload and end with a logout. */
export function withChosenFiles(desk: Desk, id: number, files: readonly ChatTicketFile[]): Desk {
  return withDraft(desk, draftOf.files(id), files.length === 0 ? "" : JSON.stringify(files));
}

/** Number under which the files of a new ticket are kept, which no ticket has. */
export const NEW_FILES = 0;

/** Name of the draft of a new ticket. */
export const NEW_TICKET = "new-ticket";

export function createTicketActs(context: Context): TicketActs {
  const { ask } = context;
  const remembered: Remembered = {
    list: { view: "new", order: "newest", queue: "" },
    begunAfter: new Map(),
    answered: new Map(),
  };
  const changeTicket = async (
    method: string,
    path: string,
    options: Parameters<Context["ask"]>[2],
  ): Promise<ChatTicket> => (await ask<{ ticket: ChatTicket }>(method, path, options)).ticket;
  return {
    remembered,
    list: (filter) => listTickets(context, filter),
    read: (id) => changeTicket("GET", pathOf(id), {}),
    choices: () => ask("GET", "tickets/choices"),
    async people(search) {
      const path = `tickets/people?${new URLSearchParams({ search }).toString()}`;
      return (await ask<{ people: readonly ChatTicketPerson[] }>("GET", path)).people;
    },
    async ofChat(chat) {
      const path = `chats/${encodeURIComponent(chat)}/tickets`;
      return (await ask<{ tickets: readonly ChatTicketLine[] }>("GET", path)).tickets;
    },
    decideMail: ({ id }, decision) =>
      changeTicket("POST", `${pathOf(id)}/mails`, { body: decision }),
    create: (chat) =>
      context.attempt(async () => {
        const { id } = await changeTicket("POST", "tickets", { body: { chat } });
        location.hash = `#tickets/${id}`;
      }),
    async open(ticket) {
      const key = keyFor(context, NEW_TICKET, JSON.stringify(ticket));
      const { id } = await changeTicket("POST", "tickets", { key, body: ticket });
      forget(context, NEW_TICKET, draftOf.files(NEW_FILES));
      const view = ticket.assignee === context.store.get().me?.id ? "mine" : "all";
      remembered.list = { ...remembered.list, view };
      location.hash = `#tickets/${id}`;
    },
    change: ({ id, seen }, change) =>
      changeTicket("PUT", pathOf(id), { body: { ...change, seen } }),
    changeSeveral: (tickets, change) => changeSeveral(context, tickets, change),
    async answer({ id, seen }, answer) {
      const draft = draftOf.answer(id);
      const key = keyFor(context, draft, JSON.stringify(answer));
      const sent = await changeTicket("POST", `${pathOf(id)}/replies`, {
        key,
        body: { ...answer, seen },
      });
      remembered.answered.set(id, sent.seen);
      // A notice about the unsent text is no longer true.
      context.store.change((desk) => ({ ...desk, notice: null }));
      forget(context, draft, draftOf.files(id));
      return sent;
    },
    async note({ id }, message) {
      const draft = draftOf.note(id);
      const key = keyFor(context, draft, message);
      const kept = await changeTicket("POST", `${pathOf(id)}/notes`, { key, body: { message } });
      forget(context, draft);
      return kept;
    },
    async tell(id, type) {
      const path = `${pathOf(id)}/activity`;
      const sent = await ask<Pick<ChatTicket, "present">>("POST", path, { body: { type } });
      return sent.present;
    },
    merge: ({ id }, into) => changeTicket("POST", `${pathOf(id)}/merge`, { body: { into } }),
    keepFiles: (id, change) =>
      context.store.change((desk) => withChosenFiles(desk, id, change(readChosenFiles(desk, id)))),
    moveDraft: (ticket) => moveDraft(context, ticket),
    async upload(file) {
      const form = new FormData();
      form.set("media", file, file.name);
      const options = { form, timeout: 120_000 };
      return (await ask<{ media: ChatTicketFile }>("POST", "tickets/media", options)).media;
    },
  };
}

async function listTickets(
  { ask, store }: Context,
  filter: Readonly<Record<string, string>>,
): Promise<TicketPage> {
  const page = await ask<TicketPage>("GET", `tickets?${new URLSearchParams(filter).toString()}`);
  // The counts of a filtered list are only those of its matches.
  const isWhole = ["search", "tag", "queue", "agent"].every((name) => (filter[name] ?? "") === "");
  const ticketsToDo = page.counts.new + page.counts.toAnswer;
  if (isWhole) store.change((desk) => ({ ...desk, ticketsToDo }));
  return page;
}

async function changeSeveral(
  { ask, store, rereadRights }: Context,
  tickets: readonly ChatTicketLine[],
  change: TicketsEdit,
): Promise<ChatTicketsChanged["results"]> {
  const several: ChatTicketsChanged["results"][number][] = [];
  for (let from = 0; from < tickets.length; from += maxAtOnce) {
    const some = tickets.slice(from, from + maxAtOnce).map(({ id, seen }) => ({ id, seen }));
    const body = { ...change, tickets: some };
    const { results } = await ask<ChatTicketsChanged>("PUT", "tickets", { body });
    several.push(...results);
  }
  if (several.some(({ refused }) => refused?.code === 403)) rereadRights();
  store.change((desk) => ({ ...desk, ticketRound: desk.ticketRound + 1 }));
  return several;
}

function moveDraft(context: Context, { id, mergedInto }: ChatTicket): void {
  if (mergedInto === null) return;
  const to = draftOf.answer(mergedInto.id);
  context.store.change((desk) => {
    const texts = [to, draftOf.answer(id)].map((name) => desk.drafts.get(name) ?? "");
    const files = [mergedInto.id, id].flatMap((one) => readChosenFiles(desk, one));
    const moved = withChosenFiles(
      withDraft(desk, to, texts.filter(Boolean).join("\n\n")),
      mergedInto.id,
      files,
    );
    return { ...moved, notice: context.words().mergedMeanwhile };
  });
  forget(context, draftOf.answer(id), draftOf.files(id));
  location.hash = `#tickets/${mergedInto.id}`;
}

function pathOf(id: string | number): string {
  return `tickets/${encodeURIComponent(id)}`;
}

/**
 * Returns the idempotency key for a text. The same text gets the same key again, even after a
 * reload, because keys are stored with the drafts.
 */
function keyFor({ store }: Context, draft: string, text: string): string {
  const [key, before] = (store.get().drafts.get(`key ${draft}`) ?? "").split("\n", 2);
  if (key !== undefined && key !== "" && before === hashText(text)) return key;
  const fresh = crypto.randomUUID();
  const kept = `${fresh}\n${hashText(text)}`;
  store.change((desk) => withDraft(desk, `key ${draft}`, kept));
  return fresh;
}

/** Hashes a text well enough to notice that it was edited. */
function hashText(text: string): string {
  let sum = 0;
  for (let at = 0; at < text.length; at += 1) sum = (sum * 31 + text.charCodeAt(at)) % 2 ** 32;
  return `${text.length}.${sum}`;
}

function forget({ store }: Context, ...drafts: readonly string[]): void {
  const names = drafts.flatMap((draft) => [draft, `key ${draft}`]);
  store.change((desk) => names.reduce((left, name) => withDraft(left, name, ""), desk));
}
