import type { Line, Part, Table, TableSet } from "../../locales/types.ts";
import { byFamily } from "./language-families.ts";
import { alphabetOf, swapLetters } from "./swapped-letters.ts";

/**
 * Table sets as a bundle and the key-value store carry them. Every line stands here once, in the
 * order of its first use; a table names its lines by how far each is from the one before, so that
 * most of them are zeros.
 */
export interface PackedTables {
  /**
   * Who says the lines that follow, how many these are, and the alphabet they are in:
   * `["shipped", "el", 17, 880]`.
   */
  readonly runs: readonly Run[];
  /**
   * A text, or its parts, for a line that says one HTML text and nothing else; their letters are
   * swapped.
   */
  readonly lines: readonly PackedLine[];
  readonly keys: readonly string[];
  readonly sets: readonly PackedSet[];
}

/** `alphabet` is what {@link swapLetters} takes. */
type Run = readonly [origin: Line["origin"], locale: string, count: number, alphabet?: number];

type PackedLine = string | readonly Part[] | Omit<Line, "origin" | "locale">;

interface PackedSet {
  readonly chains: TableSet["chains"];
  readonly fallback: string;
  readonly channels: { readonly [channel: string]: { readonly [locale: string]: PackedTable } };
}

/** For each of `keys`: its line; a list for several; null for none. */
type PackedTable = readonly (Step | readonly Step[] | null)[];

/**
 * How far a line is from the next in order; or the tag of a table before this one that says this
 * line first for the same key.
 */
type Step = number | string;

/** For the build and for `afterword overrides push`. */
export function packTables(sets: readonly TableSet[]): PackedTables {
  const numbers = new Map<string, number>();
  const lines: PackedLine[] = [];
  const runs: [Line["origin"], string, number][] = [];
  const keys = [
    ...new Set(sets.flatMap(allTables).flatMap(({ lines: said }) => Object.keys(said))),
  ];
  const packed = sets.map(packSet);
  return { ...withSwapped(runs, lines), keys, sets: packed };

  function packSet({ chains, fallback, channels }: TableSet): PackedSet {
    return {
      chains,
      fallback,
      channels: mapValues(channels, packChannel),
    };
  }

  function packChannel(all: Readonly<Record<string, Table>>): Record<string, PackedTable> {
    const before = new Map<string, Table>();
    return mapValues(inOrder(all), (table, tag) => {
      const packedTable = packTable(table, before);
      before.set(tag, table);
      return packedTable;
    });
  }

  function packTable(table: Table, before: ReadonlyMap<string, Table>): PackedTable {
    let next = lines.length;
    const step = (line: Line, key: string): Step => {
      const number = numberOf(line);
      // Every table has some of the last locale's lines behind its own: named so, they are the same
      // text in all tables.
      const [first] = before.get(line.locale)?.lines[key] ?? [];
      if (first !== undefined && numberOf(first) === number) return line.locale;
      const far = number - next;
      next = number + 1;
      return far;
    };
    return keys.map((key) => {
      const said = table.lines[key];
      if (said === undefined) return null;
      const [only] = said;
      return only !== undefined && said.length === 1
        ? step(only, key)
        : said.map((line) => step(line, key));
    });
  }

  function numberOf(line: Line): number {
    const name = JSON.stringify(line);
    const known = numbers.get(name);
    if (known !== undefined) return known;
    const { origin, locale, ...said } = line;
    const number = lines.push(htmlText(said) ?? said) - 1;
    numbers.set(name, number);
    const last = runs.at(-1);
    if (last?.[0] === origin && last[1] === locale) last[2] += 1;
    else runs.push([origin, locale, 1]);
    return number;
  }
}

/**
 * The table sets again. Lines that were the same object are one object.
 *
 * @throws TypeError or RangeError when this is nothing that {@link packTables} made
 */
