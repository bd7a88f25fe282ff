import type { Compared, Failure, Case } from "./compare.ts";
import { baseline, luaRival, rival } from "./contestants.ts";
import type { Machine } from "../machine.ts";
import type { Sample } from "./measure.ts";
import type { Options } from "./options.ts";
import type { Waits } from "./rate.ts";
import { type Spread, spreadOf } from "../statistics.ts";

/** The report of one run, written as JSON. */
export interface Report {
  readonly when: string;
  readonly machine: Machine;
  readonly upstream: string;
  readonly options: Options;
  /** Load average of the last minute, before the run and at its end. */
  readonly loadBefore: number;
  readonly loadAfter: number;
  readonly cases: readonly CaseReport[];
}

/** One table. */
export interface CaseReport {
  readonly size: number;
  readonly connections: number;
  /** Requests per second; null for as many as are answered. */
  readonly rate: number | null;
  /** Bytes of the answers. */
  readonly bytes: { readonly flagged: number; readonly closed: number };
  readonly results: readonly Result[];
  readonly waits: readonly Waiting[];
  /** The cases that could not be measured, with the reasons. */
  readonly failures: readonly Failure[];
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
  readonly rss: Spread;
  /** Requests per second over those of the baseline, and of the rival, in the same round. */
  readonly toBaseline: Spread | null;
  readonly toRival: Spread | null;
  /**
   * CPU time of a request in the baseline, and in nginx with Lua, over this one's, in the same
   * round.
   */
  readonly cpuToBaseline: Spread | null;
  readonly cpuToLua: Spread | null;
}

export interface Waiting {
  readonly name: string;
  readonly samples: readonly Waits[];
  readonly p50: Spread;
  readonly p90: Spread;
  readonly p99: Spread;
  /** Answers per request. Below 1, it did not keep up. */
  readonly answered: number;
}

/**
 * Ratios are computed within a round and then summarized, so that a slow round does not change
 * them.
 */
export function summarize(
  { size, connections, rate }: Case,
  bytes: CaseReport["bytes"],
  { measured, waits, failures }: Compared,
): CaseReport {
  const samplesOf = (name: string): readonly Sample[] | null =>
    [...measured].find(([contestant]) => contestant.name === name)?.[1] ?? null;
  const results = [...measured].map(([{ name, what }, samples]): Result => {
    const ratios = (other: string, of: (one: Sample, other: Sample) => number) => {
      const others = samplesOf(other);
      return others?.length === samples.length
        ? spreadOf(samples.map((one, round) => of(one, others[round] ?? one)))
        : null;
    };
    const spread = (key: keyof Sample): Spread => spreadOf(samples.map((one) => one[key]));
    return {
      name,
      what,
      samples,
      requestsPerSecond: spread("requestsPerSecond"),
      p50: spread("p50"),
      p99: spread("p99"),
      cpu: spread("cpu"),
      share: spread("share"),
      rss: spread("rss"),
      toBaseline: ratios(baseline, faster),
      toRival: ratios(rival, faster),
      cpuToBaseline: ratios(baseline, cheaper),
      cpuToLua: ratios(luaRival, cheaper),
    };
  });
  return { size, connections, rate, bytes, results, waits: waitingOf(waits), failures };
}

function waitingOf(waits: Compared["waits"]): readonly Waiting[] {
  return [...waits].map(([{ name }, samples]) => ({
    name,
    samples,
    p50: spreadOf(samples.map((one) => one.p50)),
    p90: spreadOf(samples.map((one) => one.p90)),
    p99: spreadOf(samples.map((one) => one.p99)),
    answered:
      samples.reduce((sum, one) => sum + one.answered, 0) /
      samples.reduce((sum, one) => sum + one.asked, 0),
  }));
}

function faster(one: Sample, other: Sample): number {
  return one.requestsPerSecond / other.requestsPerSecond;
}

function cheaper(one: Sample, other: Sample): number {
  return other.cpu / one.cpu;
}

/** The run as Markdown: medians, with quartiles in brackets. */
export function render(report: Report): string {
  const { machine, options, cases } = report;
  const whats = new Map(cases.flatMap(({ results }) => results.map((one) => [one.name, one.what])));
  return [
    `${report.when} on ${machine.cores} cores, ${machine.processor}, ${machine.system}; Node ${machine.node},`,
    `${machine.packages}.`,
    `Upstream: ${report.upstream}. ${options.rounds} rounds of ${options.seconds} s after ${options.warmup} s of warming up${options.alone ? ", each turn in a new process, alone" : ""}.`,
    `Load average ${report.loadBefore.toFixed(2)} before the run, ${report.loadAfter.toFixed(2)} at its end.`,
    ...cases.flatMap((one) => ["", `### ${caseTitle(one)}`, "", ...tableOf(one)]),
    "",
    ...[...whats].map(([name, what]) => `- ${name}: ${what}`),
  ].join("\n");
}

export function caseTitle(one: Pick<Case, "size" | "connections" | "rate">): string {
  const { size, connections, rate } = one;
  const load = rate === null ? "" : `, ${rate} requests/s`;
  return `about ${size} bytes, ${connections} connection${connections === 1 ? "" : "s"}${load}`;
}

function tableOf({ results, waits, failures, bytes, rate }: CaseReport): readonly string[] {
  const rows = rate === null ? results.map(rowOf) : waits.map(waitingRowOf);
  const heads = rate === null ? resultHeads : waitingHeads;
  return [
    `Answers of ${bytes.flagged} bytes, without flags ${bytes.closed}.`,
    "",
    line(heads),
    line(heads.map((_, column) => (column === 0 ? "---" : "--:"))),
    ...rows.map(line),
    ...failures.map(({ name, why }) => `\nNOT MEASURED: ${name}: ${why}`),
  ];
}

const resultHeads = [
  "contestant",
  "requests/s",
  `to ${baseline}`,
  `to ${rival}`,
  "CPU us/request",
  `CPU, ${baseline} over it`,
  `CPU, ${luaRival} over it`,
  "p50 ms",
  "p99 ms",
  "of its core",
  "RSS MB",
];
const waitingHeads = ["contestant", "answered", "p50 us", "p90 us", "p99 us"];

function rowOf(result: Result): readonly string[] {
  return [
    result.name,
    withQuartiles(result.requestsPerSecond, whole),
    withQuartiles(result.toBaseline, ratio),
    withQuartiles(result.toRival, ratio),
    withQuartiles(result.cpu, tenth),
    withQuartiles(result.cpuToBaseline, ratio),
    withQuartiles(result.cpuToLua, ratio),
    milliseconds(result.p50.median),
    milliseconds(result.p99.median),
    `${Math.round(result.share.median * 100)} %`,
    whole(result.rss.median),
  ];
}

function waitingRowOf(waiting: Waiting): readonly string[] {
  return [
    waiting.name,
    `${(waiting.answered * 100).toFixed(1)} %`,
    withQuartiles(waiting.p50, whole),
    withQuartiles(waiting.p90, whole),
    withQuartiles(waiting.p99, whole),
  ];
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
