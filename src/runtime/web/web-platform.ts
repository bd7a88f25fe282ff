import type { Platform } from "../../gateway/platform.ts";
import { decodeContent } from "./decode-content.ts";
import { createFetchTransport } from "./fetch-transport.ts";

/**
 * A platform made of what every runtime with the Fetch API has: `fetch`, Web Crypto,
 * `DecompressionStream`. Whatever `options` gives takes the place of the default; nothing is logged
 * unless a `log` is given.
 */
export function createWebPlatform(options: Partial<Platform> = {}): Platform {
  return {
    transport: options.transport ?? createFetchTransport(),
    now: options.now ?? (() => Date.now()),
    clock: options.clock ?? (() => performance.now()),
    digest: options.digest ?? sha256,
    random: options.random ?? randomBytes,
    decode: options.decode ?? decodeContent,
    log: options.log ?? (() => {}),
    ...(options.logs && { logs: options.logs }),
  };
}

const utf8 = new TextEncoder();

async function sha256(text: string): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", utf8.encode(text)));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** More than this at once is a QuotaExceededError. */
const mostRandom = 65_536;

function randomBytes(length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length; at += mostRandom) {
    crypto.getRandomValues(bytes.subarray(at, at + mostRandom));
  }
  return bytes;
}
