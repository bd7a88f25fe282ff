/**
 * True when a browser's `Origin` is one of the listed: an entry with a scheme is that very origin;
 * a bare host is that host over https on any port; one with a leading dot also every host below it,
 * at a label boundary. Over plain http only loopback hosts are accepted. An opaque origin (`null`)
 * never is.
 */
export function originAllowed(origin: string, domains: readonly string[]): boolean {
  const url = URL.parse(origin);
  if (url === null || url.origin !== origin.toLowerCase() || url.origin === "null") return false;
  const loopback = isLoopback(url.hostname);
  if (url.protocol !== "https:" && !(url.protocol === "http:" && loopback)) return false;
  return domains.some((domain) => {
    const entry = domain.trim().toLowerCase();
    if (entry.includes("://")) return URL.parse(entry)?.origin === url.origin;
    if (!entry.startsWith(".")) return url.hostname === entry;
    return url.hostname === entry.slice(1) || url.hostname.endsWith(entry);
  });
}

export function isLoopback(hostname: string): boolean {
  return /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}
