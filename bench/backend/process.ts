import { fileURLToPath } from "node:url";
import { type Running, type RunningOptions, startAfterword } from "../afterword.ts";

/** The contents of the demo shop. */
export const demoContent: string = fileURLToPath(new URL("../../config/backend", import.meta.url));

export interface BackendOptions extends RunningOptions {
  /** A folder; default: that of the demo shop. */
  readonly content?: string;
  /** Default: any. */
  readonly port?: number;
}

/** @param database a file or a PostgreSQL address */
export function startBackend(
  database: string,
  { content = demoContent, port = 0, ...options }: BackendOptions = {},
): Promise<Running> {
  const where = ["--content", content, "--database", database, "--port", String(port)];
  return startAfterword(["backend", ...where], options);
}
