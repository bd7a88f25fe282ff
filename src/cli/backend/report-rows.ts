import type { ReportedEvent } from "./reported-events.ts";

export type ReportBy = "day" | "type" | "content";

/** One line of a report. */
export interface ReportRow {
  /** A day as YYYY-MM-DD (UTC), a product with a type of event, or the id of a content. */
  readonly label: string;
  readonly events: number;
  readonly sessions: number;
  readonly clicks: number;
  readonly positive: number;
  readonly negative: number;
  /** Ratings that are neither. */
  readonly others: number;
}

/** Ids of ratings. */
export interface RatingIds {
  readonly positive: ReadonlySet<string>;
  readonly negative: ReadonlySet<string>;
}

/**
 * Counts events by day, days without events included; or by type or content, the most frequent
 * first.
 */
export async function countEvents(
  events: AsyncIterable<ReportedEvent>,
  by: ReportBy,
  { positive, negative }: RatingIds,
): Promise<readonly ReportRow[]> {
  const counts = new Map<string, Counted>();
  // A client sends a rating again with a comment, or when the reader changes it: the last one counts.
  const ratings = new Map<string, { readonly label: string; readonly value: string }>();
  for await (const event of events) {
    const label = labelOf[by](event);
    if (label === null) continue;
    const counted = counts.get(label) ?? { events: 0, clicks: 0, sessions: new Set<string>() };
    counts.set(label, counted);
    counted.events += 1;
    if (event.clicked) counted.clicks += 1;
    if (event.session !== null) counted.sessions.add(event.session);
    const { rating, product } = event;
    if (rating !== null) ratings.set(`${product} ${rating.about}`, { label, value: rating.value });
  }
  const rated = Map.groupBy(ratings.values(), ({ label }) => label);
  const rows = [...counts].map(([label, { events, clicks, sessions }]): ReportRow => {
    const values = (rated.get(label) ?? []).map(({ value }) => value);
    const good = values.filter((value) => positive.has(value)).length;
    const bad = values.filter((value) => negative.has(value)).length;
    return {
      label,
      events,
      sessions: sessions.size,
      clicks,
      positive: good,
      negative: bad,
      others: values.length - good - bad,
    };
  });
  return by === "day"
    ? addEmptyDays(rows)
    : rows.toSorted((a, b) => b.events - a.events || a.label.localeCompare(b.label, "en"));
}

interface Counted {
  events: number;
  clicks: number;
  readonly sessions: Set<string>;
}

const labelOf: Readonly<Record<ReportBy, (event: ReportedEvent) => string | null>> = {
  day: ({ at }) => dayOf(at),
  type: ({ product, type }) => `${product} ${type}`,
  content: ({ content }) => (content === null ? null : String(content)),
};

const dayLength = 86_400_000;
/** Beyond ten years, days without events are left out. */
const maxDays = 3660;

function addEmptyDays(rows: readonly ReportRow[]): readonly ReportRow[] {
  const byDay = new Map(rows.map((row) => [row.label, row]));
  const days = [...byDay.keys()].toSorted();
  const first = Date.parse(days[0] ?? "");
  const length = (Date.parse(days.at(-1) ?? "") - first) / dayLength + 1;
  const all =
    length <= maxDays
      ? Array.from({ length }, (_, index) => dayOf(first + index * dayLength))
      : days;
  return all.map((label) => byDay.get(label) ?? { label, ...NO_EVENTS });
}

const NO_EVENTS = { events: 0, sessions: 0, clicks: 0, positive: 0, negative: 0, others: 0 };

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
