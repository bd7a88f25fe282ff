import { Refusal } from "./refusal.ts";

export interface RowRange {
  readonly length?: number | undefined;
  readonly offset?: number | undefined;
}

export interface Page<Row> {
  readonly data: readonly Row[];
  readonly hasMore: boolean;
}

const DEFAULT_LENGTH = 50;
const LONGEST_PAGE = 200;

/** One page; asks for one row more, to know whether there is more. Throws 422 for its length. */
export async function readPage<Row>(
  { length = DEFAULT_LENGTH, offset = 0 }: RowRange,
  read: (limit: number, offset: number) => Promise<readonly Row[]>,
): Promise<Page<Row>> {
  if (length < 1 || length > LONGEST_PAGE) {
    throw new Refusal(422, `length: must be from 1 to ${LONGEST_PAGE}`);
  }
  const rows = await read(length + 1, offset);
  return { data: rows.slice(0, length), hasMore: rows.length > length };
}
