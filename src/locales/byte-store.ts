/**
 * Many short texts side by side: an array with memory of its own costs a few hundred bytes more
 * than it holds.
 */
export interface ByteStore {
  /** Keeps a copy of the bytes. The result is what {@link ByteStore.view} finds them by. */
  add(bytes: Uint8Array): number;
  /** What was kept there, for reading only. */
  view(address: number, length: number): Uint8Array;
}

/** A store that only grows: what it keeps lives as long as it does. */
export function createByteStore(): ByteStore {
  const shelves: ArrayBuffer[] = [];
  let open = new Uint8Array(0);
  let start = 0;
  let used = 0;
  // A long text has a shelf to itself, whatever its length: the next address is the next shelf's.
  const shelve = (length: number): Uint8Array<ArrayBuffer> => {
    const shelf = new Uint8Array(length);
    shelves.push(shelf.buffer);
    return shelf;
  };
  return {
    add(bytes) {
      if (bytes.length > SHORT) {
        shelve(bytes.length).set(bytes);
        return (shelves.length - 1) * SHELF;
      }
      if (bytes.length > open.length - used) {
        open = shelve(SHELF);
        start = (shelves.length - 1) * SHELF;
        used = 0;
      }
      open.set(bytes, used);
      used += bytes.length;
      return start + used - bytes.length;
    },
    view(address, length) {
      const shelf = shelves[Math.floor(address / SHELF)];
      if (shelf === undefined) throw new RangeError(`nothing is kept at ${address}`);
      return new Uint8Array(shelf, address % SHELF, length);
    },
  };
}

const SHELF = 65_536;
/** So that little of a shelf stays empty. */
const SHORT = 4_096;
