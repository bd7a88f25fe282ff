import { KNOWN_MEDIA_TYPES, typeOfExtension } from "../../config/schema/media-types.ts";

interface NamedFile {
  readonly type: string;
  readonly name: string;
}

/** Serves a file as a download under its name, never run in a browser. */
export function downloadOf(file: NamedFile, bytes: Uint8Array): Response {
  return createDownload(file, Uint8Array.from(bytes), bytes.byteLength);
}

/** Reads at most `length` bytes of a stored file. */
export type ReadPiece = (from: number, length: number) => Promise<Uint8Array>;

/**
 * Serves a stored file like {@link downloadOf}. A large one is read piece by piece as the client takes
 * it, because many slow clients would otherwise keep a whole file each in memory.
 *
 * @throws what reading the first piece throws
 */
export async function serveStoredFile(
  file: NamedFile & { readonly size: number },
  readPiece: ReadPiece,
): Promise<Response> {
  const first = await readPiece(0, PIECE);
  if (first.byteLength >= file.size) return downloadOf(file, first);
  return createDownload(
    file,
    streamPieces(first, readRest(first.byteLength, file.size, readPiece)),
    file.size,
  );
}

/** In bytes. SQLite reads the whole row for each piece, so smaller ones would cost more time. */
const PIECE = 131_072;

async function* readRest(
  begin: number,
  size: number,
  readPiece: ReadPiece,
): AsyncGenerator<Uint8Array> {
  for (let from = begin; from < size; from += PIECE) {
    const piece = await readPiece(from, PIECE);
    if (piece.byteLength === 0) throw new Error("a stored file is shorter than its size");
    yield piece;
  }
}

