/** What is known of a kind of file: its type, and how it begins where its kind says so. */
interface Kind {
  readonly type: string;
  readonly begins?: readonly number[];
}

const ascii = (text: string): readonly number[] => [...new TextEncoder().encode(text)];
const zip = [0x50, 0x4b];
const ole = [0xd0, 0xcf, 0x11, 0xe0];
const office = "application/vnd.openxmlformats-officedocument";

const kinds: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ["jpg", { type: "image/jpeg", begins: [0xff, 0xd8, 0xff] }],
  ["jpeg", { type: "image/jpeg", begins: [0xff, 0xd8, 0xff] }],
  ["png", { type: "image/png", begins: [0x89, 0x50, 0x4e, 0x47] }],
  ["gif", { type: "image/gif", begins: ascii("GIF8") }],
  ["webp", { type: "image/webp", begins: ascii("RIFF") }],
  ["heic", { type: "image/heic" }],
  ["pdf", { type: "application/pdf", begins: ascii("%PDF-") }],
  ["doc", { type: "application/msword", begins: ole }],
  ["docx", { type: `${office}.wordprocessingml.document`, begins: zip }],
  ["xls", { type: "application/vnd.ms-excel", begins: ole }],
  ["xlsx", { type: `${office}.spreadsheetml.sheet`, begins: zip }],
  ["zip", { type: "application/zip", begins: zip }],
  ["txt", { type: "text/plain" }],
  ["csv", { type: "text/csv" }],
  ["mp4", { type: "video/mp4" }],
  ["avi", { type: "video/x-msvideo", begins: ascii("RIFF") }],
  ["webm", { type: "video/webm", begins: [0x1a, 0x45, 0xdf, 0xa3] }],
  ["mp3", { type: "audio/mpeg" }],
  ["aac", { type: "audio/aac" }],
  ["wav", { type: "audio/wav", begins: ascii("RIFF") }],
  ["wma", { type: "audio/x-ms-wma" }],
  ["ogg", { type: "audio/ogg", begins: ascii("OggS") }],
  ["oga", { type: "audio/ogg", begins: ascii("OggS") }],
  ["m4a", { type: "audio/mp4" }],
]);

export interface FileKind {
  /** The name without its path and without characters that cannot be seen. */
  readonly name: string;
  /** Lower case, or empty for a name without one. */
  readonly extension: string;
  readonly type: string;
  /** False where the file does not begin as its kind does. */
  readonly genuine: boolean;
}

/** What a file is, by its name; for a kind that is not known, by the type that the client declares. */
export function fileKind(name: string, declared: string, data: Uint8Array): FileKind {
  const last = name.split(/[/\\]/).at(-1)?.trim() ?? "";
  const clean = last
    .replaceAll(/[\p{Cc}\p{Cf}]/gu, "")
    .toWellFormed()
    .slice(-255);
  const extension = /\.([a-z0-9]{1,8})$/i.exec(clean)?.[1]?.toLowerCase() ?? "";
  const kind = kinds.get(extension);
  const given = declared.split(";")[0]?.trim().toLowerCase() ?? "";
  const fallback = /^[a-z0-9.+-]+\/[a-z0-9.+-]+$/.test(given) ? given : "application/octet-stream";
  return {
    name: clean === "" ? "file" : clean,
    extension,
    type: kind?.type ?? fallback,
    genuine: kind?.begins?.every((byte, index) => data[index] === byte) ?? true,
  };
}

/** True where a list of types (`image/png`, `image/*`) and extensions (`png`, `.png`) names the file's. */
export function isAllowed(allowed: readonly string[], { extension, type }: FileKind): boolean {
  return allowed.some((entry) => {
    const wanted = entry.trim().toLowerCase().replace(/^\./, "");
    if (wanted === "") return false;
    if (wanted.endsWith("/*")) return type.startsWith(wanted.slice(0, -1));
    return wanted === type || wanted === extension;
  });
}
