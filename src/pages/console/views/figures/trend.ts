import type { VNode } from "preact";
import { html } from "htm/preact";
import { useState } from "preact/hooks";
import type { InsightsAnswer } from "../../../../api/console-insights.ts";
import { Select } from "../../../shared/fields.ts";
import { ColumnChart } from "../../../shared/figures.ts";
import {
  addDays,
  dateOf,
  formatShare,
  lostShareOf,
  type Period,
  sumCounts,
} from "../../insights.ts";
import { describeUse } from "../../words.ts";
import { useView } from "../context.ts";
import { InsightTable } from "./insight-table.ts";

interface TrendProps {
  readonly of: InsightsAnswer;
  readonly period: Period;
}

/** Shows how often one line, or all lines, were used each day; for a year, each week. */
export function Trend({ of, period }: TrendProps): VNode {
  const { words, language } = useView();
  const [line, choose] = useState("");
  const lines = [...new Set(of.days.map((day) => day.line))].toSorted();
  const buckets = fillBuckets(of, period, line);
  const date: Intl.DateTimeFormatOptions = {
    day: "numeric",
    month: "short",
    timeZone: "UTC",
    ...(period === 365 && { year: "numeric" }),
  };
  const nameBy = (options: Intl.DateTimeFormatOptions): ((bucket: Bucket) => string) => {
    const format = new Intl.DateTimeFormat(language, options);
    return ({ from }) => format.format(Date.parse(from));
  };
  const nameOf = nameBy(date);
  const columns = [
    {
      title: words.day,
      of: period === 365 ? nameOf : nameBy({ ...date, weekday: "short" }),
      saved: ({ from }: Bucket) => from,
    },
    { title: words.timesSaid, of: ({ said }: Bucket) => said, number: true },
    {
      title: words.notHelped,
      of: ({ lost }: Bucket) => lost,
      number: true,
    },
    {
      title: "%",
      of: ({ share }: Bucket) => (share === null ? "–" : formatShare(share, language)),
      number: true,
    },
  ];
  const chart = html`<div>
    <p class="legend">
      <span>${words.timesSaid}</span> <span class="alarm">${words.notHelped}</span>
    </p>
    <${ColumnChart}
      columns=${buckets.map((bucket) => ({ name: nameOf(bucket), height: bucket.said, alarm: bucket.lost }))}
      every=${Math.ceil(buckets.length / 4)}
    />
  </div>`;
  return html`<section class="trend">
    <label class="choice-of">
      <span>${words.line}</span>
      <${Select}
        value=${line}
        options=${[["", words.everyLine], ...lines.map((one) => [one, describeUse(words, one) ?? one])]}
        change=${choose}
      />
    </label>
    <${InsightTable}
      rows=${of.days.length === 0 ? [] : buckets}
      columns=${columns}
      title=${words.overTime}
      file="days"
      chart=${buckets.length > 1 ? chart : undefined}
    />
  </section>`;
}

interface Bucket {
  readonly from: string;
  readonly said: number;
  readonly lost: number;
  readonly share: number | null;
}

/** Sums up the days of a period, those without counts too; a year has weeks. */
function fillBuckets({ days }: InsightsAnswer, period: Period, line: string): readonly Bucket[] {
  const length = period === 365 ? 7 : 1;
  const last = dateOf(Date.now());
  const count = Math.ceil(period / length);
  const first = addDays(last, 1 - count * length);
  const found = Map.groupBy(
    days.filter((one) => line === "" || one.line === line),
    ({ day }) => Math.floor((Date.parse(day) - Date.parse(first)) / (86_400_000 * length)),
  );
  return Array.from({ length: count }, (_, at) => {
    const sums = sumCounts(found.get(at) ?? []);
    const from = addDays(first, at * length);
    return { from, said: sums.said, lost: sums.unrecovered, share: lostShareOf(sums) };
  });
}
