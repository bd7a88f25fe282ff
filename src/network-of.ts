/** An address as limits count it: an IPv6 address by its /64, because one client has all of it. */
export function networkOf(address: string): string {
  if (!address.includes(":")) return address;
  const [head = "", tail] = address.replace(/%.*$/s, "").split("::");
  const first = head === "" ? [] : head.split(":");
  const last = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - first.length - last.length);
  const groups = [...first, ...Array.from({ length: zeros }, () => "0"), ...last];
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(.)/, "$1").toLowerCase())
    .join(":");
}

/**
 * Of whose share of a limit a client takes. Null: programs on this machine have none, for many
 * clients may stand behind them.
 */
export function limitedNetwork(address: string): string | null {
  return address === "" || isLoopback(address) ? null : networkOf(address);
}

/** True for 127.0.0.0/8, ::1 and their mapped spelling. */
export function isLoopback(address: string): boolean {
  return /^(?:::ffff:)?127\.\d{1,3}\.\d{1,3}\.\d{1,3}$|^::1$/i.test(address);
}
