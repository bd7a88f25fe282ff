import type { Base } from "./base.ts";
import type { RawHeaders } from "./exchange.ts";

/**
 * `Location` and `Content-Location` under the request's own base become our route, so that a client
 * that follows them stays with us. Absolute stays absolute, a path stays a path; everything else is
 * the upstream's.
 *
 * @param base where the request went
 * @param route our address of that base, `https://gateway.example/r/<segment>`, without trailing
 *   slash
 */
export function routedLocations(
  headers: readonly string[],
  base: Base,
  route: () => string,
): RawHeaders {
  let out: string[] | null = null;
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const name = headers[i] ?? "";
    // Two lengths to look at before a name is compared: most answers have neither field.
    if (name.length !== 8 && name.length !== 16) continue;
    const lower = name.toLowerCase();
    if (lower !== "location" && lower !== "content-location") continue;
    const routed = routedAddress(headers[i + 1] ?? "", base, route);
    if (routed === null) continue;
    out ??= [...headers];
    out[i + 1] = routed;
  }
  return out ?? headers;
}

function routedAddress(value: string, base: Base, route: () => string): string | null {
  const absolute = value.startsWith(base.origin) ? value.slice(base.origin.length) : null;
  const rest = restUnder(base.path, absolute ?? value);
  if (rest === null || (absolute === null && !value.startsWith("/"))) return null;
  if (value.startsWith("//")) return null;
  const ours = route();
  return (absolute === null ? pathOf(ours) : ours) + rest;
}

function restUnder(path: string, candidate: string): string | null {
  if (!candidate.startsWith(path)) return null;
  const rest = candidate.slice(path.length);
  return rest === "" || /^[/?#]/.test(rest) ? rest : null;
}

function pathOf(address: string): string {
  const start = address.indexOf("/", address.indexOf("://") + 3);
  return start === -1 ? "" : address.slice(start);
}
