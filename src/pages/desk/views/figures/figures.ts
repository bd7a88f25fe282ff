import type { VNode } from "preact";
import { html } from "htm/preact";
import type { FigureGroup, Figures, SurveyQuestion } from "../../../../api/chat/answers-figures.ts";
import type { FigurePeriod, FigureTable } from "../../../../api/chat/schema-figures.ts";
import { sectionsOf } from "../../state/lists.ts";
import type { Words } from "../../words.ts";
import { nameReason, useView, explainReason } from "../context.ts";
import type { View } from "../context.ts";
import { type Column, formatDuration, formatHour, Table } from "./figure-table.ts";
import { Now, queryOf, nameRoomOf } from "./figures-now.ts";
import { Invitation } from "../chats/list.ts";
import { useAnswer } from "../answer.ts";
import { formatDays, formatNumber } from "../../../shared/format.ts";
import { fill } from "../../../shared/words.ts";

/** The figures of chats and tickets, for agents with the right SUPERVISE. */
export function FiguresView({ period }: { readonly period: FigurePeriod }): VNode {
  const view = useView();
  const { desk, words, language } = view;
  const { invitations } = sectionsOf(desk);
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return html`<main class="figures" aria-labelledby="figures-title">
    <h2 id="figures-title">${words.figures}</h2>
    ${
      invitations.length > 0 &&
      html`<ul class="asked">
        ${invitations.map((one) => html`<${Invitation} key=${one.chat.id} one=${one} />`)}
      </ul>`
    }
    <${Now} zone=${zone} />
    <nav class="views" aria-label=${words.figures}>
      ${PERIODS.map(
        ([one, days]) =>
          html`<a
            class="button"
            href=${`#figures/${one}`}
            aria-current=${one === period ? "true" : undefined}
            >${formatDays(days, language)}</a
          >`,
      )}
    </nav>
    <p class="quiet">${fill(words.figuresAbout, { zone })}</p>
    <${Counted} key=${period} period=${period} zone=${zone} />
  </main>`;
}

/** One of the tables about what began in a period. */
type GroupTable = Extract<FigureTable, `chats${string}` | `tickets${string}`>;

interface CountedProps {
  readonly period: FigurePeriod;
  readonly zone: string;
}

/**
 * Shows the chats and tickets that began in the period. Tables are read one after the other: the
 * event stream needs a connection.
 */
function Counted({ period, zone }: CountedProps): VNode {
  const { desk, acts, words } = useView();
  const query = queryOf(period, zone);
  const tickets: readonly GroupTable[] = [
    "tickets",
    "tickets-by-queue",
    "tickets-by-agent",
    "tickets-by-hour",
  ];
  const chats: readonly GroupTable[] = [
    "chats",
    "chats-by-room",
    "chats-by-agent",
    "chats-by-hour",
    "chats-by-reason",
    "chats-by-closing",
  ];
  const hasTickets = desk.me?.rights.TICKET_VIEW === true;
  const { answer, notice } = useAnswer(async () => {
    const read = new Map<GroupTable, Figures<GroupTable>>();
    for (const table of [...chats, ...(hasTickets ? tickets : [])]) {
      read.set(table, await acts.figures(table, query));
    }
    return { read, surveys: hasTickets ? await acts.figures("surveys", query) : null };
  }, `${period} ${zone} ${hasTickets}`);
  if (answer === null) return html`<section>${notice}</section>`;
  // After a reload the right may become known later than the first answer.
  const createPart = (title: string, tables: readonly GroupTable[]) =>
    tables.every((table) => answer.read.has(table)) &&
    html`<section>
      <h3>${title}</h3>
      ${tables.map((table) => html`<${Group} key=${table} of=${answer.read.get(table)} query=${query} kind=${title} />`)}
    </section>`;
  return html`<div>
    ${notice} ${createPart(words.chats, chats)} ${hasTickets && createPart(words.tickets, tickets)}
    ${answer.surveys !== null && html`<${Surveys} of=${answer.surveys} query=${query} />`}
  </div>`;
}

/** A table's title, and a line on what it counts. */
const ABOUT: Readonly<
  Record<GroupTable, { readonly title?: keyof Words; readonly about?: keyof Words }>
