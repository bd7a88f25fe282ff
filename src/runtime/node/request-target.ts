import type { IncomingMessage } from "node:http";

/**
 * @hono/node-server answers a bare 400 to a target or a Host that it cannot make a URL of, before
 *   any of our code runs. But
 * HTTP permits `OPTIONS *`, absolute-form, a Host that is no name of the DNS, and much in a path.
 * So it gets a harmless URL to build its Request from, and the raw target stays here.
 */
export function prepareTarget(incoming: IncomingMessage): void {
  const raw = incoming.url ?? "";
  const harmless = harmlessTarget(raw);
  if (harmless !== raw) {
    rawTargets.set(incoming, raw);
    incoming.url = harmless;
  }
  const { host } = incoming.headers;
  // Only the parsed view is replaced: rawHeaders keeps what was sent.
  if (host === undefined || !isHarmlessHost(host)) incoming.headers.host = "localhost";
}

/** The request-target byte for byte, whatever was done to `incoming.url`. */
export function rawTargetOf(incoming: IncomingMessage): string {
  return rawTargets.get(incoming) ?? incoming.url ?? "";
}

const rawTargets = new WeakMap<IncomingMessage, string>();

function harmlessTarget(raw: string): string {
  if (raw.startsWith("/") && !raw.includes("\\")) return raw;
  const path = raw.startsWith("/") ? raw : pathOfAbsoluteForm(raw);
  return path.replaceAll("\\", "%5C");
}

function pathOfAbsoluteForm(raw: string): string {
  const authority = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i.exec(raw);
  if (authority === null) return "/";
  const path = raw.slice(authority[0].length);
  return path.startsWith("/") ? path : `/${path}`;
}

// One server is known by few names: the last one seen is nearly always the next.
let lastHost = "localhost";
let lastVerdict = true;

function isHarmlessHost(host: string): boolean {
  if (host !== lastHost) {
    lastVerdict = judgeHost(host);
    lastHost = host;
  }
  return lastVerdict;
}

function judgeHost(host: string): boolean {
  if (!URL.canParse(`http://${host}/`)) return false;
  const { hostname, username, password, pathname, search, hash } = new URL(`http://${host}/`);
  const bare = host.replace(/:\d+$/, "").toLowerCase();
  return hostname === bare && `${username}${password}${search}${hash}` === "" && pathname === "/";
}
