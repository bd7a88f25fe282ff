/** At most `limit` values by key; the one that was used longest ago leaves for a new one. */
export interface LeastRecentlyUsed<Value> {
  readonly size: number;
  /** That is a use. */
  get(key: string): Value | undefined;
  /** That is one, too. */
  set(key: string, value: Value): void;
  delete(key: string): void;
}

/**
 * The order is a chain through the entries, and the Map only finds them. Where a Map keeps the
 * order itself, each use deletes and inserts: V8 then copies the table again and again, an old
 * table as an old object, 50 bytes and more per use until the next full collection; and to find the
 * first entry it goes past all that were deleted before it.
 *
 * @param limit at least 1
 */
export function createLeastRecentlyUsed<Value>(limit: number): LeastRecentlyUsed<Value> {
  const links = new Map<string, Link<Value>>();
  let oldest: Link<Value> | null = null;
  let youngest: Link<Value> | null = null;

  return {
    get size() {
      return links.size;
    },
    get(key) {
      const link = links.get(key);
      if (link === undefined) return undefined;
      use(link);
      return link.value;
    },
    set(key, value) {
      const link = links.get(key);
      if (link === undefined) {
        if (links.size >= limit && oldest !== null) remove(oldest);
        const added: Link<Value> = { key, value, older: null, younger: null };
        links.set(key, added);
        append(added);
      } else {
        link.value = value;
        use(link);
      }
    },
    delete(key) {
      const link = links.get(key);
      if (link !== undefined) remove(link);
    },
  };

  function use(link: Link<Value>): void {
    if (link === youngest) return;
    unchain(link);
    append(link);
  }

  function remove(link: Link<Value>): void {
    links.delete(link.key);
    unchain(link);
  }

  function append(link: Link<Value>): void {
    link.older = youngest;
    link.younger = null;
    if (youngest === null) oldest = link;
    else youngest.younger = link;
    youngest = link;
  }

  function unchain({ older, younger }: Link<Value>): void {
    if (older === null) oldest = younger;
    else older.younger = younger;
    if (younger === null) youngest = older;
    else younger.older = older;
  }
}

interface Link<Value> {
  readonly key: string;
  value: Value;
  older: Link<Value> | null;
  younger: Link<Value> | null;
}
