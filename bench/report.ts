import { baseline, type Contestant, rival } from "./contestants.ts";
import type { Machine } from "./machine.ts";
import type { Sample } from "./measure.ts";
import type { Options } from "./options.ts";
import { type Spread, spreadOf } from "./statistics.ts";

/** What one run leaves behind; written as JSON. */
export interface Report {
  readonly when: string;
  readonly machine: Machine;
  readonly upstream: string;
  readonly options: Options;
  /** Bytes of the answers. */
  readonly bytes: { readonly flagged: number; readonly closed: number };
  /** Load average of the last minute before the run: what others were doing. */
  readonly loadBefore: number;
  readonly results: readonly Result[];
  /** What could not be measured, and why. */
  readonly failures: readonly { readonly name: string; readonly why: string }[];
}

export interface Result {
  readonly name: string;
  readonly what: string;
  /** In the order of the rounds. */
  readonly samples: readonly Sample[];
  readonly requestsPerSecond: Spread;
  readonly p50: Spread;
  readonly p99: Spread;
  readonly cpu: Spread;
  readonly share: Spread;
  /** Requests per second over those of the baseline, and of the rival, in the same round. */
  readonly toBaseline: Spread | null;
  readonly toRival: Spread | null;
  /** CPU time of a request in the baseline over this one's, in the same round. */
  readonly cpuToBaseline: Spread | null;
}

/** Ratios are taken within a round and only then summed up: what slows a whole round down does not move them. */
export function summarize(measured: ReadonlyMap<Contestant, readonly Sample[]>): readonly Result[] {
  const samplesOf = (name: string): readonly Sample[] | null =>
    [...measured].find(([contestant]) => contestant.name === name)?.[1] ?? null;
  return [...measured].map(([{ name, what }, samples]) => {
    const ratios = (other: readonly Sample[] | null, of: (one: Sample, other: Sample) => number) =>
      other === null || other.length !== samples.length
        ? null
        : spreadOf(samples.map((one, round) => of(one, other[round] ?? one)));
    const spread = (key: keyof Sample): Spread => spreadOf(samples.map((one) => one[key]));
    const speed = (one: Sample, other: Sample): number =>
      one.requestsPerSecond / other.requestsPerSecond;
    return {
      name,
      what,
      samples,
      requestsPerSecond: spread("requestsPerSecond"),
      p50: spread("p50"),
      p99: spread("p99"),
      cpu: spread("cpu"),
      share: spread("share"),
      toBaseline: ratios(samplesOf(baseline), speed),
      toRival: ratios(samplesOf(rival), speed),
      cpuToBaseline: ratios(samplesOf(baseline), (one, other) => other.cpu / one.cpu),
    };
  });
}

/** The run as Markdown: medians, with quartiles in brackets. */
export function render(report: Report): string {
  const { machine, options, bytes } = report;
  const rows = report.results.map((result) => [
    result.name,
    withQuartiles(result.requestsPerSecond, whole),
    withQuartiles(result.toBaseline, ratio),
    withQuartiles(result.toRival, ratio),
    withQuartiles(result.cpu, tenth),
    withQuartiles(result.cpuToBaseline, ratio),
    milliseconds(result.p50.median),
    milliseconds(result.p99.median),
    `${Math.round(result.share.median * 100)} %`,
  ]);
  const heads = [
    "contestant",
    "requests/s",
    `to ${baseline}`,
    `to ${rival}`,
    "CPU us/request",
    `CPU, ${baseline} over it`,
    "p50 ms",
    "p99 ms",
    "of its core",
  ];
  return [
    `${report.when} on ${machine.cores} cores, ${machine.processor}, ${machine.system}; Node ${machine.node},`,
    `undici ${machine.undici}, Fastify ${machine.fastify}, reply-from ${machine.replyFrom}, Hono ${machine.hono}.`,
    `Upstream: ${report.upstream}; answers of ${bytes.flagged} and ${bytes.closed} bytes. ${options.connections} connections,`,
    `${options.rounds} rounds of ${options.seconds} s after ${options.warmup} s of warming up.`,
    `Load average before the run: ${report.loadBefore.toFixed(2)}.`,
    "",
    line(heads),
    line(heads.map((_, column) => (column === 0 ? "---" : "--:"))),
    ...rows.map(line),
    "",
    ...report.results.map(({ name, what }) => `- ${name}: ${what}`),
    ...report.failures.map(({ name, why }) => `- NOT MEASURED: ${name}: ${why}`),
  ].join("\n");
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

function withQuartiles(spread: Spread | null, format: (value: number) => string): string {
  if (spread === null) return "–";
  return `${format(spread.median)} (${format(spread.low)}–${format(spread.high)})`;
}

function whole(value: number): string {
  return String(Math.round(value));
}

function tenth(value: number): string {
  return value.toFixed(1);
}

function ratio(value: number): string {
  return value.toFixed(2);
}

function milliseconds(microseconds: number): string {
  return (microseconds / 1000).toFixed(2);
}
