/** Keeps a copy of some bytes; the result must not be written to. */
export type StoreBytes = (bytes: Uint8Array) => Uint8Array;

/**
 * Keeps many short texts side by side. An array with memory of its own costs a few hundred bytes more than it holds, and
 * lies where nothing else is read.
 */
export function createByteStore(): StoreBytes {
  let shelf = new Uint8Array(0);
  let used = 0;
  return (bytes) => {
    if (bytes.length > SHORT) return bytes;
    if (bytes.length > shelf.length - used) {
      shelf = new Uint8Array(SHELF);
      used = 0;
    }
    shelf.set(bytes, used);
    used += bytes.length;
    return shelf.subarray(used - bytes.length, used);
  };
}

const SHELF = 65_536;
/** So that little of a shelf stays empty. */
const SHORT = 4_096;
