import { BlockList, isIP } from "node:net";

/**
 * True when an IP address can belong to somebody on the public Internet. Everything else is where
 * an attacker would like a gateway to connect: loopback, private, link-local, shared (CGNAT),
 * multicast, reserved, documentation and cloud metadata addresses, and every IPv6 form that carries
 * an IPv4 address inside (mapped, translated, 6to4, Teredo). Anything that is no IP address, or has
 * a zone, is not public.
 *
 * @example
 * isPublicAddress("93.184.216.34"); // true
 * isPublicAddress("::ffff:10.0.0.1"); // false
 */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !closed4.check(address, "ipv4");
    case 6:
      return (
        !address.includes("%") && open6.check(address, "ipv6") && !closed6.check(address, "ipv6")
      );
    default:
      return false;
  }
}

// IANA special-purpose registry, and 168.63.129.16, which is public in form but the host agent of
// Azure's machines.
const closed4 = subnets("ipv4", [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["168.63.129.16", 32],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
]);

// Only global unicast is ever open, so that ::1, ::ffff:0:0/96, 64:ff9b::/96, fc00::/7, fe80::/10,
// ff00::/8 and whatever is assigned later are closed without being listed.
const open6 = subnets("ipv6", [["2000::", 3]]);

const closed6 = subnets("ipv6", [
  ["2001::", 23], // protocol assignments: Teredo, ORCHID, benchmarking
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
]);

function subnets(family: "ipv4" | "ipv6", nets: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList();
  for (const [net, prefix] of nets) list.addSubnet(net, prefix, family);
  return list;
}
