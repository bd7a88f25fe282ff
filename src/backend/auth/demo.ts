import { isForwardingField } from "../../client-address.ts";
import type { CredentialEntry, DomainKeyEntry } from "./credentials.ts";
import { isLoopback } from "./domains.ts";

/** For the chat page, which runs in a browser, where no secret may be. */
export const DEMO_DOMAIN_KEY = "demo-domain-key";

const domainKey: DomainKeyEntry = {
  key: DEMO_DOMAIN_KEY,
  domains: [".localhost", "127.0.0.1", "[::1]"],
};

/**
 * Credentials that work out of the box, for a listener that only this machine can reach.
 * `demo-modern` opens a project whose default content is active (seed.md, Chatbot rule 2).
 */
export const DEMO_CREDENTIALS: readonly CredentialEntry[] = [
  { apiKey: "demo-key", project: "shop" },
  { apiKey: "demo-modern", project: "modern" },
].map((entry) => ({ ...entry, secret: "demo-secret", demo: true, domainKeys: [domainKey] }));

/**
 * True where the demo credentials must not work: a proxy brought the request, or its `Host` is a
 * name that somebody pointed at this machine, as a page does that wants to be of the same origin
 * (DNS rebinding).
 */
export function isFromElsewhere(headers: Headers): boolean {
  const host = headers.get("host");
  if (host !== null && !isLoopback(URL.parse(`http://${host}`)?.hostname ?? "")) return true;
  return isForwarded(headers);
}

/**
 * True when a proxy says that the request came from somewhere else: then a listener on loopback is
 * reachable from outside after all. A `Via` of our own gateway in front of this backend is not a
 * sign of that.
 */
function isForwarded(headers: Headers): boolean {
  let forwarded = false;
  // Not by its iterator, which sorts the fields first.
  headers.forEach((value, name) => {
    forwarded ||= isForwardingField(name) && !(name === "via" && ownVia.test(value));
  });
  return forwarded;
}

const ownVia = /^1\.1 afterword-[^\s,]+$/;
