/**
 * Side by side: how fast the gateway rewrites, and how fast what a user would pick instead is.
 * `node bench/compare/run.ts --help`; docs/performance.md explains it.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { compare } from "./compare.ts";
import { type Contestant, contestants } from "./contestants.ts";
import { node } from "../launch.ts";
import { describeMachine, findObstacle, loadAverage } from "../machine.ts";
import { type Options, readOptions, usage } from "./options.ts";
import { type Report, render, type SceneReport, sceneTitle, summarize } from "./report.ts";
import { scenesOf } from "./cases.ts";
import { startUpstreams } from "../upstreams.ts";

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
  const chosen = contestants.filter(({ name }) => only === null || only.includes(name));
  try {
    const report = await runAll(chosen, options);
    console.log(`\n${render(report)}`);
    console.log(`\nWritten to ${write(report, options.name)}`);
    return report.scenes.every(({ failures }) => failures.length === 0) ? 0 : 1;
  } finally {
    rmSync(join(tmpdir(), `afterword-bench-data-${process.pid}`), { recursive: true, force: true });
  }
}

async function runAll(chosen: readonly Contestant[], options: Options): Promise<Report> {
  const loadBefore = loadAverage();
  const scenes: SceneReport[] = [];
  let upstream = "";
  for (const scene of scenesOf(chosen, options)) {
    const upstreams = await startUpstreams(scene.size, options.loadCore);
    upstream = upstreams.program;
    try {
      console.error(sceneTitle(scene));
      const bytes = {
        flagged: upstreams.flagged.body.length,
        closed: upstreams.closed.body.length,
      };
      scenes.push(summarize(scene, bytes, await compare(scene, upstreams, options)));
    } finally {
      await upstreams.stop();
    }
  }
  return {
    when: new Date().toISOString().slice(0, 16),
    machine: describeMachine(execFileSync(node, ["--version"]).toString().trim()),
    upstream,
    options,
    loadBefore,
    loadAfter: loadAverage(),
    scenes,
  };
}

function write(report: Report, name: string): string {
  const folder = fileURLToPath(new URL("../results/", import.meta.url));
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${name}.json`);
  writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`);
  return relative(process.cwd(), file);
}

function giveUp(why: string): number {
  console.error(why);
  return 2;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
