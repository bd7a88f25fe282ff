// Three bytes are four signs, so every piece but the last is encoded without padding.
const piece = 3 * 16_384;

/** `{"name":…,"content":<base64>}` as a stream, made of a file's bytes piece by piece. */
export function uploadBody(name: string, bytes: Uint8Array): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let at = 0;
  return new ReadableStream({
    start(controller) {
      controller.enqueue(encoder.encode(`{"name":${JSON.stringify(name)},"content":"`));
    },
    pull(controller) {
      if (at < bytes.byteLength) {
        controller.enqueue(encoder.encode(toBase64(bytes.subarray(at, at + piece))));
        at += piece;
        return;
      }
      controller.enqueue(encoder.encode('"}'));
      controller.close();
    },
  });
}

function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}
