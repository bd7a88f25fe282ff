import { unzipSync } from "fflate";
import { MAX_IMPORT_BYTES, MAX_IMPORT_FILES, type ImportFile } from "./imported.ts";

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
): readonly ImportFile[] | string {
  const seen = { files: 0, bytes: 0, fault: "" };
  try {
    const unpacked = unzipSync(bytes, {
      filter({ name, originalSize }) {
        const path = name.replaceAll("\\", "/");
        if (seen.fault !== "" || path.endsWith("/")) return false;
        seen.files += 1;
        seen.bytes += mayUnpack(path) ? originalSize : 0;
        seen.fault = faultOf(path, seen, originalSize, most);
        return seen.fault === "" && mayUnpack(path);
      },
    });
    if (seen.fault !== "") return seen.fault;
    return Object.entries(unpacked).map(([name, content]) => ({
      name: name.replaceAll("\\", "/"),
      bytes: content,
    }));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return `this ZIP archive can't be read: ${why}`;
  }
}

function faultOf(
  path: string,
  seen: { files: number; bytes: number },
  size: number,
  most: number,
): string {
  if (path.startsWith("/") || /^[a-z]:/iu.test(path) || path.split("/").includes("..")) {
    return `this ZIP archive names a file outside of itself: ${path}`;
  }
  if (seen.files > MAX_IMPORT_FILES) return `it has more than ${MAX_IMPORT_FILES} files`;
  if (size > MAX_IMPORT_BYTES)
    return `${path} has ${size} bytes; at most ${MAX_IMPORT_BYTES} are read`;
  return seen.bytes > most ? `its files have more than ${most} bytes together` : "";
}
