/**
 * Answers with a file that somebody sent in: saved under its name, and never run in a browser,
 * whatever it is.
 */
export function downloadOf(
  { type, name }: { readonly type: string; readonly name: string },
  bytes: Uint8Array,
): Response {
  return new Response(Uint8Array.from(bytes), {
    headers: {
      "content-type": active.test(type) ? "application/octet-stream" : type,
      "content-disposition": `attachment; filename*=UTF-8''${encodeRfc5987(name)}`,
      "content-security-policy": "sandbox; default-src 'none'",
      "x-content-type-options": "nosniff",
      "cache-control": "private, no-store",
    },
  });
}

// Pages, drawings and scripts: what else a browser would run.
const active = /(?:html|xml|script)$/i;

/** A file name as a header carries it (RFC 8187, 3.2). */
function encodeRfc5987(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
