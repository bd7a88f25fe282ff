import { relative } from "node:path";
import { isPostgresAddress } from "../../database-address.ts";

/** A path as a person in this directory writes it. An address stays one. */
export function shortenPath(path: string): string {
  if (isPostgresAddress(path)) return path;
  const short = relative(process.cwd(), path);
  return short === "" || short.startsWith("..") ? path : short;
}
