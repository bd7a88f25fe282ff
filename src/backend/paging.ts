import { Refusal } from "./refusal.ts";

export interface PageRequest {
  readonly length?: number | undefined;
  readonly offset?: number | undefined;
}

export const DEFAULT_LENGTH = 50;
export const LONGEST_PAGE = 200;

/** Rows to ask for (one more than are shown, to know whether there is more) and where to begin. */
export function pageBounds({ length = DEFAULT_LENGTH, offset = 0 }: PageRequest): {
  readonly length: number;
  readonly limit: number;
  readonly offset: number;
} {
  if (length < 1 || length > LONGEST_PAGE) {
    throw new Refusal(422, `length: must be from 1 to ${LONGEST_PAGE}`);
  }
  return { length, limit: length + 1, offset };
}

/** One page out of the rows that {@link pageBounds} asked for. */
export function toPage<T>(
  rows: readonly T[],
  length: number,
): { readonly data: readonly T[]; readonly hasMore: boolean } {
  return { data: rows.slice(0, length), hasMore: rows.length > length };
}
