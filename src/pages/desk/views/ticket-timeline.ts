import type { VNode } from "preact";
import { html } from "htm/preact";
import type { ChatTicket, ChatTicketWords } from "../../../api/chat/answers-tickets.ts";
import type { Words } from "../words.ts";
import { timeText, useView } from "./context.ts";
import type { View } from "./context.ts";
import { FileLine } from "./file.ts";
import { linked } from "./messages.ts";
import { ArrivedMail, OF_ARRIVED, ReplyMail } from "./ticket-mail.ts";
import { type ShownTicket, STATES } from "./ticket-parts.ts";

/** Everything that was said about a ticket and done to it, in the order in which it happened. */
export function TicketTimeline({ shown }: { readonly shown: ShownTicket }): VNode {
  const view = useView();
  const { ticket } = shown;
  const { words } = view;
  const parts = [
    ...openingLines(ticket, ticket.user || words.somebody, view),
    ...ticket.merged.flatMap((double) => [
      {
        at: double.created,
        line: html`<li class="rule"><bdi>${double.number}</bdi> · <bdi>${double.title}</bdi></li>`,
      },
      ...openingLines(double, double.user || words.somebody, view),
      ...laterLines(double, shown, view),
    ]),
    ...laterLines(ticket, shown, view),
    ...ticket.mails
      .filter(({ state }) => state in OF_ARRIVED)
      .map((mail) => ({ at: mail.created, line: html`<${ArrivedMail} ...${{ mail, shown }} />` })),
    ...ticket.changes.flatMap((change) => changeLine(change, view)),
  ];
  return html`<ol>
    ${parts.toSorted((a, b) => a.at - b.at).map(({ line }) => line)}
  </ol>`;
}

/** A line, and when it was said in Unix seconds. */
interface Timed {
  readonly at: number;
  readonly line: VNode;
}

type Opening = ChatTicketWords & Pick<ChatTicket, "created">;

/** What was said before a ticket was made, and what was asked with it. */
function openingLines(ticket: Opening, person: string, view: View): readonly Timed[] {
  const { created: at, message, files, link, dropped } = ticket;
  const before = [
    ...(link === "" ? [] : [html`<li class="happened">${linked(link)}</li>`]),
    ...(dropped === 0 ? [] : [html`<li class="happened">… ${dropped}</li>`]),
    ...transcriptLines(ticket, person, view),
    html`<li class="rule">${timeText(at, view.language)}</li>`,
  ];
  const asked =
    message === "" && files.length === 0
      ? []
      : [said({ kind: "theirs", who: person, when: "" }, { message, files })];
  return [...before, ...asked].map((line) => ({ at, line }));
}

/** Each line with its speaker and in its own direction. */
function transcriptLines(
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
    const when = created === null ? "" : timeText(created, language);
    return said({ kind: kind.join(" "), who, when }, { message, files: [] });
  });
}

function laterLines(
  { replies, notes }: Pick<ChatTicketWords, "replies" | "notes">,
  shown: ShownTicket,
  { words, language }: View,
): readonly Timed[] {
  return [
    ...replies.map(({ id, user, type, message, files, created }) => {
      const kind = type === "reply" ? "theirs" : "own";
      const when = timeText(created, language);
      const style = { kind, who: user || words.somebody, when, key: `reply ${id}` };
      const mails = shown.ticket.mails.filter(({ reply }) => reply === id);
      const foot = mails.map((mail) => html`<${ReplyMail} key=${mail.id} ...${{ mail, shown }} />`);
      return { at: created, line: said(style, { message, files, foot }) };
    }),
    ...notes.map(({ user, message, created }) => {
      const who = `${words.notes} · ${user || words.somebody}`;
      const style = { kind: "own noted", who, when: timeText(created, language) };
      return { at: created, line: said(style, { message, files: [] }) };
    }),
  ];
}

/** What an agent has changed, as a name and a value. Others stand elsewhere on the page. */
function changeLine(
  { field, to, user, created }: ChatTicket["changes"][number],
  { words, language }: View,
): readonly Timed[] {
  const label = LABELS.get(field);
  if (label === undefined) return [];
  const value = field === "status" ? stateText(to, words) : to;
  const text = value === "" ? words.unassigned : value;
  return [
    {
      at: created,
      line: html`<li class="happened">
        ${user !== "" && html`<bdi>${user}</bdi> · `}${words[label]}: <bdi>${text}</bdi>${" "}
        <time>${timeText(created, language)}</time>
      </li>`,
    },
  ];
}

const LABELS: ReadonlyMap<string, keyof Words> = new Map([
  ["status", "ticketState"],
  ["assignee", "assignee"],
] as const);

function stateText(state: string, words: Words): string {
  const name = new Map<string, keyof Words>(Object.entries(STATES)).get(state);
  return name === undefined ? state : words[name];
}

interface LineStyle {
  readonly kind: string;
  readonly who: string;
  readonly when: string;
  readonly key?: string;
}

interface SaidWords extends Pick<ChatTicketWords, "message" | "files"> {
  /** Below the files. */
  readonly foot?: readonly VNode[];
}

function said({ kind, who, when, key }: LineStyle, { message, files, foot }: SaidWords): VNode {
  return html`<li key=${key} class=${`said ${kind}`}>
    <p class="who"><span dir="auto">${who}</span>${when !== "" && html` <time>${when}</time>`}</p>
    <div class="bubble">
      ${message !== "" && html`<p class="text" dir="auto">${linked(message)}</p>`}
      ${files.map((file) => html`<${FileLine} key=${file.url} file=${file} />`)} ${foot}
    </div>
  </li>`;
}
