import { readFileSync } from "node:fs";
import { cpus, loadavg, platform, release } from "node:os";
import { findTool } from "./tools.ts";

export interface Machine {
  readonly cores: number;
  readonly processor: string;
  readonly system: string;
  readonly node: string;
  /** Names and versions. */
  readonly packages: string;
}

const measured =
  "undici hono @hono/node-server fastify @fastify/reply-from http-proxy-3 httpxy".split(" ");

export function describeMachine(nodeVersion: string): Machine {
  const all = cpus();
  return {
    cores: all.length,
    processor: all[0]?.model.trim() ?? "unknown",
    system: `${platform()} ${release()}`,
    node: nodeVersion,
    packages: measured.map((name) => `${name} ${versionOf(name)}`).join(", "),
  };
}

/**
 * Describes what is missing for measurements here, with the remedy; null when everything is
 * available.
 */
export function findObstacle(proxyCore: number, loadCore: number): string | null {
  if (platform() !== "linux")
    return "the bench pins processes to cores and reads /proc: it runs on Linux";
  if (proxyCore === loadCore) return "the contestants and the load need a core each";
  const cores = cpus().length;
  if (Math.max(proxyCore, loadCore) >= cores) {
    return `this machine has ${cores} core(s), numbered from 0: --proxy-core and --load-core choose two of them`;
  }
  const missing = [
    { tool: "wrk", from: "wrk" },
    { tool: "taskset", from: "util-linux" },
  ].filter(({ tool }) => findTool(tool) === null);
  if (missing.length === 0) return null;
  const packages = missing.map(({ from }) => from).join(" ");
  return `${missing.map(({ tool }) => tool).join(" and ")} missing: apt-get install -y ${packages}`;
}

/** Load average of the last minute. */
export function loadAverage(): number {
  return loadavg()[0] ?? 0;
}

function versionOf(name: string): string {
  const file = new URL(`../node_modules/${name}/package.json`, import.meta.url);
  const value: unknown = JSON.parse(readFileSync(file, "utf8"));
  return typeof value === "object" && value !== null && "version" in value
    ? String(value.version)
    : "unknown";
}
