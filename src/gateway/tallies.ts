import type { CounterName, Metrics, Series } from "./metrics.ts";

/** The counters that every message adds to, found by constant words instead of a text of labels. */
export interface Tallies {
  /** `status` as a number; counted is its class. */
  request(route: string, status: number): void;
  gate(route: string, reason: string): void;
  rewrite(flag: string, locale: string): void;
  decision(reason: string): void;
}

export function createTallies(metrics: Metrics): Tallies {
  const requests = createPairs(metrics, "afterword_requests_total", "route", "status");
  const gates = createPairs(metrics, "afterword_gates_total", "route", "reason");
  const rewrites = createPairs(metrics, "afterword_rewrites_total", "flag", "locale");
  const decisions = new Map<string, Series>();
  return {
    request: (route, status) => requests(route, classes[Math.floor(status / 100)] ?? "0xx"),
    gate: gates,
    rewrite: rewrites,
    decision(reason) {
      let series = decisions.get(reason);
      if (series === undefined) {
        series = metrics.series("afterword_decisions_total", { reason });
        decisions.set(reason, series);
      }
      series.value++;
    },
  };
}

const classes = Array.from({ length: 10 }, (_, first) => `${first}xx`);

/**
 * A counter with two labels. Their values come from closed sets, so that nothing here grows without
 * end.
 */
function createPairs(
  metrics: Metrics,
  name: CounterName,
  first: string,
  second: string,
): (one: string, other: string) => void {
  const known = new Map<string, Map<string, Series>>();
  return (one, other) => {
    let row = known.get(one);
    if (row === undefined) known.set(one, (row = new Map()));
    let series = row.get(other);
    if (series === undefined) {
      series = metrics.series(name, { [first]: one, [second]: other });
      row.set(other, series);
    }
    series.value++;
  };
}
