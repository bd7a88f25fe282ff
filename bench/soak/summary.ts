/** Resident memory after so many requests. */
export interface SoakSample {
  readonly requests: number;
  /** MB. */
  readonly rss: number;
}

export interface SoakSummary {
  /** MB. */
  readonly start: number;
  readonly middle: number;
  readonly end: number;
  /**
   * MB per 100,000 requests over the last half: the line of least squares, because single values go
   * up and down.
   */
  readonly slope: number;
  /** How many requests that half has. */
  readonly counted: number;
}

export function summarize(samples: readonly SoakSample[]): SoakSummary {
  const last = samples.at(-1) ?? { requests: 0, rss: 0 };
  const half = samples.filter(({ requests }) => requests >= last.requests / 2);
  const middle = half[0] ?? last;
  return {
    start: samples[0]?.rss ?? 0,
    middle: middle.rss,
    end: last.rss,
    slope: slopeOf(half) * 100_000,
    counted: last.requests - middle.requests,
  };
}

function slopeOf(samples: readonly SoakSample[]): number {
  const mean = (of: (sample: SoakSample) => number): number =>
    samples.reduce((sum, sample) => sum + of(sample), 0) / samples.length;
  const x = mean(({ requests }) => requests);
  const y = mean(({ rss }) => rss);
  const spread = samples.reduce((sum, { requests }) => sum + (requests - x) ** 2, 0);
  const together = samples.reduce((sum, { requests, rss }) => sum + (requests - x) * (rss - y), 0);
  return spread === 0 ? 0 : together / spread;
}
