import { relative } from "node:path";
import { isPostgresAddress } from "../../database-address.ts";

/**
 * Writes a path relative to this directory if it lies in it. The address of a database stays as it
 * is.
 */
export function shortenPath(path: string): string {
  if (isPostgresAddress(path)) return path;
  const short = relative(process.cwd(), path);
  return short === "" || short.startsWith("..") ? path : short;
}
