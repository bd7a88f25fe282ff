import type { RefObject, VNode } from "preact";
import { html } from "htm/preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { ChatTicket } from "../../../api/chat/answers-tickets.ts";
import { fill } from "../../shared/words.ts";
import { Back } from "./chat.ts";
import { useNow } from "./clock.ts";
import { useView } from "./context.ts";
import { TicketComposer } from "./ticket-composer.ts";
import { TicketDetails } from "./ticket-details.ts";
import { languageOfTicket, type ShownTicket, STATES, useAnswer } from "./ticket-parts.ts";
import { TicketTimeline } from "./ticket-timeline.ts";

/** Milliseconds after which an open ticket is read again. */
const rereadEvery = 10_000;

/** One ticket: what was said, the field for an answer, and what is known of it. */
export function TicketPane({ id }: { readonly id: string }): VNode | readonly VNode[] {
  const { acts, words } = useView();
  const now = useNow(rereadEvery);
  const { answer, said, show } = useAnswer(() => acts.tickets.read(id), `${id} ${now}`);
  if (answer === null) {
    return html`<main class="chat ticket" aria-label=${words.tickets}>
      <div class="chat-head"><${Back} to="#tickets" label=${words.tickets} />${said}</div>
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
  return html`<${Ticket} shown=${{ ticket: answer, show, reread }} said=${said} />`;
}

interface TicketProps {
  readonly shown: ShownTicket;
  /** Why it could not be read again, if so. */
  readonly said: VNode | false;
}

function Ticket({ shown, said }: TicketProps): readonly VNode[] {
  const { acts, words } = useView();
  const { ticket } = shown;
  const opener = useRef<HTMLButtonElement>(null);
  const [details, setDetails] = useState(false);
  const { answer: choices } = useAnswer(() => acts.tickets.choices(), "choices");
  const hide = (): void => {
    setDetails(false);
    opener.current?.focus();
  };
  // Before it is painted: a key pressed at once must be heard.
  useLayoutEffect(() => {
    if (!details) return undefined;
    const escape = ({ key, defaultPrevented }: KeyboardEvent): void => {
      if (key === "Escape" && !defaultPrevented) hide();
    };
    document.addEventListener("keydown", escape);
    return () => document.removeEventListener("keydown", escape);
  }, [details]);
  return [
    html`<main
      class=${`chat ticket ${details ? "with-details" : ""}`}
      aria-labelledby="ticket-title"
    >
      <${TicketHead} ...${{ ticket, opener, details, setDetails }} />
      ${said && html`<div class="said-problem">${said}</div>`}
      <${Conversation} shown=${shown} />
      <${TicketComposer} shown=${shown} choices=${choices} />
    </main>`,
    html`<aside
      id="details"
      class=${details ? "details shown" : "details"}
      aria-labelledby="details-title"
    >
      ${details && html`<button type="button" class="details-end" onClick=${hide}>${words.close}</button>`}
      <${TicketDetails} key=${ticket.id} shown=${shown} queues=${choices?.queues ?? []} />
    </aside>`,
  ];
}

interface TicketHeadProps {
  readonly ticket: ChatTicket;
  readonly opener: RefObject<HTMLButtonElement>;
  readonly details: boolean;
  readonly setDetails: (details: boolean) => void;
}

function TicketHead({ ticket, opener, details, setDetails }: TicketHeadProps): VNode {
  const { words, language } = useView();
  const { number, title, user, contact, queue, status } = ticket;
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => heading.current?.focus(), []);
  const about = [number, words[STATES[status]], queue, user, languageOfTicket(ticket, language)];
  return html`<header class="chat-head">
    <${Back} to="#tickets" label=${words.tickets} />
    <div class="chat-title">
      <h2 id="ticket-title" tabindex="-1" ref=${heading} dir="auto">${title || number}</h2>
      <p class="quiet">
        ${about.filter(Boolean).map((part, at) => html`${at > 0 && " · "}<bdi>${part}</bdi>`)}
        ${contact !== "" && html` · <a href=${`mailto:${contact}`} dir="auto">${contact}</a>`}
      </p>
    </div>
    <div class="buttons">
      <button
        type="button"
        class="details-button"
        ref=${opener}
        aria-expanded=${details}
        aria-controls="details"
        onClick=${() => setDetails(!details)}
      >
        ${words.ticketDetails}
      </button>
    </div>
  </header>`;
}

/** The messages; the newest is in sight when the ticket is opened and when one comes. */
function Conversation({ shown }: { readonly shown: ShownTicket }): VNode {
  const { words } = useView();
  const { ticket } = shown;
  const log = useRef<HTMLDivElement>(null);
  const { replies, notes } = ticket;
  useEffect(() => {
    log.current?.scrollTo({ top: log.current.scrollHeight });
  }, [ticket.id, replies.length, notes.length]);
  return html`<div class="messages">
    <div
      ref=${log}
      class="log"
      role="log"
      aria-live="polite"
      aria-label=${fill(words.conversation, { name: ticket.user || words.somebody })}
      tabindex="0"
    >
      <${TicketTimeline} shown=${shown} />
    </div>
  </div>`;
}
