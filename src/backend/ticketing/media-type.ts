export type MediaType =
  | { readonly ok: true; readonly name: string; readonly type: string }
  | { readonly ok: false; readonly reason: string };

/** What a file begins with, where its kind says so. */
interface Kind {
  readonly type: string;
  readonly begins?: readonly (readonly number[])[];
}

const ascii = (text: string): readonly number[] => [...new TextEncoder().encode(text)];
const zip = [
  [0x50, 0x4b, 0x03, 0x04],
  [0x50, 0x4b, 0x05, 0x06],
];
const ole = [[0xd0, 0xcf, 0x11, 0xe0]];
const office = "application/vnd.openxmlformats-officedocument";

const kinds: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ["png", { type: "image/png", begins: [[0x89, 0x50, 0x4e, 0x47]] }],
  ["jpg", { type: "image/jpeg", begins: [[0xff, 0xd8, 0xff]] }],
  ["jpeg", { type: "image/jpeg", begins: [[0xff, 0xd8, 0xff]] }],
  ["gif", { type: "image/gif", begins: [ascii("GIF8")] }],
  ["webp", { type: "image/webp", begins: [ascii("RIFF")] }],
  ["bmp", { type: "image/bmp", begins: [ascii("BM")] }],
  ["heic", { type: "image/heic" }],
  ["tif", { type: "image/tiff" }],
  ["tiff", { type: "image/tiff" }],
  ["pdf", { type: "application/pdf", begins: [ascii("%PDF-")] }],
  ["txt", { type: "text/plain" }],
  ["log", { type: "text/plain" }],
  ["csv", { type: "text/csv" }],
  ["json", { type: "application/json" }],
  ["xml", { type: "application/xml" }],
  ["eml", { type: "message/rfc822" }],
  ["rtf", { type: "application/rtf", begins: [ascii("{\\rtf")] }],
  ["zip", { type: "application/zip", begins: zip }],
  ["docx", { type: `${office}.wordprocessingml.document`, begins: zip }],
  ["xlsx", { type: `${office}.spreadsheetml.sheet`, begins: zip }],
  ["pptx", { type: `${office}.presentationml.presentation`, begins: zip }],
  ["odt", { type: "application/vnd.oasis.opendocument.text", begins: zip }],
  ["ods", { type: "application/vnd.oasis.opendocument.spreadsheet", begins: zip }],
  ["doc", { type: "application/msword", begins: ole }],
  ["xls", { type: "application/vnd.ms-excel", begins: ole }],
  ["ppt", { type: "application/vnd.ms-powerpoint", begins: ole }],
  ["mp3", { type: "audio/mpeg" }],
  ["wav", { type: "audio/wav", begins: [ascii("RIFF")] }],
  ["ogg", { type: "audio/ogg", begins: [ascii("OggS")] }],
  ["oga", { type: "audio/ogg", begins: [ascii("OggS")] }],
  ["m4a", { type: "audio/mp4" }],
  ["aac", { type: "audio/aac" }],
  ["wma", { type: "audio/x-ms-wma", begins: [[0x30, 0x26, 0xb2, 0x75, 0x8e, 0x66, 0xcf, 0x11]] }],
  ["avi", { type: "video/x-msvideo", begins: [ascii("RIFF")] }],
  ["mp4", { type: "video/mp4" }],
  ["mov", { type: "video/quicktime" }],
  ["webm", { type: "video/webm", begins: [[0x1a, 0x45, 0xdf, 0xa3]] }],
]);

/**
 * The type of an uploaded file, by the extension of its name. A file whose first bytes are those of another kind is refused,
 * and so is every extension that is not listed: what a browser would run, such as HTML or SVG, is not.
 */
export function mediaType(name: string, data: Uint8Array): MediaType {
  const last = name.split(/[/\\]/).at(-1)?.trim() ?? "";
  const clean = last.replaceAll(/[\p{Cc}\p{Cf}]/gu, "");
  if (clean.length > 255) return { ok: false, reason: "name: is longer than 255 characters" };
  const extension = /[^.]\.([a-z0-9]{1,8})$/i.exec(clean)?.[1]?.toLowerCase();
  if (extension === undefined) {
    return { ok: false, reason: "name: must end in an extension, such as photo.jpg" };
  }
  const kind = kinds.get(extension);
  if (kind === undefined) {
    const known = [...kinds.keys()].join(", ");
    return {
      ok: false,
      reason: `name: files of the kind .${extension} are not accepted; these are: ${known}`,
    };
  }
  const fits = kind.begins?.some((start) => start.every((byte, index) => data[index] === byte));
  return fits === false
    ? { ok: false, reason: `content: is not a .${extension} file` }
    : { ok: true, name: clean, type: kind.type };
}
