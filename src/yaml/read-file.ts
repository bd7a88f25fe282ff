import { closeSync, constants, fstatSync, openSync, readFileSync, readSync } from "node:fs";
import type { Reporter } from "./diagnostic.ts";
import { createSource, START, type Source } from "./source.ts";

/**
 * Reads a UTF-8 text file; a byte order mark is dropped. Anything else (missing, a directory, no
 * permission, too large, UTF-16, invalid bytes) is reported and gives null.
 *
 * @param whenAbsent the remedy when there is no such file
 */
export function readSource(
  file: string,
  maxBytes: number,
  reporter: Reporter,
  whenAbsent?: string,
): Source | null {
  const bytes = readBytes(file, maxBytes, reporter, whenAbsent);
  return bytes === null ? null : decodeSource(file, bytes, reporter);
}

/**
 * The bytes of a regular file, or null after a report. The files are small and local: using the
 * thread pool for each would cost five times the reading, which is seconds for ten thousand
 * directories of messages.
 */
export function readBytes(
  file: string,
  maxBytes: number,
  reporter: Reporter,
  whenAbsent?: string,
): Uint8Array | null {
  const refuse = (code: "unreadable" | "too-large", message: string, hint?: string): null => {
    reporter.error(createSource(file, ""), START, code, message, hint);
    return null;
  };
  let descriptor: number | null = null;
  try {
    // Without O_NONBLOCK, opening a pipe would wait for its writer.
    descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const facts = fstatSync(descriptor);
    if (facts.isDirectory()) return refuse("unreadable", `this is a directory, not a file`);
    // A pipe or a device may never end.
    if (!facts.isFile()) return refuse("unreadable", `this is not a regular file`);
    if (facts.size > maxBytes) {
      return refuse("too-large", `this has ${facts.size} bytes; at most ${maxBytes} are read`);
    }
    // Some file systems do not report the length of their files.
    return facts.size === 0 ? readFileSync(descriptor) : readAll(descriptor, facts.size);
  } catch (error) {
    return refuse("unreadable", reasonOf(error), isAbsent(error) ? whenAbsent : undefined);
  } finally {
    if (descriptor !== null) closeSync(descriptor);
  }
}

/** Without `readFileSync`'s stat. A file may have shrunk; added bytes wait for the next load. */
function readAll(descriptor: number, size: number): Uint8Array {
  const bytes = Buffer.allocUnsafe(size);
  let length = 0;
  while (length < size) {
    const read = readSync(descriptor, bytes, length, size - length, null);
    if (read === 0) break;
    length += read;
  }
  return bytes.subarray(0, length);
}

/** Bytes to text, or null after a report that names the first byte that is not UTF-8. */
export function decodeSource(file: string, bytes: Uint8Array, reporter: Reporter): Source | null {
  const utf16 = utf16Of(bytes);
  if (utf16 !== null) {
    const source = createSource(file, "");
    reporter.error(source, START, "encoding", `the file is ${utf16}`, "Save it as UTF-8.", {});
    return null;
  }
  try {
    return createSource(file, UTF8.decode(bytes));
  } catch {
    const text = new TextDecoder("utf-8").decode(bytes);
    const source = createSource(file, text);
    const start = findBadCharacter(bytes, text);
    const message = "this byte is not UTF-8 (perhaps the file is Latin-1 or Windows-1252)";
    reporter.error(source, { start, end: start + 1 }, "encoding", message, "Save it as UTF-8.", {});
    return null;
  }
}

/**
 * One for all, because a decoder costs as much as a small file. It keeps no state between calls.
 */
const UTF8 = new TextDecoder("utf-8", { fatal: true });

function utf16Of(bytes: Uint8Array): string | null {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return "UTF-16 (little endian)";
  if (first === 0xfe && second === 0xff) return "UTF-16 (big endian)";
  // Without a mark: every ASCII letter of UTF-16 has a zero byte beside it.
  if (bytes.length > 1 && (first === 0) !== (second === 0)) return "UTF-16 without a mark";
  return null;
}

/** Offset in the lenient text of the first replacement character not in the bytes. */
function findBadCharacter(bytes: Uint8Array, text: string): number {
  const encoder = new TextEncoder();
  let position = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  let from = 0;
  for (let at = text.indexOf("\ufffd"); at !== -1; at = text.indexOf("\ufffd", at + 1)) {
    position += encoder.encode(text.slice(from, at)).length;
    const real =
      bytes[position] === 0xef && bytes[position + 1] === 0xbf && bytes[position + 2] === 0xbd;
    if (!real) return at;
    position += 3;
    from = at + 1;
  }
  return 0;
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ["ENOENT", "there is no such file"],
  ["ENOTDIR", "a part of the path is not a directory"],
  ["EACCES", "this process may not read it"],
  ["EPERM", "this process may not read it"],
  ["ELOOP", "its symbolic links form a circle"],
  ["EISDIR", "it is a directory"],
  ["ENAMETOOLONG", "the path is too long"],
]);

/**
 * True for names that are read, but not for files that editors and copying programs create beside
 * them.
 */
export function isYamlName(name: string): boolean {
  return /^[^.].*\.ya?ml$/i.test(name);
}

/** True when there is no file of that name. */
export function isAbsent(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

/** Why a file or directory could not be read, in words. */
export function reasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return REASONS.get(code) ?? `it can't be read (${code === "" ? "unknown reason" : code})`;
}
