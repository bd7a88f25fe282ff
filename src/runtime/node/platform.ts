import { hash, randomBytes } from "node:crypto";
import type { Logger, Platform } from "../../gateway/platform.ts";
import type { Transport } from "../../gateway/transport.ts";
import { decodeBody } from "./decode.ts";

/** What the gateway needs of Node. */
export function createNodePlatform(parts: { transport: Transport; log: Logger }): Platform {
  return {
    transport: parts.transport,
    log: parts.log,
    now: () => Date.now(),
    clock: () => performance.now(),
    digest: (text) => hash("sha256", text, "hex"),
    random: (length) => new Uint8Array(randomBytes(length)),
    decode: decodeBody,
  };
}
