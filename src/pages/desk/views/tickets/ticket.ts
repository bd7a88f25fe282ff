import type { VNode } from "preact";
import { html } from "htm/preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { ChatTicket } from "../../../../api/chat/answers-tickets.ts";
import { fill } from "../../../shared/words.ts";
import { STATES } from "../../context.ts";
import { linkToMail } from "../../saved.ts";
import { Back } from "../chats/chat.ts";
import { useNow } from "../clock.ts";
import { useTitle, useView } from "../context.ts";
import { type Details, DetailsButton, DetailsPane, useDetails } from "../details.ts";
import { useEnd } from "../chats/messages.ts";
import { TicketComposer } from "./ticket-composer.ts";
import { TicketDetails } from "./ticket-details.ts";
import { usePresence } from "./ticket-presence.ts";
import { useAnswer } from "../answer.ts";
import { languageOfTicket, type ShownTicket } from "./ticket-parts.ts";
import { TicketTimeline } from "./ticket-timeline.ts";

/** Milliseconds after which an open ticket is read again, to show other agents and mails. */
const rereadEvery = 10_000;

/** Shows a ticket: its messages, the field for an answer, and its details. */
export function TicketPane({ id }: { readonly id: string }): VNode | readonly VNode[] {
  const { desk, acts, words } = useView();
  const now = useNow(rereadEvery);
  const key = `${id} ${now} ${desk.ticketRound}`;
  const { answer, notice, show } = useAnswer(() => acts.tickets.read(id), key);
  if (answer === null) {
    return html`<main class="chat ticket" aria-label=${words.tickets}>
      <div class="chat-head"><${Back} to="#tickets" label=${words.tickets} />${notice}</div>
    </main>`;
  }
  const reread = async (): Promise<ChatTicket | null> => {
    try {
      const next = await acts.tickets.read(id);
      show(next);
      return next;
    } catch {
      return null;
    }
  };
  return html`<${Ticket} shown=${{ ticket: answer, show, reread }} notice=${notice} />`;
}

interface TicketProps {
  readonly shown: ShownTicket;
  /** The reason why it could not be read again, if so. */
  readonly notice: VNode | false;
}

function Ticket({ shown, notice }: TicketProps): readonly VNode[] {
  const { acts, words } = useView();
  const { ticket } = shown;
  useTitle(`#tickets/${ticket.id}`, ticket.title || ticket.number);
  const details = useDetails();
  const presence = usePresence(ticket);
  const { answer: choices } = useAnswer(() => acts.tickets.choices(), "choices");
  return [
    html`<main
      class=${`chat ticket ${details.areShown ? "with-details" : ""}`}
      aria-labelledby="ticket-title"
    >
      <${TicketHead} ...${{ ticket, details }} />
      ${notice && html`<div class="said-problem">${notice}</div>`}
      <${Conversation} shown=${shown} />
      <${TicketComposer} ...${{ shown, choices, presence }} />
    </main>`,
    html`<${DetailsPane} details=${details} hideLabel=${words.close}>
      <${TicketDetails} key=${ticket.id} shown=${shown} queues=${choices?.queues ?? []} />
    <//>`,
  ];
}

interface TicketHeadProps {
  readonly ticket: ChatTicket;
  readonly details: Details;
}

function TicketHead({ ticket, details }: TicketHeadProps): VNode {
  const { words, language } = useView();
  const { number, title, user, contact, queue, status } = ticket;
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => heading.current?.focus(), []);
  const about = [number, words[STATES[status]], queue, user, languageOfTicket(ticket, language)];
  return html`<header class="chat-head">
    <${Back} to="#tickets" label=${words.tickets} />
    <div class="chat-title">
      <h2 id="ticket-title" tabindex="-1" ref=${heading} dir="auto">${title || number}</h2>
      <p class="quiet parts">
        <span
          >${about.filter(Boolean).map((part, at) => html`${at > 0 && " · "}<bdi>${part}</bdi>`)}
          ${contact !== "" && " ·"}</span
        >
        ${contact !== "" && html`<a href=${linkToMail(contact)} dir="auto">${contact}</a>`}
      </p>
    </div>
    <div class="buttons">
      <${DetailsButton} details=${details} label=${words.ticketDetails} />
    </div>
  </header>`;
}

/** Shows the messages. The newest stays in sight while the agent is at the end. */
function Conversation({ shown }: { readonly shown: ShownTicket }): VNode {
  const { words } = useView();
  const { ticket } = shown;
  const { replies, notes } = ticket;
  const { log, list, handleScroll, scrollToEnd } = useEnd(replies.length + notes.length, true);
  // A new message or note of any agent is scrolled into sight.
  const written = notes.length + replies.filter(({ type }) => type === "answer").length;
  useLayoutEffect(scrollToEnd, [written]);
  return html`<div class="messages">
    <div
      ref=${log}
      onScroll=${handleScroll}
      class="log"
      role="log"
      aria-live="polite"
      aria-label=${fill(words.conversation, { name: ticket.user || words.somebody })}
      tabindex="0"
    >
      <${TicketTimeline} shown=${shown} list=${list} />
    </div>
  </div>`;
}
