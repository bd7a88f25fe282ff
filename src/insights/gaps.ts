/** A period whose facts are missing, in milliseconds since the epoch. */
export interface Gap {
  readonly since: number;
  readonly until: number;
  readonly why: string;
}

/** Returns the gap that the loss of these facts leaves. */
export function gapOf(facts: readonly { readonly at: number }[], why: string): Gap {
  return {
    since: facts.reduce((least, { at }) => Math.min(least, at), Infinity),
    until: facts.reduce((most, { at }) => Math.max(most, at), -Infinity),
    why,
  };
}

/** Creates the list of gaps that are not stored yet. Gaps in a row with the same reason become one. */
export function createGaps() {
  let gaps: readonly Gap[] = [];
  return {
    read: () => gaps,
    /** Forgets the first gaps, which have been stored. */
    forget(count: number): void {
      gaps = gaps.slice(count);
    },
    add(gap: Gap): void {
      const previous = gaps.at(-1);
      if (previous?.why !== gap.why) gaps = [...gaps, gap].slice(-maxGaps);
      else {
        const since = Math.min(previous.since, gap.since);
        const until = Math.max(previous.until, gap.until);
        gaps = [...gaps.slice(0, -1), { since, until, why: gap.why }];
      }
    },
  };
}

const maxGaps = 100;

/** Logs lost facts: once when a loss begins, and once when it is over. */
export interface Losses {
  add(facts: number, why: string, detail: string): void;
  /** Called after each batch that was written. */
  passBatch(): void;
}

/** @param log structured logs: an event name and plain fields */
export function createLosses(
  log: (
    level: "warn" | "info",
    event: string,
    fields: Readonly<Record<string, string | number>>,
  ) => void,
): Losses {
  let lost = 0;
  let isCalm = true;
  return {
    add(facts, why, detail) {
      if (lost === 0) log("warn", "insights-lost", { facts, why, detail });
      lost += facts;
      isCalm = false;
    },
    passBatch() {
      // Facts may be lost beside a successful batch, so a loss is over after two batches without any.
      if (lost > 0 && isCalm) {
        log("info", "insights-counting", { lost });
        lost = 0;
      }
      isCalm = true;
    },
  };
}
