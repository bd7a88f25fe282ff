import type { VNode } from "preact";
import { html } from "htm/preact";
import type {
  AgentLoad,
  WaitingGroup,
  WaitingPerson,
} from "../../../../api/chat/answers-figures.ts";
import type { FigurePeriod } from "../../../../api/chat/schema-figures.ts";
import { addressOf } from "../../saved.ts";
import type { Words } from "../../words.ts";
import { useNow } from "../clock.ts";
import { nameRoom, formatSince, useView, waitClass } from "../context.ts";
import type { View } from "../context.ts";
import { type Column, Table } from "./figure-table.ts";
import { useAnswer } from "../answer.ts";
import { fill } from "../../../shared/words.ts";

/** Milliseconds between two reads of the figures. */
const REFRESH_INTERVAL = 10_000;

/** Shows who waits at this moment, and who is there to answer. */
export function Now({ zone }: { readonly zone: string }): VNode {
  const view = useView();
  const { desk, acts, words, language } = view;
  const now = useNow(REFRESH_INTERVAL);
  const hasTickets = desk.me?.rights.TICKET_VIEW === true;
  const query = queryOf("today", zone);
  const { answer, notice } = useAnswer(
    async () => ({
      people: await acts.figures("waiting", query),
      rooms: await acts.figures("waiting-by-room", query),
      queues: hasTickets ? await acts.figures("waiting-by-queue", query) : null,
      agents: await acts.figures("agents", query),
    }),
    String(now),
  );
  if (answer === null) return html`<section>${notice}</section>`;
  const { people, rooms, queues, agents } = answer;
  // The table of people names the first hundred of them.
  const groups = [...rooms.rows, ...(queues?.rows ?? [])];
  const count = groups.reduce((sum, { first, reply }) => sum + first + reply, 0);
  const named = rooms.rows.map((one) => ({ ...one, name: nameRoomOf(view, one) }));
  const showSince = (seconds: number | null): VNode | string =>
    seconds === null
      ? "–"
      : html`<time class=${waitClass(seconds, now)}>${formatSince(seconds, language, now)}</time>`;
  return html`<section aria-labelledby="figures-now">
    <h3 id="figures-now">${words.waiting} <span class="count">${count}</span></h3>
    ${notice}
    <${Table}
      of=${people}
      query=${query}
      label=${words.waiting}
      about=${words.waitsAbout}
      nothing=${words.noWaiting}
      columns=${createPeopleColumns(words, showSince)}
    />
    <div class="beside">
      <${Table}
        of=${{ ...rooms, rows: named }}
        query=${query}
        title=${words.byRoom}
        label=${`${words.waiting}: ${words.byRoom}`}
        columns=${createGroupColumns(words, showSince, ["unattended", "waitsReply"])}
      />
      ${
        queues !== null &&
        html`<${Table}
          of=${queues}
          query=${query}
          title=${words.byQueue}
          label=${`${words.waiting}: ${words.byQueue}`}
          columns=${createGroupColumns(words, showSince, ["ticketNew"])}
        />`
      }
      <${Table}
        of=${agents}
        query=${query}
        title=${words.agents}
        label=${words.agents}
        columns=${createAgentColumns(words)}
      />
    </div>
  </section>`;
}

type ShowSince = (seconds: number | null) => VNode | string;

function createPeopleColumns(words: Words, showSince: ShowSince): readonly Column<WaitingPerson>[] {
  return [
    { title: words.name, of: (one) => linkOf(one, words) },
    { title: words.ticketState, of: (one) => words[WAITS_FOR[one.kind]] },
    { title: words.rooms, of: (one) => one.room },
    { title: words.agents, of: (one) => one.agent || words.unassigned },
    { title: words.waiting, of: (one) => showSince(one.since) },
  ];
}

/** @param titles of the count of chats without an answer or new tickets, and that of other chats */
function createGroupColumns(
  words: Words,
  showSince: ShowSince,
  [first, reply]: readonly [keyof Words, (keyof Words)?],
): readonly Column<WaitingGroup>[] {
  return [
    { title: words.name, of: (one) => one.name || one.id },
    { title: words[first], of: (one) => one.first, number: true },
    ...(reply === undefined
      ? []
      : [{ title: words[reply], of: (one: WaitingGroup) => one.reply, number: true }]),
    { title: words.waiting, of: (one) => showSince(one.since) },
  ];
}

function createAgentColumns(words: Words): readonly Column<AgentLoad>[] {
  return [
    { title: words.name, of: (one) => one.name },
    { title: words.status, of: (one) => words[one.status] },
    { title: words.chats, of: (one) => fill(words.load, { count: one.load, most: one.slots }) },
  ];
}

const WAITS_FOR = { first: "unattended", reply: "waitsReply", ticket: "ticketNew" } as const;

function linkOf({ id, name, kind }: WaitingPerson, words: Words): VNode {
  const address = kind === "ticket" ? `#tickets/${id}` : addressOf(id);
  return html`<a href=${address}><bdi>${name || words.somebody}</bdi></a>`;
}

/** Names a room, by its number where it has no name. */
export function nameRoomOf(view: View, { id, name }: Pick<WaitingGroup, "id" | "name">): string {
  return name === "" || name === id ? nameRoom(view, id) : name;
}

/** Writes the query of a table. */
export function queryOf(period: FigurePeriod, zone: string): string {
  return `period=${period}&timeZone=${encodeURIComponent(zone)}`;
}
