import type { VNode } from "preact";
import { html } from "htm/preact";
import type { Publication } from "../../../../api/console.ts";
import type { InsightsAnswer, UsageCounts } from "../../../../api/console-insights.ts";
import { fill, nameLanguage } from "../../../shared/words.ts";
import {
  addDays,
  sumByLine,
  countKnown,
  dateOf,
  formatShare,
  pathOf,
  sumCounts,
} from "../../insights.ts";
import { nameLine } from "../../words.ts";
import { compareShares, wilsonOf } from "../../interval.ts";
import { Pending, useAnswer, useView } from "../context.ts";
import { InsightTable } from "../figures/insight-table.ts";

export interface BeforeAfterProps {
  readonly of: Publication;
}

/** Days on each side of a publication that are compared, without the day of the publication. */
const compared = 28;

/** With fewer readers the interval is too wide to be useful. */
const minReaders = 10;

interface Change {
  readonly line: string;
  readonly locale: string;
  readonly before: UsageCounts;
  readonly after: UsageCounts;
}

/** How many readers a publication's lines did not help, in the weeks before and after it. */
export function BeforeAfter({ of }: BeforeAfterProps): VNode | null {
  const { words, language, bot, channel } = useView();
  const day = dateOf(Date.parse(of.at));
  const asks = { bot, channel, days: false };
  const before = useAnswer<InsightsAnswer>(
    pathOf({ ...asks, from: addDays(day, -compared), to: addDays(day, -1) }),
  );
  const after = useAnswer<InsightsAnswer>(
    pathOf({ ...asks, from: addDays(day, 1), to: addDays(day, compared) }),
  );
  if (before.value === null || after.value === null) {
    return html`<${Pending} of=${before.problem === null ? after : before} />`;
  }
  const [earlier, later] = [sumByLine(before.value), sumByLine(after.value)];
  const lines = new Map(
    of.files.flatMap(({ changes }) =>
      changes.map(({ key, locale }) => [`${key} ${locale}`, { line: key, locale }] as const),
    ),
  );
  const rows = [...lines].map(([key, one]): Change => {
    const none = sumCounts([]);
    return { ...one, before: earlier.get(key) ?? none, after: later.get(key) ?? none };
  });
  const columns = [
    {
      title: words.line,
      of: ({ line, locale }: Change) =>
        fill(words.lineIn, {
          line: nameLine(words, line),
          language: nameLanguage(locale, language),
        }),
    },
    shareColumn(words.before, "before"),
    shareColumn(words.after, "after"),
    {
      title: words.difference,
      of: (one: Change) => {
        if (!isComparable(one)) return words.fewReaders;
        const { difference, least, most } = compareShares(
          [one.before.unrecovered, countKnown(one.before)],
          [one.after.unrecovered, countKnown(one.after)],
        );
        const points = new Intl.NumberFormat(language, {
          style: "percent",
          signDisplay: "exceptZero",
        });
        return `${points.format(difference)} (${points.format(least)} … ${points.format(most)})`;
      },
      number: true,
    },
  ];
  return html`<${InsightTable}
    rows=${rows}
    columns=${columns}
    title=${words.beforeAfter}
    about=${words.beforeAfterAbout}
    file=${`publication-${of.id}`}
  />`;

  function shareColumn(title: string, when: "before" | "after") {
    return {
      title,
      of: (one: Change) => {
        const known = countKnown(one[when]);
        if (known < minReaders) return words.fewReaders;
        const [least, most] = wilsonOf(one[when].unrecovered, known);
        const range = [least, most].map((share) => formatShare(share, language)).join(" … ");
        return `${formatShare(one[when].unrecovered / known, language)} (${range})`;
      },
      number: true,
    };
  }
}

function isComparable({ before, after }: Change): boolean {
  return countKnown(before) >= minReaders && countKnown(after) >= minReaders;
}
