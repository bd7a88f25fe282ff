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

/** What a configuration with every setting of escalation adds to `plain`, which has none: all that it can say, in 32 languages. */
export function handOverBudgets(plain: Bundle, handing: Bundle): readonly Budget[] {
  const added = (part: "code" | "words" | "data"): number =>
    (gzipped(handing[part]) - (plain[part] === "" ? 0 : gzipped(plain[part]))) / 1024;
  return [
    { name: "handing over: code", measured: added("code"), limit: 33, unit: "KiB" },
    { name: "handing over: lines", measured: added("data"), limit: 19.5, unit: "KiB" },
    { name: "words of two languages", measured: added("words"), limit: 3, unit: "KiB" },
  ];
}

function gzipped(text: string): number {
  return gzipSync(text, { level: 9 }).length;
}
