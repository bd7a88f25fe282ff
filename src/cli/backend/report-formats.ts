import type { Terminal } from "../command.ts";
import { chartOf } from "./report-chart.ts";
import { csvOf } from "./report-csv.ts";
import type { ReportBy, ReportRow } from "./report-rows.ts";
import type { ReportedEvent } from "./reported-events.ts";
import { tableOf } from "./table.ts";

/** Something in each of the formats. */
type Formats<Write> = Readonly<Record<"text" | "csv" | "json", Write>>;

export interface Grouping {
  readonly by: ReportBy;
  /** Titles of contents by id; null when rows are none. */
  readonly titles: ReadonlyMap<string, string> | null;
}

/** What `backend report` prints of counts. */
export const writeCounts: Formats<
  (rows: readonly ReportRow[], grouping: Grouping, to: Terminal) => string
> = {
  text(rows, { by, titles }, terminal) {
    if (rows.length === 0) return "no events\n";
    const named = rows.map((row) => ({
      ...row,
      label: `${row.label} ${titles?.get(row.label) ?? ""}`.trimEnd(),
    }));
    return chartOf(by.toUpperCase(), named, terminal);
  },
  csv: (rows, { by, titles }) =>
    csvOf(
      [
        by,
        ...(titles === null ? [] : ["title"]),
        "events",
        "sessions",
        "clicks",
        "positive",
        "negative",
        "other ratings",
      ],
      rows.map((row) => [
        row.label,
        ...(titles === null ? [] : [titles.get(row.label) ?? ""]),
        row.events,
        row.sessions,
        row.clicks,
        row.positive,
        row.negative,
        row.others,
      ]),
    ),
  json: (rows, { by, titles }) => {
    const named = rows.map(({ label, ...row }) => ({
      [by]: label,
      ...(titles !== null && { title: titles.get(label) ?? null }),
      ...row,
    }));
    return `${JSON.stringify({ by, rows: named }, null, 2)}\n`;
  },
};

/** What `backend report --session` prints. */
export const writeSession: Formats<(events: readonly ReportedEvent[], to: Terminal) => string> = {
  text: (events, terminal) =>
    events.length === 0
      ? ""
      : tableOf(
          ["TIME", "PRODUCT", "TYPE", "CONTENT", "RATING", "DATA"],
          events.map((event) => [
            timeOf(event).slice(0, 19),
            event.product,
            event.type,
            String(event.content ?? "-"),
            event.rating?.value ?? "-",
            event.text ?? event.data,
          ]),
          terminal.columns,
        ),
  csv: (events) =>
    csvOf(
      ["time", "project", "product", "type", "content", "rating", "text", "data"],
      events.map((event) => [
        timeOf(event),
        event.project,
        event.product,
        event.type,
        event.content,
        event.rating?.value ?? null,
        event.text,
        event.data,
      ]),
    ),
  json: (events) =>
    `${JSON.stringify(
      events.map((event) => ({
        time: timeOf(event),
        project: event.project,
        product: event.product,
        type: event.type,
        content: event.content,
        rating: event.rating?.value ?? null,
        text: event.text,
        data: parsed(event.data),
      })),
      null,
      2,
    )}\n`,
};

function timeOf({ at }: ReportedEvent): string {
  return new Date(at).toISOString();
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}
