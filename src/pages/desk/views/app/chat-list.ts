import type { VNode } from "preact";
import { html } from "htm/preact";
import { useMemo, useState } from "preact/hooks";
import type { ChatAgent } from "../../../../api/chat/answers.ts";
import {
  type ChatView,
  isFull,
  type ListFilter,
  NO_FILTER,
  queuePositionsOf,
  queryOf,
  sectionsOf,
} from "../../state/lists.ts";
import type { Words } from "../../words.ts";
import { useNow } from "../clock.ts";
import { REASONS, nameReason, nameRoom, useView, WHY_NAMES, explainReason } from "../context.ts";
import { FoundChats, FoundTickets } from "./found.ts";
import { Count, Invitations, Mine, SearchField, Waiting } from "../chats/list.ts";
import { type Options, Select, valueOf } from "../../../shared/fields.ts";
import { LANGUAGES, nameLanguage } from "../../../shared/words.ts";

/** The views with their titles, and the status by which the service filters their chats; empty for all. */
const VIEWS: readonly (readonly [ChatView, keyof Words, string])[] = [
  ["open", "openChats", "open"],
  ["waiting", "waiting", "unattended"],
  ["closed", "closedChats", "closed"],
  ["all", "allChats", ""],
];

/** Shows the chats that need this agent, or those that a filter or another view finds. */
export function ChatList(): VNode {
  const { desk, words } = useView();
  const [filter, setFilter] = useState<ListFilter>(NO_FILTER);
  const [chosen, setChosen] = useState<ChatView | null>(null);
  const query = queryOf(filter);
  const { tag = "", ...chatQuery } = query;
  const { room: _, reason: __, ...ticketQuery } = query;
  const isFiltered = Object.keys(query).length > 0;
  // A search covers all chats, unless the agent has chosen a list.
  const view = chosen ?? (isFiltered ? "all" : "open");
  const [, title = "openChats", status = ""] = VIEWS.find(([one]) => one === view) ?? [];
  // Without a search, the open chats are where an agent begins.
  const choose = (one: ChatView) => () => setChosen(one === "open" && !isFiltered ? null : one);
  const isLive = !isFiltered && (view === "open" || view === "waiting");
  return html`<nav class="list" aria-label=${words.chats}>
    <${FilterFields} filter=${filter} change=${setFilter} />
    <div class="views" role="group" aria-label=${words.chats}>
      ${VIEWS.map(
        ([one, name]) =>
          html`<button type="button" aria-pressed=${one === view} onClick=${choose(one)}>
            ${words[name]}
          </button>`,
      )}
    </div>
    <${Invitations} />
    ${
      tag === "" &&
      (isLive
        ? html`<${LiveChats} view=${view} />`
        : html`<${FoundChats}
            key=${view}
            title=${status === "" ? words.chats : words[title]}
            query=${{ ...chatQuery, ...(status !== "" && { status }) }}
          />`)
    }
    ${
      (query["search"] ?? "") + tag !== "" &&
      desk.me?.rights.TICKET_VIEW === true &&
      html`<${FoundTickets} query=${ticketQuery} />`
    }
  </nav>`;
}

/** Lists this agent's chats and those that wait. Events keep the lists up to date. */
function LiveChats({ view }: { readonly view: ChatView }): readonly VNode[] {
  const { desk, words } = useView();
  const { mine, waiting } = useMemo(() => sectionsOf(desk), [desk.chats, desk.me]);
  const positions = useMemo(() => queuePositionsOf(desk), [desk.chats]);
  const now = useNow(30_000);
  const own = html`<section aria-labelledby="list-mine">
    <h2 id="list-mine">${words.mine} <${Count} of=${mine} /></h2>
    ${mine.length === 0 && html`<p class="quiet">${desk.listed ? words.noMine : words.loading}</p>`}
    <ul>
      ${mine.map((one) => html`<${Mine} key=${one.chat.id} one=${one} now=${now} />`)}
    </ul>
  </section>`;
  const free = html`<section aria-labelledby="list-waiting">
    <h2 id="list-waiting">${words.waiting} <${Count} of=${waiting} /></h2>
    ${waiting.length === 0 && desk.listed && html`<p class="quiet">${words.noWaiting}</p>`}
    ${waiting.length > 0 && isFull(desk) && html`<p id="no-slot" class="quiet">${words.noSlot}</p>`}
    <ul>
      ${waiting.map(
        (one) =>
          html`<${Waiting}
            key=${one.chat.id}
            one=${one}
            position=${positions.get(one.chat.id)}
            now=${now}
          />`,
      )}
    </ul>
  </section>`;
  return view === "waiting" ? [free] : [own, free];
}

