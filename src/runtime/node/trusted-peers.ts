import { BlockList, isIP } from "node:net";
import type { TrustsPeer } from "../../gateway/upstream/public-address.ts";

/** Reads the validated `listen.trustProxies`: IPv4 and IPv6 addresses and CIDR ranges. */
export function createTrustedPeers(entries: readonly string[]): TrustsPeer {
  if (entries.length === 0) return () => false;
  const list = new BlockList();
  for (const entry of entries) {
    const [address = "", bits] = entry.split("/");
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return (address) => {
    // A dual-stack socket shows IPv4 peers in their mapped spelling.
    const plain = address.replace(/^::ffff:(\d+\.)/i, "$1");
    const family = isIP(plain);
    return family !== 0 && list.check(plain, family === 6 ? "ipv6" : "ipv4");
  };
}
