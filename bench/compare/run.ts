/** Compares the gateway with its alternatives: `npm run bench -- compare --help`. */
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { compare } from "./compare.ts";
import { type Contestant, contestants } from "./contestants.ts";
import { node } from "../launch.ts";
import { describeMachine, findObstacle, loadAverage } from "../machine.ts";
import { giveUp } from "../options.ts";
import { type Options, readCompareOptions } from "./options.ts";
import { type Report, render, type CaseReport, caseTitle, summarize } from "./report.ts";
import { casesOf } from "./cases.ts";
import { startUpstreams } from "../upstreams.ts";

const options = readCompareOptions();
const { name, only } = options;
if (!/^[\w.-]+$/.test(name)) giveUp("--name takes letters, digits, dots and dashes");
const unknown = only?.filter((one) => !contestants.some((known) => known.name === one)) ?? [];
if (unknown.length > 0) {
  const names = contestants.map((one) => one.name).join(", ");
  giveUp(`no contestant is called ${unknown.join(" or ")}: there are ${names}`);
}
const obstacle = findObstacle(options.proxyCore, options.loadCore);
if (obstacle !== null) giveUp(obstacle);
try {
  const chosen = contestants.filter((one) => only === null || only.includes(one.name));
  const report = await runAll(chosen, options);
  console.log(`\n${render(report)}`);
  console.log(`\nWritten to ${write(report, name)}`);
  if (report.cases.some(({ failures }) => failures.length > 0)) process.exitCode = 1;
} finally {
  rmSync(join(tmpdir(), `afterword-bench-data-${process.pid}`), { recursive: true, force: true });
}

async function runAll(chosen: readonly Contestant[], options: Options): Promise<Report> {
  const loadBefore = loadAverage();
  const cases: CaseReport[] = [];
  let upstream = "";
  for (const one of casesOf(chosen, options)) {
    const upstreams = await startUpstreams(one.size, options.loadCore);
    upstream = upstreams.program;
    try {
      console.error(caseTitle(one));
      const bytes = {
        flagged: upstreams.flagged.body.length,
        closed: upstreams.closed.body.length,
      };
      cases.push(summarize(one, bytes, await compare(one, upstreams, options)));
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
    cases,
  };
}

function write(report: Report, name: string): string {
  const folder = fileURLToPath(new URL("../results/", import.meta.url));
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${name}.json`);
  writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`);
  return relative(process.cwd(), file);
}
