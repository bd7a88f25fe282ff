import type { VNode } from "preact";
import { html } from "htm/preact";
import type { ChatTicketChoices } from "../../../../api/chat/answers-tickets.ts";
import type { TicketOrder, TicketView } from "../../../../api/chat/states.ts";
import { useView } from "../context.ts";
import { SearchField } from "../chats/list.ts";
import { type Options, Select } from "../../../shared/fields.ts";
import { useAnswering } from "./ticket-parts.ts";

/** The filter of the list of tickets, as the service reads it. An empty string filters nothing. */
export interface TicketListFilter {
  readonly search: string;
  readonly view: TicketView;
  readonly order: TicketOrder;
  readonly queue: string;
  readonly tag: string;
  readonly agent: string;
}

interface TicketFilterProps {
  readonly filter: TicketListFilter;
  readonly change: (next: Partial<TicketListFilter>) => void;
  readonly choices: Pick<ChatTicketChoices, "queues" | "tags">;
}

/** A search, a choice of queues for an agent who reads several, and further filters. */
export function TicketFilter({ filter, change, choices }: TicketFilterProps): VNode {
  const { words } = useView();
  const answering = useAnswering();
  const queues = choices.queues.filter(({ readable }) => readable);
  // A tag that the address names may be on no other ticket.
  const tags = [...new Set([filter.tag, ...choices.tags])].filter(Boolean);
  const createChoice = (name: "queue" | "tag" | "agent", label: string, options: Options): VNode =>
    html`<${Select}
      aria-label=${label}
      value=${filter[name]}
      options=${options}
      change=${(value: string) => change({ [name]: value })}
    />`;
  return html`<${SearchField}
      label=${words.searchTickets}
      value=${filter.search}
      change=${(search: string) => change({ search })}
    />
    ${
      queues.length > 1 &&
      createChoice("queue", words.queue, [
        ["", words.anyQueue],
        ...queues.map(({ id, name }) => [String(id), name] as const),
      ])
    }
    ${tags.length > 0 && createChoice("tag", words.tags, [["", words.anyTag], ...tags])}
    <details class="filters">
      <summary>${words.filters}</summary>
      ${createChoice("agent", words.assignee, [["", words.anyAgent], ...answering])}
      <label class="choice">
        <input
          type="checkbox"
          checked=${filter.order === "oldest"}
          onChange=${() => change({ order: filter.order === "oldest" ? "newest" : "oldest" })}
        />
        ${words.oldestChange}
      </label>
    </details>`;
}
