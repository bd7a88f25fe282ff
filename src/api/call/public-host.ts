/**
 * True if a host may be public, judged by its name alone, which is never resolved. Private, loopback,
 * link-local, shared and reserved addresses are not public in any spelling that URLs accept, nor are
 * names without a dot or with an ending for internal networks.
 *
 * @example
 * isPublicHost("api.example.com"); // true
 * isPublicHost("127.1"); // false
 */
export function isPublicHost(hostname: string): boolean {
  const address = `https://${hostname.includes(":") && !hostname.startsWith("[") ? `[${hostname}]` : hostname}`;
  if (!URL.canParse(address)) return false;
  // Like fetch, the URL parser turns 0x7f.1, 2130706433 and full-width digits into dotted decimals.
  const { hostname: host, href } = new URL(address);
  if (href !== `https://${host}/`) return false;
  if (host.startsWith("[")) return isPublicV6(host.slice(1, -1));
  if (/^\d+(?:\.\d+){3}$/.test(host)) return isPublicV4(host.split(".").map(Number));
  const name = host.replace(/\.$/, "");
  return /^[^.]+(?:\.[^.]+)+$/.test(name) && !internalNames.test(name);
}

/** Endings from RFC 6761, RFC 6762, RFC 8375 and ICANN, and those that routers and offices use. */
const internalNames =
  /\.(?:localhost|localdomain|local|internal|intranet|private|corp|home|lan|home\.arpa|test|invalid|onion)$/;

/** False for IANA's special-purpose addresses, and for 168.63.129.16, Azure's host agent. */
function isPublicV4(octets: readonly number[]): boolean {
  const [a = 0, b = 0, c = 0, d = 0] = octets;
  const value = ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;
  return !specialV4.some(([net, prefix]) => value >>> (32 - prefix) === net >>> (32 - prefix));
}

/** IANA's special-purpose addresses that are not globally reachable. */
const specialV4: readonly (readonly [net: number, prefix: number])[] = [
  [0x00_00_00_00, 8],
  [0x0a_00_00_00, 8],
  [0x64_40_00_00, 10],
  [0x7f_00_00_00, 8],
  [0xa8_3f_81_10, 32],
  [0xa9_fe_00_00, 16],
  [0xac_10_00_00, 12],
  [0xc0_00_00_00, 24],
  [0xc0_00_02_00, 24],
  [0xc0_58_63_00, 24],
  [0xc0_a8_00_00, 16],
  [0xc6_12_00_00, 15],
  [0xc6_33_64_00, 24],
  [0xcb_00_71_00, 24],
  [0xe0_00_00_00, 4],
  [0xf0_00_00_00, 4],
];

/**
 * True for global unicast addresses, apart from special ranges and those that embed IPv4 addresses.
 *
 * @param text an address in the spelling of the URL parser
 */
function isPublicV6(text: string): boolean {
  const [first = "", second = ""] = text.split(":", 2);
  const head = Number.parseInt(first === "" ? "0" : first, 16);
  const next = Number.parseInt(second === "" ? "0" : second, 16);
  if (head < 0x2000 || head > 0x3fff) return false;
  if (head === 0x2001) return next >= 0x0200 && next !== 0x0db8; // 2001::/23 and 2001:db8::/32
  if (head === 0x3fff) return next >= 0x1000; // 3fff::/20
  return head !== 0x2002;
}