/** Streams pieces, each of which is made when the client has taken the one before it. */
export function streamPieces(
  first: string | Uint8Array,
  rest: AsyncGenerator<string | Uint8Array>,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  let next: string | Uint8Array | null = first;
  return new ReadableStream(
    {
      async pull(controller) {
        const piece = next ?? (await rest.next()).value;
        next = null;
        if (piece === undefined) controller.close();
        else
          controller.enqueue(
            typeof piece === "string" ? encoder.encode(piece) : Uint8Array.from(piece),
          );
      },
      async cancel() {
        await rest.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}

function createDownload(
  { type, name }: NamedFile,
  body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>>,
  size: number,
): Response {
  return new Response(body, {
    headers: {
      "content-type": active.test(type) ? "application/octet-stream" : type,
      "content-length": String(size),
      "content-disposition": `attachment; filename*=UTF-8''${encodeRfc5987(name)}`,
      "content-security-policy": "sandbox; default-src 'none'",
      "x-content-type-options": "nosniff",
      "cache-control": "private, no-store",
    },
  });
}

// Browsers would run these: pages, drawings and scripts.
const active = /(?:html|xml|script)$/i;

/** A file name as a header carries it (RFC 8187, 3.2). */
function encodeRfc5987(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

const unknownType = "application/octet-stream";

export interface FileKind {
  /** The name without its path and without characters that cannot be seen. */
  readonly name: string;
  /** Lower case, or empty for a name without one. */
  readonly extension: string;
  readonly type: string;
  /** False if the first bytes contradict the type. */
  readonly genuine: boolean;
}

/** A file's type by its name, as receivers open it; the declared type counts if it says nothing. */
export function findFileKind(name: string, declared: string, data: Uint8Array): FileKind {
  const last = name.split(/[/\\]/).at(-1) ?? "";
  const clean = last
    .replaceAll(/[\p{Cc}\p{Cf}]/gu, "")
    .toWellFormed()
    // Windows drops dots and blanks at the end, so the name before them decides the extension.
    .replace(/(?<![.\s])[.\s]+$/u, "")
    .trim()
    .slice(-255);
  const extension = /\.([a-z0-9]{1,16})$/i.exec(clean)?.[1]?.toLowerCase() ?? "";
  const type = typeOfExtension(extension) ?? readDeclaredType(declared, extension, data);
  return {
    name: clean === "" ? "file" : clean,
    extension,
    type,
    genuine: beginsAs(type, data),
  };
}

/** Trusts a known type only for a name without extension, and only if the first bytes agree. */
function readDeclaredType(declared: string, extension: string, data: Uint8Array): string {
  const given = declared.split(";")[0]?.trim().toLowerCase() ?? "";
  if (!/^[a-z0-9.+-]+\/[a-z0-9.+-]+$/.test(given)) return unknownType;
  if (!KNOWN_MEDIA_TYPES.has(given)) return given;
  return extension === "" && beginsAs(given, data) ? given : unknownType;
}

function beginsAs(type: string, data: Uint8Array): boolean {
  return FILE_BEGINNINGS.get(type)?.(data) ?? true;
}

type Begins = (data: Uint8Array) => boolean;

const expectBytes =
  (offset: number, ...bytes: readonly number[]): Begins =>
  (data) =>
    bytes.every((byte, index) => data[offset + index] === byte);
const expectText = (offset: number, letters: string): Begins =>
  expectBytes(offset, ...new TextEncoder().encode(letters));
const expectAll =
  (...some: readonly Begins[]): Begins =>
  (data) =>
    some.every((one) => one(data));
const expectAny =
  (...some: readonly Begins[]): Begins =>
  (data) =>
    some.some((one) => one(data));

const zip = expectAny(expectBytes(0, 0x50, 0x4b, 3, 4), expectBytes(0, 0x50, 0x4b, 5, 6));
const ole = expectBytes(0, 0xd0, 0xcf, 0x11, 0xe0);
/** ISO/IEC 14496-12, 4.3: the size of the first box, then its name. */
const isoMedia = expectText(4, "ftyp");
const expectRiff = (form: string): Begins => expectAll(expectText(0, "RIFF"), expectText(8, form));
const id3 = expectText(0, "ID3");
const openDocument = "application/vnd.oasis.opendocument";
const office = "application/vnd.openxmlformats-officedocument";

/** How files of a type begin, where their formats say so. */
const FILE_BEGINNINGS: ReadonlyMap<string, Begins> = new Map<string, Begins>([
  ["image/jpeg", expectBytes(0, 0xff, 0xd8, 0xff)],
  ["image/png", expectBytes(0, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)],
  ["image/gif", expectAny(expectText(0, "GIF87a"), expectText(0, "GIF89a"))],
  ["image/webp", expectRiff("WEBP")],
  ["image/heic", isoMedia],
  ["image/bmp", expectText(0, "BM")],
  ["application/pdf", expectText(0, "%PDF-")],
  ["application/msword", ole],
  ["application/vnd.ms-excel", ole],
  ["application/vnd.ms-powerpoint", ole],
  ["application/rtf", expectText(0, "{\\rtf")],
  [`${office}.wordprocessingml.document`, zip],
  [`${office}.spreadsheetml.sheet`, zip],
  [`${office}.presentationml.presentation`, zip],
  [`${openDocument}.text`, zip],
  [`${openDocument}.spreadsheet`, zip],
  [`${openDocument}.presentation`, zip],
  ["application/zip", zip],
  ["application/gzip", expectBytes(0, 0x1f, 0x8b)],
  ["text/plain", isText],
  ["text/csv", isText],
  ["text/markdown", isText],
  ["video/mp4", isoMedia],
  ["video/x-msvideo", expectRiff("AVI ")],
  ["video/webm", expectBytes(0, 0x1a, 0x45, 0xdf, 0xa3)],
  ["audio/mpeg", expectAny(id3, expectFrame(0xe0, 0xe0))],
  ["audio/aac", expectAny(id3, expectText(0, "ADIF"), expectFrame(0xf6, 0xf0))],
  [
    "audio/wav",
    expectAny(expectRiff("WAVE"), expectAll(expectText(0, "RF64"), expectText(8, "WAVE"))),
  ],
  ["audio/x-ms-wma", expectBytes(0, 0x30, 0x26, 0xb2, 0x75, 0x8e, 0x66, 0xcf, 0x11)],
  ["audio/ogg", expectText(0, "OggS")],
  ["audio/mp4", isoMedia],
]);

/** A frame of MPEG audio or ADTS AAC: eleven or twelve set bits, then the layer. */
function expectFrame(mask: number, bits: number): Begins {
  return (data) => data[0] === 0xff && ((data[1] ?? 0) & mask) === bits;
}

/** True without zero bytes, or with the byte order mark of UTF-16. */
function isText(data: Uint8Array): boolean {
  const wide = expectBytes(0, 0xff, 0xfe)(data) || expectBytes(0, 0xfe, 0xff)(data);
  return wide || !data.subarray(0, 4096).includes(0);
}
