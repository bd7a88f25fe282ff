import { isForwardingField } from "../../forwarding-fields.ts";
import type { CredentialEntry, DomainKeyEntry } from "./credentials.ts";

/** For the chat page, which runs in a browser, where no secret may be. */
export const DEMO_DOMAIN_KEY = "demo-domain-key";

const domainKey: DomainKeyEntry = {
  key: DEMO_DOMAIN_KEY,
  domains: [".localhost", "127.0.0.1", "[::1]"],
};

/**
 * Credentials that work out of the box, for a listener that only this machine can reach. `demo-modern` opens a project whose
 * default content is active (seed.md, Chatbot rule 2).
 */
export const DEMO_CREDENTIALS: readonly CredentialEntry[] = [
  { apiKey: "demo-key", project: "shop" },
  { apiKey: "demo-modern", project: "modern" },
].map((entry) => ({ ...entry, secret: "demo-secret", demo: true, domainKeys: [domainKey] }));

/**
 * True when a proxy says that the request came from somewhere else: then a listener on loopback is reachable from outside
 * after all. A `Via` of our own gateway in front of this backend is not a sign of that.
 */
export function isForwarded(headers: Headers): boolean {
  let forwarded = false;
  // Not by its iterator, which sorts the fields first.
  headers.forEach((value, name) => {
    forwarded ||= isForwardingField(name) && !(name === "via" && ownVia.test(value));
  });
  return forwarded;
}

const ownVia = /^1\.1 afterword-[^\s,]+$/;
