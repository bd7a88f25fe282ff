import type { Line, Part, Table, TableSet } from "../../locales/types.ts";

// Texts as `afterword overrides push` wrote them before format 2. They stay in a namespace until
// something newer is pushed.

/** In an order in which a table names a line by how far it is from the one before. */
export interface Format1Tables {
  /** Who says the lines that follow, how many these are, and where their alphabet begins. */
  readonly runs: readonly (readonly [Line["origin"], string, number, number?])[];
  /** A text, or its parts, stands for a line that says this as HTML. */
  readonly lines: readonly (string | readonly Part[] | Omit<Line, "origin" | "locale">)[];
  readonly keys: readonly string[];
  readonly sets: readonly Format1Set[];
}

interface Format1Set extends Omit<TableSet, "channels"> {
  readonly channels: { readonly [channel: string]: { readonly [locale: string]: Format1Table } };
}

/** For each of `keys`: its line; a list for several; null for none. */
type Format1Table = readonly (Step | readonly Step[] | null)[];

/** How far a line is from the next; or the locale of a table that says this line for the key. */
type Step = number | string;

/** @throws TypeError or RangeError for what was never written in this format */
export function readFormat1({ runs, lines, keys, sets }: Format1Tables): readonly TableSet[] {
  const writers = runs.flatMap((run) => Array.from({ length: run[2] }, () => run));
  const all = lines.map((packed, index): Line => {
    const [origin, locale, , alphabet = 0] = writers[index] ?? [];
    if (origin === undefined || locale === undefined) throw new RangeError(`line ${index}`);
    if (!isText(packed)) return { ...packed, origin, locale };
    const parts = typeof packed === "string" ? [packed] : packed;
    const read = parts.map((part) => (typeof part === "string" ? swapped(part, alphabet) : part));
    return { say: { text: { format: "html", parts: read } }, origin, locale };
  });
  let reached = 0;
  return sets.map(({ channels, ...set }) => ({
    ...set,
    channels: Object.fromEntries(
      Object.entries(channels).map(([channel, tables]) => [channel, readChannel(tables)]),
    ),
  }));

  function readChannel(tables: Format1Set["channels"][string]): Record<string, Table> {
    const known: Record<string, Table> = {};
    for (const [locale, table] of Object.entries(tables)) {
      known[locale] = { locale, lines: readTable(table, known) };
    }
    return known;
  }

  function readTable(table: Format1Table, known: Readonly<Record<string, Table>>): Table["lines"] {
    // A table begins where the lines that were known before it end.
    let next = reached;
    const line = (step: Step, key: string): Line => {
      const found =
        typeof step === "string" ? known[step]?.lines[key]?.[0] : all[(next += step + 1) - 1];
      if (found === undefined) throw new RangeError(`no line for ${key}`);
      reached = Math.max(reached, next);
      return found;
    };
    return Object.fromEntries(
      keys.flatMap((key, index) => {
        const steps = table[index] ?? null;
        return steps === null ? [] : [[key, [steps].flat().map((step) => line(step, key))]];
      }),
    );
  }
}

function isText(line: Format1Tables["lines"][number]): line is string | readonly Part[] {
  return typeof line === "string" || Array.isArray(line);
}

/**
 * The text with a stretch of its alphabet and ASCII's letters in each other's place.
 *
 * @param from where the stretch begins, as a UTF-16 code unit; 0 leaves the text alone
 */
function swapped(text: string, from: number): string {
  if (from === 0) return text;
  const swap = (unit: number): number => {
    if (unit >= 0x30 && unit < 0x80) return unit - 0x30 + from;
    return unit >= from && unit < from + 0x50 ? unit - from + 0x30 : unit;
  };
  return Array.from({ length: text.length }, (_, at) =>
    String.fromCharCode(swap(text.charCodeAt(at))),
  ).join("");
}
