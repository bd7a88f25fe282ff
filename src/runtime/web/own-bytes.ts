/**
 * Bytes over a plain ArrayBuffer, as the Fetch API takes them: the very same, or a copy of what
 * lies in shared memory.
 */
export function ownBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return isPlain(bytes) ? bytes : new Uint8Array(bytes);
}

function isPlain(bytes: Uint8Array): bytes is Uint8Array<ArrayBuffer> {
  return bytes.buffer instanceof ArrayBuffer;
}
