/** Prometheus counters and one histogram; label values come from closed sets only. */
export interface Metrics {
  /** Adds one to `name{labels}`. One counter always has the same labels, in the same order. */
  count(name: CounterName, labels?: Labels): void;
  /** Records a duration in milliseconds under the histogram `afterword_overhead_seconds`. */
  overhead(milliseconds: number): void;
  /** Reads a value when the text is made. */
  gauge(name: string, help: string, read: () => number): void;
  text(): string;
}

export type Labels = Readonly<Record<string, string>>;

/** What is counted for some values of the first labels; `next` has the values of the next label. */
interface Series {
  readonly labels: Labels;
  readonly next: Map<string, Series>;
  value: number;
}

const counters = {
  afterword_requests_total: "Requests by route and status class.",
  afterword_rewrites_total: "Texts replaced, by flag and locale.",
  afterword_gates_total: "Bodies on a rewriting route that were left alone, by reason.",
  afterword_decisions_total: "Decisions in answers that changed nothing, by reason.",
  afterword_unexpected_flags_total: "Flags that came although default content is active, by flag.",
  afterword_discovery_refused_total: "Addresses in apis that are not allowed and stayed as sent.",
  afterword_targets_refused_total: "Request-targets answered 404 for what they spell, by reason.",
  afterword_segments_refused_total:
    "Signed route segments that were forged, unknown or no longer allowed.",
  afterword_overload_total: "Requests answered 503 because too much was under way.",
  afterword_clients_limited_total:
    "Of these, requests of clients that had their share of the places already.",
  afterword_upstream_failures_total: "Upstream exchanges that failed, by kind.",
  afterword_callers_total:
    "Requests that bring no credentials of their own, by caller and outcome.",
  afterword_escalations_total: "Triggers that fired, by trigger and what came of it.",
  afterword_escalation_failures_total: "Work on an escalation that failed and is tried again.",
  afterword_webhooks_refused_total: "Events of the chat service whose signature did not fit.",
  afterword_loops_total: "Requests that had passed this gateway before.",
  afterword_memory_failures_total: "Conversation memory that could not be read or written.",
  afterword_reloads_total: "Times the configuration was read again, by result: ok or failed.",
  afterword_content_reloads_total:
    "Times changed contents of the embedded backend were read, by result: ok or failed.",
  afterword_internal_errors_total: "Faults of our own that were caught; the original went out.",
} as const;

export type CounterName = keyof typeof counters;

const isCounter = (name: string): name is CounterName => Object.hasOwn(counters, name);
const counterNames = Object.keys(counters).filter(isCounter);

/** Upper bounds in seconds. The interesting part is between 10 us and 5 ms. */
const bounds = [
  0.00001, 0.000025, 0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.25, 1,
];

export function createMetrics(): Metrics {
  const counted = new Map<CounterName, Series>();
  const gauges: { readonly name: string; readonly help: string; readonly read: () => number }[] =
    [];
  const buckets = new Float64Array(bounds.length + 1);
  let sum = 0;

  return {
    count(name, labels = {}) {
      let series = counted.get(name);
      if (series === undefined) counted.set(name, (series = newSeries({})));
      for (const label in labels) series = nextSeries(series, labels[label] ?? "", labels);
      series.value++;
    },
    overhead(milliseconds) {
      const seconds = Math.max(0, milliseconds) / 1000;
      sum += seconds;
      let slot = 0;
      while (slot < bounds.length && seconds > (bounds[slot] ?? 0)) slot++;
      buckets[slot] = (buckets[slot] ?? 0) + 1;
    },
    gauge(name, help, read) {
      gauges.push({ name, help, read });
    },
    text() {
      return [...counterLines(), ...histogramLines(), ...gaugeLines(), ""].join("\n");
    },
  };

  function* counterLines(): Generator<string> {
    for (const name of counterNames) {
      const help = counters[name];
      yield `# HELP ${name} ${help}`;
      yield `# TYPE ${name} counter`;
      const series = counted.get(name);
      if (series === undefined) yield `${name} 0`;
      else yield* linesOf(name, series);
    }
  }

  function* histogramLines(): Generator<string> {
    const name = "afterword_overhead_seconds";
    yield `# HELP ${name} Time an answer spent in the gateway: total minus the wait for the upstream.`;
    yield `# TYPE ${name} histogram`;
    let total = 0;
    for (const [slot, bound] of bounds.entries()) {
      total += buckets[slot] ?? 0;
      yield `${name}_bucket{le="${bound}"} ${total}`;
    }
    total += buckets[bounds.length] ?? 0;
    yield `${name}_bucket{le="+Inf"} ${total}`;
    yield `${name}_sum ${sum}`;
    yield `${name}_count ${total}`;
  }

  function* gaugeLines(): Generator<string> {
    for (const { name, help, read } of gauges) {
      yield `# HELP ${name} ${help}`;
      yield `# TYPE ${name} gauge`;
      yield `${name} ${read()}`;
    }
  }
}

function newSeries(labels: Labels): Series {
  return { labels, next: new Map(), value: 0 };
}

function nextSeries({ next }: Series, value: string, labels: Labels): Series {
  let series = next.get(value);
  if (series === undefined) next.set(value, (series = newSeries(labels)));
  return series;
}

function* linesOf(name: string, { labels, next, value }: Series): Generator<string> {
  if (next.size === 0) yield `${name}${labelText(labels)} ${value}`;
  for (const series of next.values()) yield* linesOf(name, series);
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => {
    const escaped = value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
    return `${name}="${escaped}"`;
  });
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}
