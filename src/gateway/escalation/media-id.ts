import { decoded } from "./decoded.ts";

/**
 * The id that a file of the chat has, decoded: the last segment of its address, `/media/<id>`.
 * Neither a query nor a fragment behind it is part of it. Encode it once wherever it becomes a
 * segment again.
 *
 * @param url as the chat wrote it, or the last segment of a request for the file
 * @returns null when there is nothing to ask for: no segment, one that a path is resolved by, or no
 *   proper text
 */
export function mediaId(url: string): string | null {
  const path = url.replace(/[?#].*$/su, "");
  const id = decoded(path.slice(path.lastIndexOf("/") + 1));
  // A lone surrogate cannot be encoded: encodeURIComponent throws.
  return id === "" || !id.isWellFormed() || id.split(/[/\\]/u).some(isDots) ? null : id;
}

/** Parameters behind dots are dots to some servers. */
function isDots(segment: string): boolean {
  return /^\.\.?(?:;.*)?$/su.test(segment);
}
