import { isPublicHost } from "../../api/call/public-host.ts";

/**
 * The configuration's permission for an address. named: its host is written there, so that it may
 * be a private one and plain http. public: a `.suffix` covers it, so it must be https and resolve
 * to public addresses only. refused: everything else.
 */
export type WebhookPermission = "named" | "public" | "refused";

/**
 * Whether a webhook may be called. `allow` lists `host` (any port), `host:port`, and `.suffix` for
 * every name below it; an IPv6 address stands in brackets. An empty list allows nothing.
 *
 * @example
 * webhookPermission("https://eu.hooks.example.com/a", [".hooks.example.com"]); // "public"
 */
export function readWebhookPermission(
  address: string,
  allow: readonly string[],
): WebhookPermission {
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return "refused";
  const url = new URL(address);
  if (url.username !== "" || url.password !== "") return "refused";
  const host = url.hostname.replace(/\.$/, "");
  const port = url.port === "" ? defaultPorts[url.protocol] : url.port;
  const matches = allow
    .flatMap((written) => readAllowedHost(written) ?? [])
    .filter((entry) => {
      if (entry.port !== null && entry.port !== port) return false;
      return entry.below
        ? host.length > entry.host.length + 1 && host.endsWith(`.${entry.host}`)
        : host === entry.host;
    });
  if (matches.some(({ below }) => !below)) return "named";
  const covered = matches.length > 0 && url.protocol === "https:" && isPublicHost(host);
  return covered ? "public" : "refused";
}

const defaultPorts: Readonly<Record<string, string>> = { "http:": "80", "https:": "443" };

/**
 * Reads an entry of the allow list; null for one that has no effect. `below` is true for a suffix:
 * names below the host, not the host itself.
 */
export function readAllowedHost(written: string) {
  const match = /^(\.?)(\[[0-9a-f:.]+\]|[^\s:/?#@[\]\\%*]+)(?::(\d{1,5}))?$/i.exec(written.trim());
  const [, dot, name = "", port] = match ?? [];
  if (match === null || !URL.canParse(`https://${name}/`)) return null;
  // In the URL parser's spelling: lower case, punycode, addresses in canonical form.
  const host = new URL(`https://${name}/`).hostname.replace(/\.$/, "");
  const below = dot === ".";
  if (host === "" || (below && /^\[|^\d+(?:\.\d+){3}$/.test(host))) return null;
  return { host, port: port === undefined ? null : String(Number(port)), below };
}
