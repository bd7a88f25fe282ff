import { createNegotiator } from "../../../locales/negotiate.ts";
import type { Table, TableSet } from "../../../locales/types.ts";

// What of a set goes into the script, and what into the files of its languages. For the build.

/** The set with what escalation says in this language, and nothing else. */
export function linesOf(set: TableSet, locale: string): TableSet {
  return eachTable({ ...set, chains: {} }, (table, tag) =>
    tag === locale ? keeping(table, isOfEscalation) : null,
  );
}

/**
 * The set without what its language files hold; the fallback stays whole, so that there is always
 * something to say.
 */
export function withoutLate(set: TableSet): TableSet {
  const fallback = createNegotiator(set)({}).locale;
  return eachTable(set, (table, tag) =>
    tag === fallback ? table : keeping(table, (key) => !isOfEscalation(key)),
  );
}

/** The set with nothing of escalation. */
export function withoutEscalation(set: TableSet): TableSet {
  return eachTable(set, (table) => keeping(table, (key) => !isOfEscalation(key)));
}

function isOfEscalation(key: string): boolean {
  return key.startsWith("escalation.");
}

function keeping({ locale, lines }: Table, kept: (key: string) => boolean): Table {
  return {
    locale,
    lines: Object.fromEntries(Object.entries(lines).filter(([key]) => kept(key))),
  };
}

function eachTable(set: TableSet, change: (table: Table, tag: string) => Table | null): TableSet {
  const channels = Object.entries(set.channels).map(([channel, tables]) => {
    const changed = Object.entries(tables).flatMap(([tag, table]) => {
      const kept = change(table, tag);
      return kept === null ? [] : [[tag, kept] as const];
    });
    return [channel, Object.fromEntries(changed)] as const;
  });
  return { ...set, channels: Object.fromEntries(channels) };
}