> = {
  chats: { about: "figuresTimes" },
  "chats-by-room": { title: "byRoom" },
  "chats-by-agent": { title: "byAgent", about: "countsFor" },
  "chats-by-hour": { title: "byHour" },
  "chats-by-reason": { title: "byReason" },
  "chats-by-closing": { title: "byClosing" },
  tickets: { about: "figuresTimes" },
  "tickets-by-queue": { title: "byQueue" },
  "tickets-by-agent": { title: "byAgent", about: "countsFor" },
  "tickets-by-hour": { title: "byHour" },
};

interface GroupProps {
  readonly of: Figures<GroupTable>;
  readonly query: string;
  /** Chats or tickets, in words. */
  readonly kind: string;
}

function Group({ of, query, kind }: GroupProps): VNode {
  const view = useView();
  const { words, language } = view;
  const { table } = of;
  const { title, about = "figuresTimes" } = ABOUT[table];
  const ninety = new Intl.NumberFormat(language, { style: "percent" }).format(0.9);
  const createTimeColumn = (
    name: string,
    part: string,
    of: (one: FigureGroup) => number | null,
  ) => ({
    title: `${name} (${part})`,
    of: (one: FigureGroup) => formatDuration(of(one), language),
    number: true,
  });
  const columns: readonly Column<FigureGroup>[] = [
    ...(title === undefined
      ? []
      : [{ title: words.name, of: (one: FigureGroup) => groupTitle(view, table, one) }]),
    { title: words.count, of: (one) => one.count, number: true, bar: true },
    { title: words.answered, of: (one) => one.answered, number: true },
    ...(table.startsWith("chats")
      ? [{ title: words.closedUnanswered, of: (one: FigureGroup) => one.lost, number: true }]
      : []),
    createTimeColumn(words.firstAnswer, words.median, (one) => one.firstMedian),
    createTimeColumn(words.firstAnswer, ninety, (one) => one.firstNinetieth),
    { title: words.solved, of: (one) => one.solved, number: true },
    createTimeColumn(words.solving, words.median, (one) => one.solvingMedian),
    createTimeColumn(words.solving, ninety, (one) => one.solvingNinetieth),
  ];
  return html`<${Table}
    of=${of}
    query=${query}
    title=${title && words[title]}
    label=${title === undefined ? kind : `${kind}: ${words[title]}`}
    about=${fill(words[about], { ninety })}
    nothing=${words.noFigures}
    columns=${columns}
    chart=${table.endsWith("-by-hour")}
  />`;
}

/** Returns the desk's name of a group. */
function groupTitle(view: View, table: GroupTable, one: FigureGroup): string {
  const { words, language } = view;
  const { id, name } = one;
  if (table.endsWith("-by-hour")) return formatHour(Number(id), language);
  if (id === "") return table.endsWith("-by-agent") ? words.unassigned : "–";
  if (table === "chats-by-room") return nameRoomOf(view, one);
  if (table === "chats-by-reason") return explainReason(id, words);
  if (table === "chats-by-closing") return nameReason(id, words);
  return name || id;
}

interface SurveysProps {
  readonly of: Figures<"surveys">;
  readonly query: string;
}

function Surveys({ of, query }: SurveysProps): VNode {
  const { words, language } = useView();
  const columns: readonly Column<SurveyQuestion>[] = [
    { title: words.name, of: (one) => one.name },
    { title: words.question, of: (one) => one.question },
    { title: words.answers, of: (one) => one.answers, number: true },
    { title: words.average, of: (one) => formatNumber(one.average, language), number: true },
    {
      title: "0–10",
      of: (one) => `${formatNumber(one.least, language)}–${formatNumber(one.most, language)}`,
      number: true,
    },
  ];
  return html`<section>
    <h3>${words.satisfaction}</h3>
    <${Table}
      of=${of}
      query=${query}
      label=${words.satisfaction}
      about=${words.satisfactionAbout}
      nothing=${words.noFigures}
      columns=${columns}
    />
  </section>`;
}

/** How many days each period has, with today. */
const PERIODS: readonly (readonly [FigurePeriod, number])[] = [
  ["today", 1],
  ["week", 7],
  ["quarter", 90],
];
