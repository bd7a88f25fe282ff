import type { CredentialEntry } from "./credentials.ts";

/**
 * Credentials that work out of the box, for a listener that only this machine can reach. `demo-modern` opens a project whose
 * default content is active (seed.md, Chatbot rule 2).
 */
export const DEMO_CREDENTIALS: readonly CredentialEntry[] = [
  { apiKey: "demo-key", secret: "demo-secret", project: "shop", demo: true },
  { apiKey: "demo-modern", secret: "demo-secret", project: "modern", demo: true },
];

const forwardingHeaders =
  /^(?:forwarded|x-forwarded-.*|x-real-ip|x-original-.*|cf-.*|true-client-ip)$/;

/**
 * True when a proxy says that the request came from somewhere else: then a listener on loopback is reachable from outside
 * after all. `Via` is not a sign of that, for the gateway in front of this backend adds one itself.
 */
export function isForwarded(headers: Headers): boolean {
  return [...headers.keys()].some((name) => forwardingHeaders.test(name));
}