interface FilterProps {
  readonly filter: ListFilter;
  readonly change: (filter: ListFilter) => void;
}

/** Shows a search field, a choice of rooms for an agent who has several, and further filters. */
function FilterFields({ filter, change }: FilterProps): VNode {
  const view = useView();
  const { desk, words } = view;
  // The service finds only chats of the agent's rooms.
  const rooms = desk.rooms.filter(({ id }) => desk.me?.rooms.includes(id) === true);
  const set = (name: keyof ListFilter) => (value: string) => change({ ...filter, [name]: value });
  return html`<div class="filter" role="search">
    <${SearchField} label=${words.search} value=${filter.search} change=${set("search")} />
    ${
      rooms.length > 1 &&
      html`<${Select}
        aria-label=${words.rooms}
        value=${filter.room}
        options=${[["", words.allRooms], ...rooms.map(({ id }) => [id, nameRoom(view, id)])]}
        change=${set("room")}
      />`
    }
    <${MoreFilters} filter=${filter} set=${set} />
  </div>`;
}

interface MoreFiltersProps {
  readonly filter: ListFilter;
  readonly set: (name: keyof ListFilter) => (value: string) => void;
}

/** Shows the filters by agent, language, reason, tag and day. */
function MoreFilters({ filter, set }: MoreFiltersProps): VNode {
  const { desk, acts, words, language } = useView();
  const [tags, setTags] = useState<readonly string[]>([]);
  const [agents, setAgents] = useState<readonly ChatAgent[] | null>(null);
  const handleToggle = ({ currentTarget }: Event): void => {
    if (!(currentTarget instanceof HTMLDetailsElement && currentTarget.open)) return;
    // The other filters work without the agents, so a failure is ignored.
    if (agents === null) void acts.colleagues().then(setAgents, () => undefined);
    const seesTickets = desk.me?.rights.TICKET_VIEW === true;
    if (seesTickets)
      void acts.tickets.choices().then(
        ({ tags: used }) => setTags(used),
        () => undefined,
      );
  };
  const people = [...(desk.me === null ? [] : [desk.me]), ...(agents ?? [])];
  const languages = LANGUAGES.map((tag) => [tag, nameLanguage(tag, language)] as const);
  const reasons = [
    ...WHY_NAMES.map((name) => [name, explainReason(name, words)] as const),
    ...[...Object.keys(REASONS), "inactivity", "unanswered"].map(
      (name) => [name, nameReason(name, words)] as const,
    ),
  ];
  const createChoice = (
    name: "agent" | "lang" | "reason" | "tag",
    any: string,
    options: Options,
  ): VNode =>
    html`<${Select}
      aria-label=${any}
      value=${filter[name]}
      options=${[["", any], ...options]}
      change=${set(name)}
    />`;
  const createDay = (name: "since" | "until", label: string): VNode =>
    html`<label>
      <span>${label}</span>
      <input
        type="date"
        value=${filter[name]}
        onChange=${(event: Event) => set(name)(valueOf(event))}
      />
    </label>`;
  return html`<details class="filters" onToggle=${handleToggle}>
    <summary>${words.filters}</summary>
    ${createChoice(
      "agent",
      words.anyAgent,
      people.map(({ id, name, nickname }) => [id, nickname || name]),
    )}
    ${createChoice("lang", words.anyLanguage, languages)}
    ${createChoice("reason", words.anyReason, reasons)}
    ${tags.length > 0 && createChoice("tag", words.anyTag, tags)}
    <div class="days">
      ${createDay("since", words.fromDay)} ${createDay("until", words.untilDay)}
    </div>
  </details>`;
}
