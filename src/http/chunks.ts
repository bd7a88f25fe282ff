/**
 * A piece of a body as a chunk (RFC 9112 section 7.1). @param bytes at least one: none would end
 * the body
 */
export function chunkOf(bytes: Uint8Array): Buffer {
  const size = bytes.length.toString(16);
  const chunk = Buffer.allocUnsafe(size.length + bytes.length + 4);
  chunk.write(size + "\r\n", 0, "latin1");
  chunk.set(bytes, size.length + 2);
  chunk.write("\r\n", chunk.length - 2, "latin1");
  return chunk;
}

/** What ends a body in chunks that has no trailers. */
export const lastChunk: Uint8Array = Buffer.from("0\r\n\r\n");
