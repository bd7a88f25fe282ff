import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import type { Compiled } from "../../src/runtime/worker/compiled.ts";

export const root: string = resolve(import.meta.dirname, "../..");

/** Keeps wrangler and workerd from calling other machines. */
export const quiet: Readonly<Record<string, string>> = {
  WRANGLER_SEND_METRICS: "false",
  WRANGLER_SEND_ERROR_REPORTS: "false",
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
  WRANGLER_HIDE_BANNER: "true",
  NO_UPDATE_NOTIFIER: "1",
};

/** The bundle that would be deployed. */
export interface Bundle {
  /** With configuration and texts in it. */
  readonly script: string;
  /** Configuration and texts by themselves. */
  readonly compiled: Compiled;
  /** Bytes in the bundle by the file that they come from, relative to the repository. */
  readonly inputs: Readonly<Record<string, number>>;
}

/** Limit of the compressed script without its static assets, in KB. */
export const maxScriptSize = 250;

/** In KB. */
export function weightOf({ script }: Bundle): number {
  return gzipSync(script, { level: 9 }).length / 1000;
}

/** Builds the worker as `wrangler deploy` does, and sends nothing. */
export async function buildBundle(env: Readonly<Record<string, string>> = {}): Promise<Bundle> {
  const out = await mkdtemp(join(tmpdir(), "afterword-bundle-"));
  try {
    await wrangler(["deploy", "--dry-run", "--env", "", "--metafile", "--outdir", out], env);
    const meta: unknown = JSON.parse(await readFile(join(out, "bundle-meta.json"), "utf8"));
    return {
      script: await readFile(join(out, "main.js"), "utf8"),
      compiled: JSON.parse(await readFile(join(root, "dist/worker/compiled.json"), "utf8")),
      inputs: inputsOf(meta),
    };
  } finally {
    await rm(out, { recursive: true });
  }
}

/**
 * Milliseconds of CPU until the worker's modules have run, of several starts, by the samples of
 * `wrangler check startup`.
 */
export async function startupCpu(rounds: number): Promise<readonly number[]> {
  const out = await mkdtemp(join(tmpdir(), "afterword-startup-"));
  try {
    const [bundle, file] = [join(out, "worker.bundle"), join(out, "startup.cpuprofile")];
    await wrangler(["deploy", "--dry-run", "--env", "", "--outfile", bundle]);
    const starts: number[] = [];
    for (let round = 0; round < rounds; round++) {
      await wrangler(["check", "startup", "--worker", bundle, "--outfile", file]);
      starts.push(busyTime(JSON.parse(await readFile(file, "utf8")) as Profile));
    }
    return starts;
  } finally {
    await rm(out, { recursive: true });
  }
}

function busyTime({ nodes, samples, timeDeltas }: Profile): number {
  const idle = nodes.find(({ callFrame }) => callFrame.functionName === "(idle)")?.id;
  const busy = timeDeltas.filter((_, i) => samples[i] !== idle);
  return busy.reduce((sum, microseconds) => sum + microseconds, 0) / 1000;
}

interface Profile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string };
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

export async function wrangler(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const file = join(root, "node_modules/wrangler/bin/wrangler.js");
  await promisify(execFile)(process.execPath, [file, ...args], {
    cwd: root,
    env: { ...process.env, ...quiet, ...env },
  });
}

function inputsOf(meta: unknown): Record<string, number> {
  const { outputs } = meta as {
    outputs: Record<string, { inputs: Record<string, { bytesInOutput: number }> }>;
  };
  return Object.fromEntries(
    Object.values(outputs).flatMap(({ inputs }) =>
      Object.entries(inputs).map(([file, { bytesInOutput }]) => [file, bytesInOutput]),
    ),
  );
}
