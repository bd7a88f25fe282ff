/** A text as it is sent: with gzip for whoever takes it. */
export interface Compressed {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly coding: "gzip" | null;
}

/** The text for a client with this `Accept-Encoding`. What was compressed once is kept. */
export async function compressedFor(
  acceptEncoding: string | undefined,
  text: string,
): Promise<Compressed> {
  if (!takesGzip(acceptEncoding ?? "")) {
    return { bytes: new TextEncoder().encode(text), coding: null };
  }
  const kept = gzipped.get(text) ?? gzip(text);
  if (gzipped.size >= mostKept) gzipped.clear();
  gzipped.set(text, kept);
  return { bytes: await kept, coding: "gzip" };
}

// The parts of one desk, and its page in a few spellings.
const mostKept = 100;
const gzipped = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();

/** RFC 9110, 12.5.3: a coding with the weight 0 is refused. */
function takesGzip(accepted: string): boolean {
  return accepted.split(",").some((member) => {
    const [coding = "", ...parameters] = member.split(";").map((part) => part.trim().toLowerCase());
    return coding === "gzip" && !parameters.some((one) => /^q=0(?:\.0*)?$/.test(one));
  });
}

async function gzip(text: string): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
