import { hash, randomBytes } from "node:crypto";
import type { Logger, LogLevel, Platform } from "../../gateway/platform.ts";
import type { Transport } from "../../gateway/transport.ts";
import { decodeBody } from "./decode.ts";

/** What the gateway needs of Node. */
export function createNodePlatform(parts: {
  transport: Transport;
  log: Logger;
  logs?: (level: LogLevel) => boolean;
}): Platform {
  return {
    transport: parts.transport,
    log: parts.log,
    ...(parts.logs === undefined ? {} : { logs: parts.logs }),
    now: () => Date.now(),
    clock: () => performance.now(),
    digest: (text) => hash("sha256", text, "hex"),
    random: (length) => new Uint8Array(randomBytes(length)),
    decode: decodeBody,
    // From Node's pool: a buffer of its own for every answer costs more, and much more when it is
    // collected.
    allocate: (length) => Buffer.allocUnsafe(length),
  };
}
