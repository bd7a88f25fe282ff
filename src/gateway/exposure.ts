/** Where a server listens, and how clients come to it. */
export interface Reach {
  readonly host: string;
  /** Address that clients see, or null. */
  readonly publicUrl: string | null;
  /** Default: none. */
  readonly trustProxies?: readonly string[];
}

/**
 * Why others than programs on this machine reach a server, as the end of a sentence; null when they
 * do not. A proxy need not say that it is there, so what the configuration says of one counts.
 */
export function exposureOf({ host, publicUrl, trustProxies = [] }: Reach): string | null {
  if (!isLoopbackHost(host.includes(":") ? `[${host}]` : host)) {
    return `the listener ${host} can be reached from elsewhere`;
  }
  if (publicUrl !== null && !isLoopbackHost(new URL(publicUrl).host)) {
    return `the public address is ${publicUrl}`;
  }
  return trustProxies.length === 0 ? null : "a proxy is in front (trustProxies)";
}

/**
 * True for a Host that names loopback itself: a DNS name could have been pointed here by anybody.
 */
export function isLoopbackHost(host: string): boolean {
  return /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(?::\d{1,5})?$/i.test(host);
}
