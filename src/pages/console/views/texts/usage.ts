import type { VNode } from "preact";
import { html } from "htm/preact";
import { useMemo, useState } from "preact/hooks";
import type { InsightsAnswer, UsageCounts } from "../../../../api/console-insights.ts";
import { Select } from "../../../shared/fields.ts";
import { formatDays, formatNumber } from "../../../shared/format.ts";
import { fill } from "../../../shared/words.ts";
import {
  sumByLine,
  formatShare,
  lostShareOf,
  pathOfPeriod,
  type Period,
  PERIODS,
  rankOf,
  toPeriod,
} from "../../insights.ts";
import { useAnswer, useView } from "../context.ts";

const ORDERS = ["orderUsual", "orderSaid", "orderWeak"] as const;
export type Order = (typeof ORDERS)[number];

/** Sorts lines by what readers of a language did; equal lines keep their order. */
export function sortLines(
  lines: readonly string[],
  order: Order,
  countsOf: (line: string) => UsageCounts | undefined,
): readonly string[] {
  if (order === "orderUsual") return lines;
  const rank = (line: string): number => {
    const counts = countsOf(line);
    if (counts === undefined) return 0;
    return order === "orderSaid" ? counts.said : rankOf(counts);
  };
  return lines.toSorted((one, other) => rank(other) - rank(one));
}

/** Reads how often the lines of a bot were used, in a chosen period. */
export function useUsage() {
  const { bot, channel, session } = useView();
  const [period, choosePeriod] = useState<Period>(30);
  const [order, chooseOrder] = useState<Order>("orderUsual");
  const counts = useAnswer<InsightsAnswer>(
    session.insights ? pathOfPeriod(period, { bot, channel }, false) : null,
  );
  const counted = counts.value;
  const byLine = useMemo(() => sumByLine(counted), [counted]);
  return { counts, byLine, period, choosePeriod, order, chooseOrder };
}

interface UsageChoiceProps {
  readonly period: Period;
  readonly choosePeriod: (period: Period) => void;
  readonly order: Order;
  readonly chooseOrder: (order: Order) => void;
}

/** Chooses the period of the figures beside the sentences, and sorts by them. */
export function UsageChoice({ period, choosePeriod, order, chooseOrder }: UsageChoiceProps): VNode {
  const { words } = useView();
  const toOrder = (text: string): Order => ORDERS.find((one) => one === text) ?? "orderUsual";
  return html`<label>
      <span>${words.period}</span>
      <${PeriodSelect} period=${period} choose=${choosePeriod} />
    </label>
    <label>
      <span>${words.order}</span>
      <${Select}
        value=${order}
        options=${ORDERS.map((one) => [one, words[one]])}
        change=${(name: string) => chooseOrder(toOrder(name))}
      />
    </label>`;
}

interface PeriodProps {
  readonly period: Period;
  readonly choose: (period: Period) => void;
}

/** Chooses the period of figures. */
export function PeriodSelect({ period, choose }: PeriodProps): VNode {
  const { language } = useView();
  return html`<${Select}
    value=${String(period)}
    options=${PERIODS.map((days) => [String(days), formatDays(days, language)])}
    change=${(days: string) => choose(toPeriod(days))}
  />`;
}

/** How often a sentence was used, and how many of its readers were helped. */
export function Usage({ of }: { readonly of: UsageCounts | undefined }): VNode {
  const { words, language } = useView();
  const count = formatNumber(of?.said ?? 0, language);
  const lost = of === undefined ? null : lostShareOf(of);
  return html`<span class="said-count">
    ${
      lost === null
        ? fill(words.saidOnly, { count })
        : fill(words.saidHelped, { count, share: formatShare(1 - lost, language) })
    }
  </span>`;
}
