import { describe, expect, test } from "vitest";
import { isPublicHost } from "../../../src/api/call/public-host.ts";

const mayBePublic = `
  api.example.com API.Example.COM api.example.com. xn--bcher-kva.example localhost.example.com 10.example.com
  93.184.216.34 172.32.0.1 100.128.0.1 192.0.1.1 223.255.255.255
  [2606:2800:220:1:248:1893:25c8:1946] 2606:2800:220:1::1 [2001:200::1] [3fff:1000::1]`;

const inside = `
  localhost LOCALHOST localhost. localhost.. a.localhost db.internal printer.local nas.lan router.home.arpa
  x.localdomain wiki.corp a.test metadata.google.internal redis %6cocalhost`;

const closed = `
  0.0.0.0 10.1.2.3 100.64.0.1 100.127.255.255 127.0.0.1 127.0.0.1. 127.1 0x7f.1 2130706433 017700000001 １２７.0.0.1
  168.63.129.16 169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.8 192.0.2.1 192.88.99.1 192.168.1.1
  198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.9 224.0.0.1 240.0.0.1 255.255.255.255
  [::] [::1] ::1 [::ffff:127.0.0.1] [::ffff:8.8.8.8] [::127.0.0.1] [64:ff9b::a00:1] [100::1] [fc00::1] [fd12::1]
  [fe80::1] [fe80::1%25eth0] [ff02::1] [2001::1] [2001:1ff::1] [2001:db8::1] [2002:7f00:1::] [3fff::1]
  [3fff:fff::1] [4000::1]`;

const noHost = `
  . .. a..example .example.com example.com/path example.com:80 user@example.com example.com?q example.com#f
  exa\\mple.com [::1 ]`;

describe("a host name", () => {
  test.each(words(mayBePublic))("%s may be public", (host) => {
    expect(isPublicHost(host)).toBe(true);
  });

  test.each([...words(inside), ...words(closed), ...words(noHost), "", " ", "a b.example"])(
    "%j is not public",
    (host) => {
      expect(isPublicHost(host)).toBe(false);
    },
  );
});

/** First and last address of each reserved range, and the neighbours outside it. */
const table: readonly (readonly [address: string, isPublic: boolean, what: string])[] = [
  ["0.0.0.0", false, "unspecified"],
  ["0.255.255.255", false, "this network"],
  ["1.0.0.0", true, "after this network"],
  ["9.255.255.255", true, "before private 10"],
  ["10.0.0.0", false, "private 10"],
  ["10.255.255.255", false, "private 10"],
  ["11.0.0.0", true, "after private 10"],
  ["100.63.255.255", true, "before shared"],
  ["100.64.0.0", false, "shared (CGNAT)"],
  ["100.100.100.200", false, "metadata inside shared space"],
  ["100.127.255.255", false, "shared (CGNAT)"],
  ["100.128.0.0", true, "after shared"],
  ["126.255.255.255", true, "before loopback"],
  ["127.0.0.1", false, "loopback"],
  ["127.255.255.255", false, "loopback"],
  ["128.0.0.0", true, "after loopback"],
  ["168.63.129.16", false, "host agent of a cloud"],
  ["168.63.129.17", true, "its neighbour"],
  ["169.253.255.255", true, "before link-local"],
  ["169.254.0.0", false, "link-local"],
  ["169.254.169.254", false, "metadata"],
  ["169.254.255.255", false, "link-local"],
  ["169.255.0.0", true, "after link-local"],
  ["172.15.255.255", true, "before private 172"],
  ["172.16.0.0", false, "private 172"],
  ["172.31.255.255", false, "private 172"],
  ["172.32.0.0", true, "after private 172"],
  ["192.0.0.0", false, "protocol assignments"],
  ["192.0.0.192", false, "metadata among protocol assignments"],
  ["192.0.1.0", true, "after protocol assignments"],
  ["192.0.2.1", false, "documentation 1"],
  ["192.88.99.1", false, "6to4 relays"],
  ["192.167.255.255", true, "before private 192"],
  ["192.168.0.0", false, "private 192"],
  ["192.168.255.255", false, "private 192"],
  ["192.169.0.0", true, "after private 192"],
  ["198.17.255.255", true, "before benchmarking"],
  ["198.18.0.0", false, "benchmarking"],
  ["198.19.255.255", false, "benchmarking"],
  ["198.20.0.0", true, "after benchmarking"],
  ["198.51.100.7", false, "documentation 2"],
  ["203.0.113.7", false, "documentation 3"],
  ["223.255.255.255", true, "before multicast"],
  ["224.0.0.1", false, "multicast"],
  ["239.255.255.255", false, "multicast"],
  ["240.0.0.1", false, "reserved"],
  ["255.255.255.255", false, "broadcast"],
  ["8.8.8.8", true, "a name server"],
  ["::", false, "unspecified"],
  ["::1", false, "loopback"],
  ["0:0:0:0:0:0:0:1", false, "loopback in full"],
  ["::127.0.0.1", false, "IPv4-compatible"],
  ["::ffff:127.0.0.1", false, "mapped loopback"],
  ["::ffff:7f00:1", false, "mapped loopback in hexadecimal"],
  ["::ffff:8.8.8.8", false, "mapped public"],
  ["::ffff:0:8.8.8.8", false, "translated"],
  ["64:ff9b::808:808", false, "NAT64"],
  ["64:ff9b:1::1", false, "local NAT64"],
  ["100::1", false, "discard"],
  ["1fff:ffff::1", false, "before global unicast"],
  ["2001::1", false, "Teredo"],
  ["2001:0:4136:e378:8000:63bf:3fff:fdd2", false, "Teredo"],
  ["2001:20::1", false, "ORCHID"],
  ["2001:1ff:ffff::1", false, "the last protocol assignment"],
  ["2001:200::1", true, "after protocol assignments"],
  ["2001:db8::1", false, "documentation"],
  ["2001:4860:4860::8888", true, "a name server"],
  ["2002:7f00:1::1", false, "6to4 of loopback"],
  ["2002:808:808::1", false, "6to4"],
  ["2606:4700::1111", true, "a name server"],
  ["3ffe:ffff::1", true, "before the second documentation range"],
  ["3fff::1", false, "documentation"],
  ["3fff:fff::1", false, "documentation"],
  ["4000::1", false, "not assigned"],
  ["fc00::1", false, "unique local"],
  ["fd00:ec2::254", false, "metadata in unique local"],
  ["fdff::1", false, "unique local"],
  ["fe80::1", false, "link-local"],
  ["fe80::1%eth0", false, "link-local with a zone"],
  ["2606:4700::1111%eth0", false, "a zone"],
  ["fec0::1", false, "site-local"],
  ["ff02::1", false, "multicast"],
  ["", false, "nothing"],
  ["localhost", false, "a name"],
];

describe("an address", () => {
  test.each(table)("%s: %s (%s)", (address, isPublic) => {
    expect(isPublicHost(address)).toBe(isPublic);
  });
});

function words(text: string): string[] {
  return text.trim().split(/\s+/);
}
