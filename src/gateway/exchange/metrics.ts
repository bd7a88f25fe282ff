/** Prometheus counters and one histogram; label values come from closed sets only. */
export interface Metrics {
  /** Adds one to the counter with these values of its labels, in their order. */
  count<Name extends CounterName>(name: Name, ...values: ValuesOf<Name>): void;
  /** Adds a number to the counter. */
  add<Name extends CounterName>(many: number, name: Name, ...values: ValuesOf<Name>): void;
  /** Records a duration in milliseconds under the histogram `afterword_overhead_seconds`. */
  overhead(milliseconds: number): void;
  /** Reads a value when the text is made. */
  gauge(name: string, help: string, read: () => number): void;
  text(): string;
}

/** The counts for some values of the first labels; `next` has the values of the next label. */
interface Series {
  readonly next: Map<string, Series>;
  value: number;
}

/** The counters and their labels. */
const counters = {
  afterword_requests_total: {
    labels: ["route", "status"],
    help: "Requests by route and status class.",
  },
  afterword_rewrites_total: {
    labels: ["flag", "locale"],
    help: "Texts replaced, by flag and locale.",
  },
  afterword_gates_total: {
    labels: ["route", "reason"],
    help: "Bodies on a rewriting route that were left alone, by reason.",
  },
  afterword_decisions_total: {
    labels: ["reason"],
    help: "Decisions in answers that changed nothing, by reason.",
  },
  afterword_unexpected_flags_total: {
    labels: ["flag"],
    help: "Flags that came although default content is active, by flag.",
  },
  afterword_outcomes_total: {
    labels: ["line", "outcome"],
    help: "What readers did after a line, with insights on.",
  },
  afterword_insights_lost_total: {
    labels: [],
    help: "Batches of insights that were not counted.",
  },
  afterword_discovery_refused_total: {
    labels: [],
    help: "Addresses in apis that are not allowed and stayed as sent.",
  },
  afterword_targets_refused_total: {
    labels: ["reason"],
    help: "Request-targets answered 404 for what they spell, by reason.",
  },
  afterword_segments_refused_total: {
    labels: [],
    help: "Signed route segments that were forged, unknown or no longer allowed.",
  },
  afterword_overload_total: {
    labels: [],
    help: "Requests answered 503 because too much was under way.",
  },
  afterword_clients_limited_total: {
    labels: [],
    help: "Of these, requests of clients that had their share of the places already.",
  },
  afterword_upstream_failures_total: {
    labels: ["kind"],
    help: "Upstream exchanges that failed, by kind.",
  },
  afterword_callers_total: {
    labels: ["caller", "outcome"],
    help: "Requests that bring no credentials of their own, by caller and outcome.",
  },
  afterword_escalations_total: {
    labels: ["trigger", "outcome"],
    help: "Triggers that fired, by trigger and what came of it.",
  },
  afterword_escalation_failures_total: {
    labels: [],
    help: "Work on an escalation that failed and is tried again.",
  },
  afterword_webhooks_refused_total: {
    labels: [],
    help: "Events of the chat service whose signature did not fit.",
  },
  afterword_credentials_refused_total: {
    labels: ["kind"],
    help: "Wrong tokens, passwords and secrets that were shown to Afterword, by kind.",
  },
  afterword_loops_total: { labels: [], help: "Requests that had passed this gateway before." },
  afterword_store_failures_total: {
    labels: ["route"],
    help: "Requests for which a database or a Redis was out of reach, by route.",
  },
  afterword_memory_failures_total: {
    labels: ["doing"],
    help: "Conversation memory that could not be read or written.",
  },
  afterword_reloads_total: {
    labels: ["result"],
    help: "Times the configuration was read again, by result: ok or failed.",
  },
  afterword_content_reloads_total: {
    labels: ["result"],
    help: "Times changed contents of the embedded backend were read, by result: ok or failed.",
  },
  afterword_internal_errors_total: {
    labels: [],
    help: "Faults of our own that were caught; the original went out.",
  },
} as const;

export type CounterName = keyof typeof counters;

type ValuesOf<Name extends CounterName> = Texts<(typeof counters)[Name]["labels"]>;
/** One text for each label. */
type Texts<Labels extends readonly string[]> = { readonly [Place in keyof Labels]: string };

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
    count(name, ...values) {
      findSeries(name, values).value++;
    },
    add(many, name, ...values) {
      findSeries(name, values).value += many;
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
      return [...writeCounters(), ...writeHistogram(), ...writeGauges(), ""].join("\n");
    },
  };

  function findSeries(name: CounterName, values: readonly string[]): Series {
    let series = counted.get(name);
    if (series === undefined) counted.set(name, (series = createSeries()));
    for (const value of values) series = findNextSeries(series, value);
    return series;
  }

  function* writeCounters(): Generator<string> {
    for (const name of counterNames) {
      const { labels, help } = counters[name];
      yield `# HELP ${name} ${help}`;
      yield `# TYPE ${name} counter`;
      const series = counted.get(name);
      if (series === undefined) yield `${name} 0`;
      else yield* linesOf(name, labels, series);
    }
  }

  function* writeHistogram(): Generator<string> {
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

  function* writeGauges(): Generator<string> {
    for (const { name, help, read } of gauges) {
      yield `# HELP ${name} ${help}`;
      yield `# TYPE ${name} gauge`;
      yield `${name} ${read()}`;
    }
  }
}

function createSeries(): Series {
  return { next: new Map(), value: 0 };
}

function findNextSeries({ next }: Series, value: string): Series {
  let series = next.get(value);
  if (series === undefined) next.set(value, (series = createSeries()));
  return series;
}

function* linesOf(
  name: string,
  [label, ...others]: readonly string[],
  { next, value }: Series,
  pairs: readonly string[] = [],
): Generator<string> {
  if (label === undefined) {
    yield `${name}${pairs.length === 0 ? "" : `{${pairs.join(",")}}`} ${value}`;
    return;
  }
  for (const [text, series] of next) {
    const escaped = text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
    yield* linesOf(name, others, series, [...pairs, `${label}="${escaped}"`]);
  }
}
