/**
 * Side by side: how fast the gateway rewrites, and how fast what a user would pick instead is. `node bench/run.ts --help`;
 * docs/performance.md explains it.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Contestant, contestants } from "./contestants.ts";
import { node } from "./launch.ts";
import { describeMachine, findObstacle, loadAverage } from "./machine.ts";
import { examine, type Sample, sample } from "./measure.ts";
import { type Options, readOptions, usage } from "./options.ts";
import { render, type Report, summarize } from "./report.ts";
import { startUpstreams, type Upstreams } from "./upstreams.ts";

process.exitCode = await main(process.argv.slice(2));

/** @returns the exit code: 0, 1 when something could not be measured, 2 when nothing could */
async function main(argv: readonly string[]): Promise<number> {
  let options: Options | null;
  try {
    options = readOptions(argv);
  } catch (error) {
    return giveUp(messageOf(error));
  }
  if (options === null) {
    console.log(usage);
    return 0;
  }
  const { only } = options;
  const unknown = only?.filter((name) => !contestants.some((one) => one.name === name)) ?? [];
  if (unknown.length > 0) {
    const names = contestants.map(({ name }) => name).join(", ");
    return giveUp(`no contestant is called ${unknown.join(" or ")}: there are ${names}`);
  }
  const obstacle = findObstacle(options.proxyCore, options.loadCore);
  if (obstacle !== null) return giveUp(obstacle);
  const upstreams = await startUpstreams(options.size, options.loadCore);
  try {
    const chosen = contestants.filter(({ name }) => only === null || only.includes(name));
    const report = await compare(chosen, upstreams, options);
    console.log(`\n${render(report)}`);
    console.log(`\nWritten to ${write(report, options.name)}`);
    return report.failures.length === 0 ? 0 : 1;
  } finally {
    await upstreams.stop();
    rmSync(join(tmpdir(), `afterword-bench-data-${process.pid}`), { recursive: true, force: true });
  }
}

async function compare(
  chosen: readonly Contestant[],
  upstreams: Upstreams,
  options: Options,
): Promise<Report> {
  const loadBefore = loadAverage();
  const failures: { name: string; why: string }[] = [];
  const measured = new Map<Contestant, Sample[]>();
  const dismiss = (contestant: Contestant, why: string): void => {
    console.error(`${contestant.name} is not measured: ${why}`);
    failures.push({ name: contestant.name, why });
    measured.delete(contestant);
  };
  for (const contestant of chosen) {
    const fault = await examine(contestant, upstreams, options).catch(messageOf);
    if (fault === null) measured.set(contestant, []);
    else dismiss(contestant, fault);
  }
  for (let round = 0; round < options.rounds; round++) {
    for (const [contestant, samples] of rotated([...measured], round)) {
      try {
        const one = await sample(contestant, upstreams, options);
        samples.push(one);
        console.error(
          `round ${round + 1}  ${contestant.name.padEnd(18)} ${one.requestsPerSecond.toFixed(0).padStart(6)}/s` +
            `  ${one.cpu.toFixed(1)} us CPU  ${(one.share * 100).toFixed(0)} % of its core`,
        );
      } catch (error) {
        dismiss(contestant, messageOf(error));
      }
    }
  }
  return {
    when: new Date().toISOString().slice(0, 16),
    machine: describeMachine(execFileSync(node, ["--version"]).toString().trim()),
    upstream: upstreams.program,
    options,
    bytes: { flagged: upstreams.flagged.body.length, closed: upstreams.closed.body.length },
    loadBefore,
    results: summarize(measured),
    failures,
  };
}

/** Everybody is first, last and behind everybody else once: what one leaves behind does not always meet the same one. */
function rotated<Item>(items: readonly Item[], by: number): readonly Item[] {
  const first = items.length === 0 ? 0 : by % items.length;
  return [...items.slice(first), ...items.slice(0, first)];
}

function write(report: Report, name: string): string {
  const folder = fileURLToPath(new URL("results/", import.meta.url));
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${name}.json`);
  writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`);
  return file;
}

function giveUp(why: string): number {
  console.error(why);
  return 2;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
