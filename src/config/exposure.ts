/** The address where a server listens, and the way clients come to it. */
export interface ServerAddress {
  readonly host: string;
  /** Address that clients see, or null. */
  readonly publicUrl: string | null;
  /** Default: none. */
  readonly trustProxies?: readonly string[];
}

/** Says why other machines can reach a server, as the end of a sentence, or null if they cannot. */
export function exposureOf({ host, publicUrl, trustProxies = [] }: ServerAddress): string | null {
  if (!isLoopbackHost(host.includes(":") ? `[${host}]` : host)) {
    return `the listener ${host} can be reached from elsewhere`;
  }
  if (publicUrl !== null && !isLoopbackHost(new URL(publicUrl).host)) {
    return `the public address is ${publicUrl}`;
  }
  return trustProxies.length === 0 ? null : "a proxy is in front (trustProxies)";
}

/** True for loopback addresses and `localhost`. Any other name may be anybody's in DNS. */
export function isLoopbackHost(host: string): boolean {
  return /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(?::\d{1,5})?$/i.test(host);
}
