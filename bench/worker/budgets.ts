import { gzipSync } from "node:zlib";
import type { BundledConfig } from "../../src/runtime/worker/bundle.ts";
import { packTables, unpackTables } from "../../src/runtime/worker/packed-tables.ts";
import type { Bundle } from "./build.ts";

export interface Budget {
  readonly name: string;
  readonly measured: number;
  readonly limit: number;
  readonly unit: string;
}

/** What the compressed bundle may weigh. Escalation has an entry of its own: its modules, and the lines it says. */
export function bundleBudgets({ code, data, inputs }: Bundle): readonly Budget[] {
  const bytes = Object.entries(inputs);
  const all = bytes.reduce((sum, [, size]) => sum + size, 0);
  const escalating = bytes
    .filter(([file]) => isOfEscalation(file))
    .reduce((sum, [, size]) => sum + size, 0);
  const codeOfEscalation = gzipped(code) * (escalating / all);
  const dataOfEscalation = gzipped(data) - gzipped(withoutEscalation(data));
  const escalation = codeOfEscalation + dataOfEscalation;
  const total = gzipped(code) + gzipped(data);
  return [
    {
      name: "bundle without escalation, gzip",
      measured: kib(total - escalation),
      limit: 60,
      unit: "KiB",
    },
    { name: "escalation in the bundle, gzip", measured: kib(escalation), limit: 25, unit: "KiB" },
  ];
}

function gzipped(text: string): number {
  return gzipSync(text, { level: 9 }).length;
}

function kib(bytes: number): number {
  return bytes / 1024;
}

/** The same data without the lines that only escalation says. */
function withoutEscalation(data: string): string {
  const bundled = JSON.parse(data) as BundledConfig;
  const sets = unpackTables(bundled.tables).map((set) => ({
    ...set,
    channels: mapValues(set.channels, (tables) =>
      mapValues(tables, (table) => ({
        ...table,
        lines: Object.fromEntries(
          Object.entries(table.lines).filter(([key]) => !key.startsWith("escalation.")),
        ),
      })),
    ),
  }));
  return JSON.stringify({ ...bundled, tables: packTables(sets) });
}

function mapValues<From, To>(
  record: Readonly<Record<string, From>>,
  change: (value: From) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}

/** Its own modules, those that tie it to gateway and worker, and the clients that nothing else calls. */
function isOfEscalation(file: string): boolean {
  return /\/escalations?[/.-]|^src\/wire\/(?!public-host)/.test(file);
}
