import { KNOWN_MEDIA_TYPES, typeOfExtension } from "../media-types.ts";
import { FILE_BEGINNINGS } from "./file-beginnings.ts";

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
 * What a file is, by its name: that is what decides how the receiver's system opens it. The type
 * that the client declares counts only for a name that says nothing.
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
  const type = typeOfExtension(extension) ?? typeBy(declared, extension, data);
  return {
    name: clean === "" ? "file" : clean,
    extension,
    type,
    genuine: beginsAs(type, data),
  };
}

/**
 * A type whose extensions are known is none for a file of another extension, or one that does not
 * begin so.
 */
function typeBy(declared: string, extension: string, data: Uint8Array): string {
  const given = declared.split(";")[0]?.trim().toLowerCase() ?? "";
  if (!/^[a-z0-9.+-]+\/[a-z0-9.+-]+$/.test(given)) return unknownType;
  if (!KNOWN_MEDIA_TYPES.has(given)) return given;
  return extension === "" && beginsAs(given, data) ? given : unknownType;
}

function beginsAs(type: string, data: Uint8Array): boolean {
  return FILE_BEGINNINGS.get(type)?.(data) ?? true;
}
