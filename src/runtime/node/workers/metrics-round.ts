/** Milliseconds in which a process must report its metrics; a busy one counts with its last report. */
const reportTimeout = 1000;

/** Creates a worker's side, which asks the primary for the sum. */
export function createMetricsClient(send: (ask: number) => void) {
  const waiting = new Map<number, (text: string) => void>();
  let asks = 0;
  return {
    /** Returns the sum over all processes, or this process's own if the primary does not answer. */
    ask: (own: () => string) =>
      new Promise<string>((resolve) => {
        const ask = (asks += 1);
        const timer = setTimeout(() => settle(own()), reportTimeout * 2);
        const settle = (text: string): void => {
          clearTimeout(timer);
          waiting.delete(ask);
          resolve(text);
        };
        waiting.set(ask, settle);
        send(ask);
      }),
    answered: (ask: number, text: string) => waiting.get(ask)?.(text),
  };
}

export interface MetricsRounds {
  /** Asks these workers. `answer` is called once with the sum, ended workers included. */
  start(workers: readonly number[], answer: (text: string) => void): void;
  report(worker: number, round: number, text: string): void;
  /** Keeps the last report of a worker that has ended in the sum, so that no counter decreases. */
  remove(worker: number): void;
}

/**
 * Creates the primary's side.
 *
 * @param ask asks one worker, by its number
 * @param own what the primary counts itself, as a metrics text
 */
export function createMetricsRounds(
  ask: (worker: number, round: number) => void,
  own: () => string,
): MetricsRounds {
  const rounds = new Map<number, Round>();
  const last = new Map<number, string>();
  let ofEnded = "";
  let started = 0;
  return {
    start(workers, answer) {
      const round = (started += 1);
      const end = (): void => {
        clearTimeout(timer);
        rounds.delete(round);
        answer(sumMetrics([...last.values(), ofEnded, own()]));
      };
      const timer = setTimeout(end, reportTimeout);
      rounds.set(round, { waiting: new Set(workers), end });
      for (const worker of workers) ask(worker, round);
    },
    report(worker, round, text) {
      last.set(worker, text);
      settle(worker, rounds.get(round));
    },
    remove(worker) {
      ofEnded = sumMetrics([ofEnded, countersOf(last.get(worker) ?? "")]);
      last.delete(worker);
      for (const round of rounds.values()) settle(worker, round);
    },
  };
}

interface Round {
  readonly waiting: Set<number>;
  readonly end: () => void;
}

function settle(worker: number, round: Round | undefined): void {
  if (round?.waiting.delete(worker) === true && round.waiting.size === 0) round.end();
}

/**
 * Combines the metrics of several processes. Counters, histograms and the gauges of current work are
 * added up. Of other gauges the greatest is taken, so that a failure of one process shows.
 */
export function sumMetrics(texts: readonly string[]): string {
  const families = new Map<string, Family>();
  for (const text of texts) addText(families, text);
  return writeFamilies(families.values());
}

/** Removes the gauges, which do not outlive their process. */
export function countersOf(text: string): string {
  const families = new Map<string, Family>();
  addText(families, text);
  return writeFamilies([...families.values()].filter(({ type }) => type !== "gauge"));
}

interface Family {
  readonly name: string;
  /** The lines that describe it. */
  readonly about: readonly string[];
  readonly type: string;
  /** By name and labels, in the order of their first appearance. */
  readonly series: Map<string, number>;
}

const addedGauges: ReadonlySet<string> = new Set([
  "afterword_held_bytes",
  "afterword_in_flight",
  "afterword_queued",
  "afterword_streams",
]);

function addText(families: Map<string, Family>, text: string): void {
  let help = "";
  let family: Family | null = null;
  for (const line of text.split("\n")) {
    if (line.startsWith("# HELP ")) help = line;
    else if (line.startsWith("# TYPE ")) {
      const [name = "", type = ""] = line.slice("# TYPE ".length).split(" ");
      family = families.get(name) ?? { name, about: [help, line], type, series: new Map() };
      families.set(name, family);
    } else if (family !== null && line !== "") addLine(family, line);
  }
}

function addLine(family: Family, line: string): void {
  const end = line.lastIndexOf(" ");
  const key = line.slice(0, end);
  const value = Number(line.slice(end + 1));
  const known = family.series.get(key);
  const adds = family.type !== "gauge" || addedGauges.has(family.name);
  if (known === undefined) family.series.set(key, value);
  else family.series.set(key, adds ? known + value : Math.max(known, value));
}

function writeFamilies(families: Iterable<Family>): string {
  const lines: string[] = [];
  for (const { name, about, series } of families) {
    lines.push(...about);
    for (const [key, value] of series) {
      // A process writes a counter that it has not used as a 0 without labels.
      if (key !== name || value !== 0 || series.size === 1) lines.push(`${key} ${value}`);
    }
  }
  return [...lines, ""].join("\n");
}
