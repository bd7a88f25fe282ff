import type { RefObject, VNode } from "preact";
import { html } from "htm/preact";
import type { ChatTicket, ChatTicketWords } from "../../../../api/chat/answers-tickets.ts";
import { toComparable } from "../../../../locales/person.ts";
import { fill } from "../../../shared/words.ts";
import { findState } from "../../context.ts";
import type { Words } from "../../words.ts";
import { formatTime, useView } from "../context.ts";
import type { View } from "../context.ts";
import { FileLine } from "../file.ts";
import { linkAddresses } from "../chats/messages.ts";
import { ArrivedMail, ARRIVED_WORDS, ReplyMail } from "./ticket-mail.ts";
import type { ShownTicket } from "./ticket-parts.ts";

interface TicketTimelineProps {
  readonly shown: ShownTicket;
  readonly list: RefObject<HTMLOListElement | null>;
}

/** Shows all messages, mails, notes and changes of a ticket, the oldest first. */
export function TicketTimeline({ shown, list }: TicketTimelineProps): VNode {
  const view = useView();
  const { ticket } = shown;
  const { words } = view;
  const parts = [
    ...createOpeningLines(ticket, ticket.user || words.somebody, view),
    ...ticket.merged.flatMap((double) => [
      {
        at: double.created,
        line: html`<li class="rule"><bdi>${double.number}</bdi> · <bdi>${double.title}</bdi></li>`,
      },
      ...createOpeningLines(double, double.user || words.somebody, view),
      ...createLaterLines(double, shown, view),
    ]),
    ...createLaterLines(ticket, shown, view),
    ...ticket.mails
      .filter(({ state }) => state in ARRIVED_WORDS)
      .map((mail) => ({ at: mail.created, line: html`<${ArrivedMail} ...${{ mail, shown }} />` })),
    ...ticket.changes.flatMap((change) => createChangeLines(change, view)),
  ];
  return html`<ol ref=${list}>
    ${parts.toSorted((a, b) => a.at - b.at).map(({ line }) => line)}
  </ol>`;
}

/** A line with its time in Unix seconds. */
interface Timed {
  readonly at: number;
  readonly line: VNode;
}

type Opening = ChatTicketWords & Pick<ChatTicket, "created">;

/** Lists the conversation before a ticket was created, and its question. */
function createOpeningLines(ticket: Opening, person: string, view: View): readonly Timed[] {
  const { created: at, message, author, files, link, dropped } = ticket;
  const before = [
    ...(link === "" ? [] : [html`<li class="happened">${linkAddresses(link)}</li>`]),
    ...(dropped === 0 ? [] : [html`<li class="happened">… ${dropped}</li>`]),
    ...createTranscriptLines(ticket, person, view),
    html`<li class="rule">${formatTime(at, view.language)}</li>`,
  ];
  const asked =
    message === "" && files.length === 0
      ? []
      : [createMessageLine({ ...styleOf(message, author, person), when: "" }, { message, files })];
  return [...before, ...asked].map((line) => ({ at, line }));
}

/** Returns the style of a ticket's question, or of the files of the conversation before it. */
function styleOf(message: string, author: string, person: string): Pick<LineStyle, "kind" | "who"> {
  // Anybody may have sent the files of a conversation. Its lines name them where they were sent.
  if (message === "") return { kind: "imported", who: "" };
  return author === "" ? { kind: "theirs", who: person } : { kind: "colleague", who: author };
}

/** Lists the lines of the conversation, each with its speaker. */
function createTranscriptLines(
  { transcript }: Pick<ChatTicketWords, "transcript">,
  person: string,
  { words, language }: View,
): readonly VNode[] {
  return transcript.map(({ user, name, message, created }, at) => {
    const before = transcript[at - 1];
    const kind = [
      user === "assistant" ? "imported assistant" : user === "agent" ? "colleague" : "imported",
      before?.user === user && before.name === name ? "goes-on" : "",
    ];
    const who =
      user === "assistant" ? words.assistant : user === "agent" ? name || words.agents : person;
    const when = created === null ? "" : formatTime(created, language);
    return createMessageLine({ kind: kind.join(" "), who, when }, { message, files: [] });
  });
}

