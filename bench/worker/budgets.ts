import { gzipSync } from "node:zlib";
import type { Bundle } from "./build.ts";

export interface Budget {
  readonly name: string;
  readonly measured: number;
  readonly limit: number;
  readonly unit: string;
}

/** What the compressed bundle may weigh where nobody is handed over: then nothing of escalation is in it. */
export function bundleBudgets({ code, data }: Bundle): readonly Budget[] {
  const measured = (gzipped(code) + gzipped(data)) / 1024;
  return [{ name: "bundle with all tables, gzip", measured, limit: 60, unit: "KiB" }];
}

function gzipped(text: string): number {
  return gzipSync(text, { level: 9 }).length;
}
