import type { VNode } from "preact";
import { html } from "htm/preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { ChatTicket, ChatTicketLine } from "../../../api/chat/answers.ts";
import { explain } from "../context.ts";
import { sectionsOf } from "../lists.ts";
import { useNow } from "./clock.ts";
import { timeText, useView } from "./context.ts";
import { FileLine } from "./file.ts";
import { Back } from "./chat.ts";
import { Invitation, valueOf } from "./list.ts";
import { fill } from "../../shared/words.ts";

const STATES = {
  1: "ticketNew",
  2: "ticketOpen",
  3: "ticketPending",
  4: "ticketSolved",
  5: "ticketClosed",
} as const;
/** How many the list asks for at once. */
const some = 50;

/** The tickets of the app's project, for reading; `open` is the number of one, or empty. */
export function Tickets({ open }: { readonly open: string }): readonly VNode[] {
  const { words } = useView();
  return [
    html`<${TicketList} open=${open} />`,
    open === ""
      ? html`<main class="chat ticket empty"><h2>${words.pickTicket}</h2></main>`
      : html`<${TicketPane} key=${open} id=${open} />`,
  ];
}

/** What a call answers, or why not; asked again with each key, and after a new login. */
function useAnswer<T>(read: () => Promise<T>, key: string) {
  const { desk, words } = useView();
  const [answer, setAnswer] = useState<T | null>(null);
  const [problem, setProblem] = useState("");
  const [round, setRound] = useState(0);
  useEffect(() => {
    if (desk.phase !== "in") return undefined;
    let wanted = true;
    const ask = async (): Promise<void> => {
      try {
        const next = await read();
        if (!wanted) return;
        setAnswer(next);
        setProblem("");
      } catch (error) {
        if (wanted) setProblem(explain(error, words));
      }
    };
    // A search that is still being typed is not sent.
    const timer = setTimeout(() => void ask(), 200);
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [key, round, desk.phase]);
  const said =
    problem === ""
      ? answer === null && html`<p class="quiet" role="status">${words.loading}</p>`
      : html`<p class="problem" role="alert">
          ${problem}${" "}
          <button type="button" onClick=${() => setRound(round + 1)}>${words.tryNow}</button>
        </p>`;
  return { answer, said };
}

function TicketList({ open }: { readonly open: string }): VNode {
  const { desk, acts, words, language } = useView();
  const [filter, setFilter] = useState({ search: "", status: "", length: String(some) });
  const change = (next: Partial<typeof filter>): void =>
    setFilter({ ...filter, length: String(some), ...next });
  const now = useNow(60_000);
  const key = JSON.stringify([filter, now]);
  const { answer, said } = useAnswer(() => acts.tickets(filter), key);
  const { tickets = [], hasMore = false } = answer ?? {};
  const length = Number(filter.length);
  const { invitations } = sectionsOf(desk);
  return html`<nav class="list" aria-label=${words.tickets}>
    <div class="filter" role="search">
      <input
        id="search"
        type="search"
        dir="auto"
        maxlength="200"
        aria-label=${words.searchTickets}
        placeholder=${words.searchTickets}
        value=${filter.search}
        onInput=${(event: Event) => change({ search: valueOf(event) })}
      />
      <select
        aria-label=${words.allStates}
        value=${filter.status}
        onChange=${(event: Event) => change({ status: valueOf(event) })}
      >
        <option value="">${words.allStates}</option>
        ${Object.entries(STATES).map(
          ([state, name]) => html`<option value=${state}>${words[name]}</option>`,
        )}
      </select>
    </div>
    ${
      invitations.length > 0 &&
      html`<section aria-label=${words.invitations}>
        <ul>
          ${invitations.map((one) => html`<${Invitation} key=${one.chat.id} one=${one} />`)}
        </ul>
      </section>`
    }
    <section aria-label=${words.tickets}>
      ${said}
      ${answer !== null && tickets.length === 0 && html`<p class="quiet">${words.noMatch}</p>`}
      <ul>
        ${tickets.map(
          (one: ChatTicketLine) =>
            html`<li key=${one.id}>
              <a
                class="row"
                href=${`#tickets/${one.id}`}
                aria-current=${open === String(one.id) ? "true" : undefined}
              >
                <strong dir="auto">${one.title || one.number}</strong>
                <time class="quiet">${timeText(one.updated, language)}</time>
                <span class="preview quiet" dir="auto">
                  ${[one.number, words[STATES[one.status]], one.user].filter(Boolean).join(" · ")}
                </span>
              </a>
            </li>`,
        )}
      </ul>
      ${
        hasMore &&
        length < 200 &&
        html`<button type="button" onClick=${() => change({ length: String(length + some) })}>
          ${words.more}
        </button>`
      }
    </section>
  </nav>`;
}

/** One ticket: what was said before it, its text, and what was answered. */
function TicketPane({ id }: { readonly id: string }): VNode {
  const { acts, words } = useView();
  const { answer, said } = useAnswer(() => acts.ticket(id), id);
  return html`<main class="chat ticket" aria-label=${words.tickets}>
    ${
      answer === null
        ? html`<div class="chat-head"><${Back} to="#tickets" label=${words.tickets} />${said}</div>`
        : html`<${Ticket} ticket=${answer} />`
    }
  </main>`;
}

function Ticket({ ticket }: { readonly ticket: ChatTicket }): readonly VNode[] {
  const { words, language } = useView();
  const { number, title, user, contact, queue } = ticket;
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => heading.current?.focus(), []);
  const about = [number, words[STATES[ticket.status]], queue, user, contact];
  return [
    html`<header class="chat-head">
      <${Back} to="#tickets" label=${words.tickets} />
      <div class="chat-title">
        <h2 tabindex="-1" ref=${heading} dir="auto">${title || number}</h2>
        <p class="quiet" dir="auto">${about.filter(Boolean).join(" · ")}</p>
      </div>
    </header>`,
    html`<div class="messages">
      <div
        class="log"
        role="region"
        aria-label=${fill(words.conversation, { name: user || words.somebody })}
        tabindex="0"
      >
        <ol>
          ${ticket.transcript.map(({ user: who, message }) => {
            const bot = who === "assistant";
            const name = bot ? words.assistant : user || words.somebody;
            return line(bot ? "imported assistant" : "imported", name, "", { message, files: [] });
          })}
          <li class="rule">${timeText(ticket.created, language)}</li>
          ${line("theirs", user || words.somebody, "", ticket)}
          ${ticket.replies.map((reply) =>
            line(
              reply.type === "reply" ? "theirs" : "colleague",
              reply.user || words.somebody,
              timeText(reply.created, language),
              reply,
            ),
          )}
        </ol>
      </div>
    </div>`,
  ];
}

function line(
  kind: string,
  who: string,
  when: string,
  { message, files }: Pick<ChatTicket, "message" | "files">,
): VNode {
  return html`<li class=${`said ${kind}`}>
    <p class="who"><span dir="auto">${who}</span>${when !== "" && html` <time>${when}</time>`}</p>
    <div class="bubble">
      <p class="text" dir="auto">${message}</p>
      ${files.map((file) => html`<${FileLine} key=${file.url} file=${file} />`)}
    </div>
  </li>`;
}
