import { pageBounds } from "../paging.ts";

export interface ChatPage<Row> {
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
}

/** One page; asks for one row more, to know whether there is more. Throws 422 for its length. */
export async function pageOf<Row>(
  request: { readonly length?: number | undefined; readonly offset?: number | undefined },
  read: (limit: number, offset: number) => Promise<readonly Row[]>,
): Promise<ChatPage<Row>> {
  const { length, limit, offset } = pageBounds(request);
  const rows = await read(limit, offset);
  return { rows: rows.slice(0, length), hasMore: rows.length > length };
}
