/** What one look at the source gives: a number, the most it may be, and the places behind it. */
export interface Measure {
  readonly title: string;
  readonly value: number;
  /** Null: shown only. */
  readonly most: number | null;
  /** Worst first, unless they are in an order of their own. */
  readonly findings: readonly Finding[];
  readonly inOrder?: boolean;
  readonly note?: string;
}

export interface Finding {
  /** A file, folder or type. */
  readonly name: string;
  /** What is too much about it: lines, entries, places. */
  readonly size?: number;
  readonly detail?: string;
}

/** A measure whose number is how many findings there are. */
export function countOf(
  title: string,
  findings: readonly Finding[],
  most: number | null = 0,
): Measure {
  return { title, value: findings.length, most, findings };
}

/** A measure whose number is what its findings are together; the largest first. */
export function sumOf(
  title: string,
  findings: readonly Finding[],
  most: number | null = 0,
): Measure {
  const value = findings.reduce((sum, { size }) => sum + (size ?? 1), 0);
  return { title, value, most, findings: largestFirst(findings) };
}

export function largestFirst(findings: readonly Finding[]): readonly Finding[] {
  return findings.toSorted((one, other) => (other.size ?? 0) - (one.size ?? 0));
}

/** @returns whether the number is above its target */
export function isMissed({ value, most }: Measure): boolean {
  return most !== null && value > most;
}
