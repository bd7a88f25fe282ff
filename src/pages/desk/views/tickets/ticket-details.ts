import type { VNode } from "preact";
import { html } from "htm/preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { ChatTicket, ChatTicketChoices } from "../../../../api/chat/answers-tickets.ts";
import { Select } from "../../../shared/fields.ts";
import { useAttempt } from "../../../shared/attempt.ts";
import { STATES } from "../../context.ts";
import { addressOf, addressOfAsker, linkToMail } from "../../saved.ts";
import type { TicketEdit } from "../../ticket-acts.ts";
import { formatTime, useView } from "../context.ts";
import { Tags } from "./ticket-row.ts";
import { MergeDialog } from "./ticket-merge.ts";
import { statesAfter } from "./ticket-composer.ts";
import { explainChange, languageOfTicket, type ShownTicket, useAnswering } from "./ticket-parts.ts";

interface TicketDetailsProps {
  readonly shown: ShownTicket;
  readonly queues: ChatTicketChoices["queues"];
}

/**
 * The parts of a ticket beside its words: state, assignee, queue, tags, person, chats, other
 * tickets.
 */
export function TicketDetails({ shown, queues }: TicketDetailsProps): VNode {
  const { words } = useView();
  const { ticket } = shown;
  const { change, problem } = useChange(shown);
  return html`<h2 id="details-title">${words.ticketDetails}</h2>
    <p class="problem" role="alert">${problem}</p>
    <div class="ticket-fields">
      <${StateField} ticket=${ticket} change=${change} />
      <${AssigneeField} ticket=${ticket} change=${change} />
      ${queues.length > 1 && html`<${QueueField} ...${{ ticket, queues, change }} />`}
      <${TagsField} ticket=${ticket} change=${change} />
    </div>
    <${PersonFacts} ticket=${ticket} />
    <${Links} shown=${shown} />`;
}

type Change = (change: TicketEdit) => Promise<void>;

/** Makes a change. A failure is shown above the fields, which then show the stored values. */
function useChange({ ticket, show, reread }: ShownTicket) {
  const { acts, words } = useView();
  const { problem, attempt } = useAttempt((error) => explainChange(error, words));
  const change: Change = async (fields) => {
    const worked = await attempt(async () => show(await acts.tickets.change(ticket, fields)));
    if (!worked) await reread();
  };
  return { problem, change };
}

interface FieldProps {
  readonly ticket: ChatTicket;
  readonly change: Change;
}

function StateField({ ticket, change }: FieldProps): VNode {
  const { words } = useView();
  const { status, editable } = ticket;
  const options = statesAfter(ticket).map((one) => [String(one), words[STATES[one]]] as const);
  return html`<label for="ticket-state">${words.ticketState}</label>
    <${Select}
      id="ticket-state"
      value=${String(status)}
      options=${options}
      disabled=${!editable || status === 5}
      change=${(value: string) => void change({ status: Number(value) })}
    />`;
}

function AssigneeField({ ticket, change }: FieldProps): VNode {
  const { desk, words } = useView();
  const { assignee, editable, status } = ticket;
  const { me } = desk;
  const names = useAnswering();
  const value = assignee === null ? "" : (assignee.id ?? "elsewhere");
  const unlisted = assignee !== null && !names.has(value) ? [[value, assignee.name] as const] : [];
  const disabled = !editable || status === 5;
  const takes = !disabled && me !== null && assignee?.id !== me.id;
  return html`<label for="ticket-assignee">${words.assignee}</label>
    <${Select}
      id="ticket-assignee"
      value=${value}
      options=${[["", words.unassigned], ...unlisted, ...names]}
      disabled=${disabled}
      change=${(id: string) => void change({ assignee: id })}
    />
    ${takes && html`<button type="button" onClick=${() => void change({ assignee: me.id })}>${words.take}</button>`}`;
}

