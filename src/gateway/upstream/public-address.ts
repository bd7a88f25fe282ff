import type { Config } from "../../config/config.ts";
import type { Exchange, RequestHead } from "../exchange/exchange.ts";
import { fieldOf, membersOf } from "../exchange/headers.ts";
import { dropTrailing } from "../../text.ts";

/** `publicUrl`, else the request's scheme and Host as trusted proxies report; no trailing slash. */
function findPublicAddress(config: Config, exchange: Exchange): string {
  if (config.listen.publicUrl !== null) return config.listen.publicUrl;
  const { headers, peer } = exchange;
  const behindProxy = peer?.trusted === true;
  const forwardedHost = behindProxy
    ? membersOf(fieldOf(headers, "x-forwarded-host")).at(0)
    : undefined;
  const forwardedScheme = behindProxy
    ? membersOf(fieldOf(headers, "x-forwarded-proto")).at(0)
    : undefined;
  const host = [forwardedHost, hostOf(exchange)].find(
    (name) => name !== undefined && validHost.test(name),
  );
  const scheme =
    forwardedScheme?.toLowerCase() ??
    (peer === null ? exchange.scheme : peer.encrypted ? "https" : "http");
  return `${scheme === "https" ? "https" : "http"}://${host ?? `${config.listen.host}:${config.listen.port}`}`;
}

/**
 * The public address under which the routes stand for this request: {@link findPublicAddress}, and
 * the prefix that the request's own path had before its route. The path of publicUrl is not
 * repeated if the proxy in front does not remove it.
 */
export function findPublicRoot(config: Config, exchange: Exchange, prefix: string): string {
  const address = findPublicAddress(config, exchange);
  const outer =
    config.listen.publicUrl === null ? "" : dropTrailing(new URL(address).pathname, "/");
  const doubled = outer !== "" && (prefix === outer || prefix.startsWith(`${outer}/`));
  return address + (doubled ? prefix.slice(outer.length) : prefix);
}

/** The requested authority: absolute-form wins over Host (RFC 9112 section 3.2.2). */
export function hostOf({ target, headers }: RequestHead): string {
  const absolute = /^https?:\/\/([^/?#@]+)/i.exec(target);
  return absolute?.[1] ?? fieldOf(headers, "host") ?? "";
}

const validHost = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;