function createLaterLines(
  { replies, notes }: Pick<ChatTicketWords, "replies" | "notes">,
  shown: ShownTicket,
  { words, language }: View,
): readonly Timed[] {
  return [
    ...replies.map(({ id, user, type, message, files, created }) => {
      const kind = type === "reply" ? "theirs" : "own";
      const when = formatTime(created, language);
      const mails = shown.ticket.mails.filter(({ reply }) => reply === id);
      const who = findOtherSender(mails, shown) ?? (user || words.somebody);
      const style = { kind, who, when, key: `reply ${id}` };
      const foot = mails.map((mail) => html`<${ReplyMail} key=${mail.id} ...${{ mail, shown }} />`);
      return { at: created, line: createMessageLine(style, { message, files, foot }) };
    }),
    ...notes.map(({ user, message, created }) => {
      const who = `${words.notes} · ${user || words.somebody}`;
      const style = { kind: "own noted", who, when: formatTime(created, language) };
      return { at: created, line: createMessageLine(style, { message, files: [] }) };
    }),
  ];
}

/** Finds the sender of a reply that an agent accepted from another address than the ticket's. */
function findOtherSender(
  mails: ChatTicket["mails"],
  { ticket: { contact } }: ShownTicket,
): string | null {
  const taken = mails.find(({ state }) => state === "taken");
  if (taken === undefined || toComparable(taken.address) === toComparable(contact)) return null;
  return taken.address;
}

/** Formats an agent's changes. Fields without a label are shown elsewhere on the page. */
function createChangeLines(
  change: ChatTicket["changes"][number],
  { words, language }: View,
): readonly Timed[] {
  const { user, created: at } = change;
  return describeChange(change, words).map(([label, values]) => ({
    at,
    line: html`<li class="happened">
      ${user !== "" && html`<bdi>${user}</bdi> · `}${fill(words.labelled, { label: words[label] })}${" "}
      ${values.map((value, index) => html`${index > 0 && ", "}<bdi>${value}</bdi>`)}${" "}
      <time>${formatTime(at, language)}</time>
    </li>`,
  }));
}

/** Lists labels with their values: one for a new value, two if tags were added and removed. */
function describeChange(
  { field, from, to }: ChatTicket["changes"][number],
  words: Words,
): readonly (readonly [keyof Words, readonly string[]])[] {
  if (field === "tags") {
    const [before, after] = [from, to].map((tags) => new Set(tags.split(", ").filter(Boolean)));
    return (
      [
        ["tagsAdded", [...(after ?? [])].filter((tag) => before?.has(tag) !== true)],
        ["tagsRemoved", [...(before ?? [])].filter((tag) => after?.has(tag) !== true)],
      ] as const
    ).filter(([, tags]) => tags.length > 0);
  }
  const label = LABELS.get(field);
  if (label === undefined) return [];
  const value = field === "status" ? nameState(to, words) : to;
  return [[label, [value === "" ? words.unassigned : value]]];
}

const LABELS: ReadonlyMap<string, keyof Words> = new Map([
  ["status", "ticketState"],
  ["assignee", "assignee"],
  ["queue", "queue"],
] as const);

function nameState(state: string, words: Words): string {
  const name = findState(state);
  return name === undefined ? state : words[name];
}

interface LineStyle {
  readonly kind: string;
  readonly who: string;
  readonly when: string;
  readonly key?: string;
}

interface MessageParts extends Pick<ChatTicketWords, "message" | "files"> {
  /** Shown below the files. */
  readonly foot?: readonly VNode[];
}

function createMessageLine(
  { kind, who, when, key }: LineStyle,
  { message, files, foot }: MessageParts,
): VNode {
  return html`<li key=${key} class=${`said ${kind}`}>
    ${who !== "" && html`<p class="who"><span dir="auto">${who}</span>${when !== "" && html` <time>${when}</time>`}</p>`}
    <div class="bubble">
      ${message !== "" && html`<p class="text" dir="auto">${linkAddresses(message)}</p>`}
      ${files.map((file) => html`<${FileLine} key=${file.url} file=${file} />`)} ${foot}
    </div>
  </li>`;
}