function QueueField({
  ticket,
  queues,
  change,
}: FieldProps & { readonly queues: ChatTicketChoices["queues"] }): VNode {
  const { words } = useView();
  return html`<label for="ticket-queue">${words.queue}</label>
    <${Select}
      id="ticket-queue"
      value=${String(ticket.queueId)}
      options=${queues.map(({ id, name }) => [String(id), name])}
      disabled=${!ticket.editable || ticket.status === 5}
      change=${(id: string) => void change({ queue: Number(id) })}
    />`;
}

function TagsField({ ticket, change }: FieldProps): VNode {
  const { words } = useView();
  const field = useRef<HTMLInputElement>(null);
  const now = ticket.tags.join(", ");
  useEffect(() => {
    // The text that is being typed stays.
    const { current } = field;
    if (current !== null && document.activeElement !== current) current.value = now;
  }, [now]);
  const saveTags = ({ currentTarget }: Event): void => {
    // A field that is removed with the focus in it is blurred after its ref is emptied.
    if (!(currentTarget instanceof HTMLInputElement)) return;
    const tags = currentTarget.value.split(",").map((tag) => tag.trim());
    const chosen = [...new Set(tags.filter(Boolean))];
    if (chosen.toSorted().join() !== [...ticket.tags].toSorted().join()) {
      void change({ tags: chosen });
    }
  };
  return html`<label for="ticket-tags">${words.tags}</label>
    <input
      id="ticket-tags"
      ref=${field}
      dir="auto"
      autocomplete="off"
      defaultValue=${now}
      disabled=${!ticket.editable || ticket.status === 5}
      aria-describedby="ticket-tags-about"
      onBlur=${saveTags}
      onKeyDown=${(event: KeyboardEvent) => {
        if (event.key === "Enter") saveTags(event);
      }}
    />
    <p id="ticket-tags-about" class="quiet">${words.tagsHelp}</p>
    <${Tags} tags=${ticket.tags} />`;
}

function PersonFacts({ ticket }: { readonly ticket: ChatTicket }): VNode {
  const { words, language } = useView();
  const { id, user, contact, created } = ticket;
  const spoken = languageOfTicket(ticket, language);
  return html`<dl>
      <dt>${words.name}</dt>
      <dd dir="auto">${user || words.somebody}</dd>
      ${
        contact !== "" &&
        html`<dt>${words.contact}</dt>
          <dd dir="auto"><a href=${linkToMail(contact)}>${contact}</a></dd>`
      }
      ${
        spoken !== "" &&
        html`<dt>${words.chatLanguage}</dt>
          <dd>${spoken}</dd>`
      }
      <dt>${words.opened}</dt>
      <dd>${formatTime(created, language)}</dd>
    </dl>
    <p class="other-chats"><a href=${addressOfAsker(id)}>${words.personHistory}</a></p>`;
}

/** Chats that belong to the ticket, merging, and other tickets of the person. */
function Links({ shown }: { readonly shown: ShownTicket }): VNode {
  const { words, language } = useView();
  const { chats, others, editable, status } = shown.ticket;
  const [merging, setMerging] = useState(false);
  return html`${
    chats.length > 0 &&
    html`<section class="other-chats" aria-labelledby="ticket-chats">
      <h2 id="ticket-chats">${words.chats}</h2>
      <ul>
        ${chats.map(
          ({ id, created }) =>
            html`<li key=${id}><a href=${addressOf(id)}>${formatTime(created, language)}</a></li>`,
        )}
      </ul>
    </section>`
  }
  ${editable && status !== 5 && html`<button type="button" onClick=${() => setMerging(true)}>${words.mergeTicket}</button>`}
  ${
    others.length > 0 &&
    html`<section class="other-chats" aria-labelledby="ticket-others">
      <h2 id="ticket-others">${words.otherTickets}</h2>
      <ul>
        ${others.map(
          ({ id, number, title, status: state }) =>
            html`<li key=${id}>
              <a class="title" href=${`#tickets/${id}`} dir="auto">${title || number}</a>${" "}
              <span class="quiet"><bdi>${number}</bdi> · ${words[STATES[state]]}</span>
            </li>`,
        )}
      </ul>
    </section>`
  }
  ${merging && html`<${MergeDialog} shown=${shown} done=${() => setMerging(false)} />`}`;
}
