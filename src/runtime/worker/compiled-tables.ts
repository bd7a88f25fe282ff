import type { Line, Table, TableSet } from "../../locales/types.ts";

/** Table sets as JSON: each line once, referred to by index, as most lines are shared. */
export interface CompiledTables {
  readonly lines: readonly Line[];
  readonly sets: readonly CompiledSet[];
}

interface CompiledSet extends Omit<TableSet, "channels"> {
  readonly channels: { readonly [channel: string]: { readonly [locale: string]: CompiledTable } };
}

interface CompiledTable {
  readonly [key: string]: readonly number[];
}

/** For the build and for `afterword overrides push`. */
export function compileTables(sets: readonly TableSet[]): CompiledTables {
  const indexes = new Map<string, number>();
  const lines: Line[] = [];
  const compiled = sets.map((set) => withTables(set, compileTable));
  return { lines, sets: compiled };

  function compileTable(table: Table): CompiledTable {
    return mapValues(table.lines, (candidates) => candidates.map(indexOf));
  }

  function indexOf(line: Line): number {
    const text = JSON.stringify(line);
    const known = indexes.get(text);
    if (known !== undefined) return known;
    const index = lines.push(line) - 1;
    indexes.set(text, index);
    return index;
  }
}

/**
 * The table sets again. Equal lines are one object.
 *
 * @throws TypeError or RangeError for anything that {@link compileTables} did not make
 */
export function readTables({ lines, sets }: CompiledTables): readonly TableSet[] {
  return sets.map((set) =>
    withTables(set, (table: CompiledTable, locale) => ({
      locale,
      lines: mapValues(table, (indexes) => indexes.map(lineAt)),
    })),
  );

  function lineAt(index: number): Line {
    const line = lines[index];
    if (line === undefined) throw new RangeError(`there is no line ${index}`);
    return line;
  }
}

type Channels<From> = { readonly [channel: string]: { readonly [locale: string]: From } };

/** Returns the set with another form of each of its tables. */
function withTables<From, To>(
  set: Omit<TableSet, "channels"> & { readonly channels: Channels<From> },
  change: (table: From, locale: string) => To,
): Omit<TableSet, "channels"> & { readonly channels: Channels<To> } {
  return { ...set, channels: mapValues(set.channels, (tables) => mapValues(tables, change)) };
}

export function mapValues<From, To>(
  record: Readonly<Record<string, From>>,
  change: (value: From, name: string) => To,
): Record<string, To> {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => [name, change(value, name)]),
  );
}
