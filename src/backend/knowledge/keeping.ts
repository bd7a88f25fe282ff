/** Things that are kept under a text as long as there is room. */
export interface Keeping<T> {
  get(key: string): T | undefined;
  /** Puts one in, or another one in its place, unless its `size` is more than all the room. */
  set(key: string, value: T, size: number): void;
  clear(): void;
}

/**
 * When there is no room those go first that nobody has asked for since the last time. That an entry
 * was asked for is a mark and no new place at the end of the map: a map from which something is
 * deleted at every look-up is written anew again and again, and the old one, with all that it
 * holds, is garbage that has grown old.
 *
 * @param room sizes of all that is kept, together
 */
export function createKeeping<T>(room: number): Keeping<T> {
  const entries = new Map<string, Entry<T>>();
  let used = 0;
  return {
    get(key) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      entry.asked = true;
      return entry.value;
    },
    set(key, value, size) {
      used -= entries.get(key)?.size ?? 0;
      entries.delete(key);
      if (size > room) return;
      // What is put at the end again is reached again, and then without its mark.
      for (const [oldest, entry] of entries) {
        if (used + size <= room) break;
        entries.delete(oldest);
        if (entry.asked) {
          entry.asked = false;
          entries.set(oldest, entry);
        } else used -= entry.size;
      }
      entries.set(key, { value, size, asked: false });
      used += size;
    },
    clear() {
      entries.clear();
      used = 0;
    },
  };
}

interface Entry<T> {
  readonly value: T;
  readonly size: number;
  asked: boolean;
}