export function unpackTables({ runs, lines, keys, sets }: PackedTables): readonly TableSet[] {
  const speakers = runs.flatMap((run) => Array.from({ length: run[2] }, () => run));
  const all = lines.map((packed, index): Line => {
    const [origin, locale, , alphabet] = speakers[index] ?? [];
    if (origin === undefined || locale === undefined)
      throw new RangeError("a line that nobody says");
    const said = swapped(packed, alphabet ?? 0);
    const parts = typeof said === "string" ? [said] : said;
    return isParts(parts)
      ? { say: { text: { format: "html", parts } }, origin, locale }
      : { ...parts, origin, locale };
  });
  let reached = 0;
  return sets.map(({ chains, fallback, channels }) => ({
    chains,
    fallback,
    channels: mapValues(channels, unpackChannel),
  }));

  function unpackChannel(tables: PackedSet["channels"][string]): Record<string, Table> {
    const known: Record<string, Table> = {};
    for (const [tag, packed] of Object.entries(tables))
      known[tag] = unpackTable(packed, tag, known);
    return known;
  }

  function unpackTable(
    packed: PackedTable,
    locale: string,
    known: Readonly<Record<string, Table>>,
  ): Table {
    // A table begins where the lines that were known before it end.
    let next = reached;
    const line = (step: Step, key: string): Line => {
      const far = typeof step === "number" ? step : null;
      const found = far === null ? known[step]?.lines[key]?.[0] : all[next + far];
      if (found === undefined) throw new RangeError("a line that is not there");
      if (far !== null) reached = Math.max(reached, (next += far + 1));
      return found;
    };
    const said: Record<string, readonly Line[]> = {};
    for (const [index, key] of keys.entries()) {
      const steps = packed[index] ?? null;
      if (steps !== null) said[key] = [steps].flat().map((step) => line(step, key));
    }
    return { locale, lines: said };
  }
}

function inOrder(all: Readonly<Record<string, Table>>): Record<string, Table> {
  return Object.fromEntries(Object.entries(all).sort(([one], [other]) => byFamily(one, other)));
}

function htmlText({ say, when, ...rest }: Omit<Line, "origin" | "locale">): PackedLine | null {
  const text = say?.text;
  if (text?.format !== "html" || when !== undefined || Object.keys(rest).length > 0) return null;
  if (say?.variants !== undefined || say?.plural !== undefined) return null;
  const [only] = text.parts;
  return typeof only === "string" && text.parts.length === 1 ? only : text.parts;
}

function withSwapped(
  runs: readonly Run[],
  lines: readonly PackedLine[],
): Pick<PackedTables, "runs" | "lines"> {
  let start = 0;
  const all = runs.map(([origin, locale, count]) => {
    const own = lines.slice(start, (start += count));
    const alphabet = alphabetOf(own.flatMap(textsOf));
    const run: Run = alphabet === 0 ? [origin, locale, count] : [origin, locale, count, alphabet];
    return { run, lines: own.map((line) => swapped(line, alphabet)) };
  });
  return { runs: all.map(({ run }) => run), lines: all.flatMap((one) => one.lines) };
}

function swapped(line: PackedLine, alphabet: number): PackedLine {
  if (typeof line === "string") return swapLetters(line, alphabet);
  return isParts(line)
    ? line.map((part) => (typeof part === "string" ? swapLetters(part, alphabet) : part))
    : line;
}

function textsOf(line: PackedLine): readonly string[] {
  if (typeof line === "string") return [line];
  return isParts(line) ? line.filter((part) => typeof part === "string") : [];
}

function isParts(line: PackedLine): line is readonly Part[] {
  return Array.isArray(line);
}

function allTables({ channels }: TableSet): readonly Table[] {
  return Object.values(channels).flatMap((tables) => Object.values(tables));
}

function mapValues<From, To>(
  record: Readonly<Record<string, From>>,
  change: (value: From, name: string) => To,
): Record<string, To> {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => [name, change(value, name)]),
  );
}
