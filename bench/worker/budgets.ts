import { gzipSync } from "node:zlib";
import type { Bundle } from "./build.ts";

export interface Budget {
  readonly name: string;
  readonly measured: number;
  readonly limit: number;
  readonly unit: string;
}

/**
 * What the compressed bundle may weigh where nobody is handed over: then nothing of escalation is
 * in it.
 */
export function bundleBudgets({ code, data }: Bundle): readonly Budget[] {
  const measured = (gzipped(code) + gzipped(data)) / 1024;
  return [{ name: "bundle with all tables, gzip", measured, limit: 62, unit: "KiB" }];
}

/**
 * What a configuration with every setting of escalation adds to `plain`, which has none. What it
 * says and understands in 32 languages is not in the script: the worker fetches a language when a
 * reader first needs it. Of the code 0.7 KiB are how readers of the fallback's language say yes and
 * no.
 */
export function handOverBudgets(plain: Bundle, handing: Bundle): readonly Budget[] {
  const added = (part: "code" | "data"): number =>
    (gzipped(handing[part]) - gzipped(plain[part])) / 1024;
  return [
    { name: "handing over: code", measured: added("code"), limit: 33.2, unit: "KiB" },
    { name: "handing over: lines, settings", measured: added("data"), limit: 1, unit: "KiB" },
  ];
}

function gzipped(text: string): number {
  return gzipSync(text, { level: 9 }).length;
}
