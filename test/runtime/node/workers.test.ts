import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadConfig } from "../../../src/config/load/load.ts";
import { createMetrics } from "../../../src/gateway/exchange/metrics.ts";
import {
  createMetricsClient,
  createMetricsRounds,
  countersOf,
  sumMetrics,
} from "../../../src/runtime/node/workers/metrics-round.ts";
import { packConfig, unpackConfig } from "../../../src/runtime/node/workers/worker-process.ts";
import { createRestarts } from "../../../src/runtime/node/workers/restarts.ts";

describe("the metrics of several processes", () => {
  it("are added up by name and labels, except a gauge of a state, of which the greatest counts", () => {
    const [one, other] = [createMetrics(), createMetrics()];
    for (const [metrics, times] of [
      [one, 2],
      [other, 3],
    ] as const) {
      for (let i = 0; i < times; i++) {
        metrics.count("afterword_requests_total", "message", "2xx");
        metrics.overhead(0.02);
      }
      metrics.gauge("afterword_in_flight", "Under way.", () => times);
      metrics.gauge("afterword_reload_failed", "Failed.", () => times - 2);
    }
    other.count("afterword_loops_total");
    other.count("afterword_gates_total", "message", "size");
    const lines = sumMetrics([one.text(), other.text(), ""]).split("\n");
    expect(lines).toEqual(
      expect.arrayContaining([
        'afterword_requests_total{route="message",status="2xx"} 5',
        'afterword_gates_total{route="message",reason="size"} 1',
        "afterword_loops_total 1",
        "afterword_overload_total 0",
        'afterword_overhead_seconds_bucket{le="0.000025"} 5',
        'afterword_overhead_seconds_bucket{le="+Inf"} 5',
        "afterword_overhead_seconds_count 5",
        "afterword_in_flight 5",
        "afterword_reload_failed 1",
      ]),
    );
    expect(lines).not.toContain("afterword_gates_total 0");
    expect(lines.filter((line) => line.startsWith("# TYPE afterword_in_flight"))).toHaveLength(1);
  });

  it("of one process are the same as its own text", () => {
    const metrics = createMetrics();
    metrics.count("afterword_rewrites_total", "no-results", 'x y "\\');
    metrics.gauge("afterword_queued", "Waiting.", () => 1.5);
    expect(sumMetrics([metrics.text()])).toBe(metrics.text());
    expect(countersOf(metrics.text())).not.toContain("afterword_queued");
    expect(countersOf(metrics.text())).toContain("afterword_rewrites_total{");
  });

  it("keep what a process had reported before it ended or fell silent", () => {
    const counts = new Map([
      [1, 5],
      [2, 7],
    ]);
    const asks: number[][] = [];
    const rounds = createMetricsRounds(
      (worker, round) => {
        asks.push([worker, round]);
        const count = counts.get(worker);
        if (count !== undefined) rounds.report(worker, round, textOf(count));
      },
      () => "",
    );
    const answers: string[] = [];
    rounds.start([1, 2], (text) => answers.push(text));
    rounds.remove(1);
    counts.delete(1);
    rounds.start([2], (text) => answers.push(text));
    counts.set(1, 2);
    rounds.start([1, 2], (text) => answers.push(text));
    expect(answers).toEqual([textOf(12), textOf(12), textOf(14)]);
  });

  it("do not wait for a process that ends while it is asked", () => {
    const answers: string[] = [];
    const rounds = createMetricsRounds(
      () => undefined,
      () => textOf(0),
    );
    rounds.start([1], (text) => answers.push(text));
    expect(answers).toEqual([]);
    rounds.remove(1);
    expect(answers).toEqual([textOf(0)]);
  });

  it("reach the process that called, by the number of the call", async () => {
    const sent: number[] = [];
    const client = createMetricsClient((ask) => sent.push(ask));
    const [one, other] = [client.ask(() => "own"), client.ask(() => "own")];
    client.answered(sent[1] ?? 0, "second");
    client.answered(sent[0] ?? 0, "first");
    expect(await Promise.all([one, other])).toEqual(["first", "second"]);
  });
});

describe("a configuration sent to another process", () => {
  it("arrives unchanged and frozen", async () => {
    const file = join(import.meta.dirname, "../../../config/afterword.yaml");
    const config = await loadConfig(file, { env: {} });
    const bytes = packConfig(config);
    const arrived = unpackConfig(bytes);
    expect(arrived).toEqual(config);
    expect(Object.isFrozen(arrived.instances)).toBe(true);
    expect(bytes.length).toBeLessThan(3_000_000);
  });

  it("is refused when it is not a configuration", () => {
    expect(() => unpackConfig(packConfig(JSON.parse('{"other":1}')))).toThrow("no configuration");
  });
});

describe("a worker that ended", () => {
  it("starts again at once after a long life, later and later after short ones", () => {
    const restarts = createRestarts(2);
    const delays = Array.from({ length: 9 }, () => restarts.choose(0, 50, [60_000]));
    expect(delays.map((next) => (next.kind === "again" ? next.delay : next.kind))).toEqual([
      100, 200, 400, 800, 1600, 3200, 6400, 10_000, 10_000,
    ]);
    expect(restarts.choose(0, 60_000, [])).toEqual({ kind: "again", delay: 0 });
    expect(restarts.choose(0, 50, [])).toEqual({ kind: "again", delay: 100 });
  });

  it("is given up only when all others end like it", () => {
    const restarts = createRestarts(2);
    for (let i = 0; i < 5; i++) expect(restarts.choose(0, 50, [9000]).kind).toBe("again");
    for (let i = 0; i < 4; i++) expect(restarts.choose(1, 50, []).kind).toBe("again");
    expect(restarts.choose(1, 50, [60_000]).kind).toBe("again");
    expect(restarts.choose(1, 50, [500]).kind).toBe("give-up");
  });
});

it("a connection that a worker declines before it ends is another one's, and none is lost", async () => {
  const program = new URL("cluster-program.ts", import.meta.url).pathname;
  const { stdout } = await promisify(execFile)(process.execPath, [program]);
  expect(JSON.parse(stdout)).toEqual(Array.from({ length: 6 }, () => "answered"));
});

function textOf(count: number): string {
  return `# HELP a_total A.\n# TYPE a_total counter\na_total ${count}\n`;
}
