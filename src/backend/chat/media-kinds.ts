import { FILE_BEGINNINGS } from "./file-beginnings.ts";

const office = "application/vnd.openxmlformats-officedocument";

/** Types by extension. What is missing goes by the type that the client declares. */
const types: ReadonlyMap<string, string> = new Map([
  ["jpg", "image/jpeg"],
  ["jpeg", "image/jpeg"],
  ["png", "image/png"],
  ["gif", "image/gif"],
  ["webp", "image/webp"],
  ["heic", "image/heic"],
  ["svg", "image/svg+xml"],
  ["pdf", "application/pdf"],
  ["doc", "application/msword"],
  ["docx", `${office}.wordprocessingml.document`],
  ["xls", "application/vnd.ms-excel"],
  ["xlsx", `${office}.spreadsheetml.sheet`],
  ["zip", "application/zip"],
  ["txt", "text/plain"],
  ["csv", "text/csv"],
  ["htm", "text/html"],
  ["html", "text/html"],
  ["xhtml", "application/xhtml+xml"],
  ["xml", "application/xml"],
  ["js", "text/javascript"],
  ["mjs", "text/javascript"],
  ["exe", "application/vnd.microsoft.portable-executable"],
  ["mp4", "video/mp4"],
  ["avi", "video/x-msvideo"],
  ["webm", "video/webm"],
  ["mp3", "audio/mpeg"],
  ["aac", "audio/aac"],
  ["wav", "audio/wav"],
  ["wma", "audio/x-ms-wma"],
  ["ogg", "audio/ogg"],
  ["oga", "audio/ogg"],
  ["m4a", "audio/mp4"],
]);

const known: ReadonlySet<string> = new Set(types.values());
const unknownType = "application/octet-stream";

export interface FileKind {
  /** The name without its path and without characters that cannot be seen. */
  readonly name: string;
  /** Lower case, or empty for a name without one. */
  readonly extension: string;
  readonly type: string;
  /** False where the file does not begin as its type does. */
  readonly genuine: boolean;
}

/**
 * What a file is, by its name: that is what decides how the receiver's system opens it. The type that the client declares
 * counts only for a name that says nothing.
 */
export function fileKind(name: string, declared: string, data: Uint8Array): FileKind {
  const last = name.split(/[/\\]/).at(-1) ?? "";
  const clean = last
    .replaceAll(/[\p{Cc}\p{Cf}]/gu, "")
    .toWellFormed()
    // Windows leaves them off, and what is before them becomes the extension.
    .replace(/(?<![.\s])[.\s]+$/u, "")
    .trim()
    .slice(-255);
  const extension = /\.([a-z0-9]{1,16})$/i.exec(clean)?.[1]?.toLowerCase() ?? "";
  const type = types.get(extension) ?? typeBy(declared, extension, data);
  return {
    name: clean === "" ? "file" : clean,
    extension,
    type,
    genuine: beginsAs(type, data),
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

/** A type whose extensions are known is none for a file of another extension, or one that does not begin so. */
function typeBy(declared: string, extension: string, data: Uint8Array): string {
  const given = declared.split(";")[0]?.trim().toLowerCase() ?? "";
  if (!/^[a-z0-9.+-]+\/[a-z0-9.+-]+$/.test(given)) return unknownType;
  if (!known.has(given)) return given;
  return extension === "" && beginsAs(given, data) ? given : unknownType;
}

function beginsAs(type: string, data: Uint8Array): boolean {
  return FILE_BEGINNINGS.get(type)?.(data) ?? true;
}
