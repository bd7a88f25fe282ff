import { documented, listMember, memberOf } from "./read.ts";

/** Which records of a list. */
export interface PageOptions {
  /** Records in one page. */
  readonly length?: number;
  readonly offset?: number;
}

/**
 * A list, page by page as it is read, until the service says that there are no more, or sends an
 * empty page or one that is not full.
 *
 * @param member the name under which an answer has its records
 */
export async function* walkPages<T>(
  page: (query: Required<PageOptions>) => Promise<unknown>,
  member: string,
  { length = 50, offset = 0 }: PageOptions,
): AsyncGenerator<T> {
  for (let from = offset; ;) {
    const answer = await page({ length, offset: from });
    const records = documented<readonly T[]>(listMember(answer, member));
    yield* records;
    from += records.length;
    const more = memberOf(answer, "hasMore");
    if (records.length === 0 || (typeof more === "boolean" ? !more : records.length < length)) {
      return;
    }
  }
}
