import { unzipSync } from "fflate";
import { MAX_IMPORT_BYTES, MAX_IMPORT_FILES, type ImportFile } from "./imported/imported.ts";

/** All unpacked files together have at most this many bytes. */
const MAX_UNPACKED_BYTES = 4 * MAX_IMPORT_BYTES;

/** True for a ZIP archive, by its first bytes. */
export function isZip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 0x03 && bytes[3] === 0x04;
}

/**
 * Unpacks the selected files of a ZIP archive in memory, or describes what is wrong with it. No file
 * may become larger than the archive says, and those sizes are limited.
 */
export function unzip(
  bytes: Uint8Array,
  mayUnpack: (name: string) => boolean,
  most: number = MAX_UNPACKED_BYTES,
): readonly ImportFile[] | ZipFault {
  const seen: Seen = { files: 0, bytes: 0, fault: null };
  try {
    const unpacked = unzipSync(bytes, {
      filter({ name, originalSize }) {
        const path = name.replaceAll("\\", "/");
        if (seen.fault !== null || path.endsWith("/")) return false;
        seen.files += 1;
        seen.bytes += mayUnpack(path) ? originalSize : 0;
        seen.fault = faultOf(path, seen, originalSize, most);
        return seen.fault === null && mayUnpack(path);
      },
    });
    if (seen.fault !== null) return seen.fault;
    return Object.entries(unpacked).map(([name, content]) => ({
      name: name.replaceAll("\\", "/"),
      bytes: content,
    }));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { code: "archive", message: `this ZIP archive can't be read: ${why}` };
  }
}

/** Why an archive cannot be unpacked. */
export interface ZipFault {
  readonly code: "archive" | "too-large";
  readonly message: string;
}

interface Seen {
  files: number;
  bytes: number;
  fault: ZipFault | null;
}

function faultOf(path: string, seen: Seen, size: number, most: number): ZipFault | null {
  if (path.startsWith("/") || /^[a-z]:/iu.test(path) || path.split("/").includes("..")) {
    return { code: "archive", message: `this ZIP archive names a file outside of itself: ${path}` };
  }
  if (seen.files > MAX_IMPORT_FILES)
    return refuseSize(`it has more than ${MAX_IMPORT_FILES} files`);
  if (size > MAX_IMPORT_BYTES)
    return refuseSize(`${path} has ${size} bytes; at most ${MAX_IMPORT_BYTES} are read`);
  return seen.bytes > most ? refuseSize(`its files have more than ${most} bytes together`) : null;
}

function refuseSize(message: string): ZipFault {
  return { code: "too-large", message };
}
