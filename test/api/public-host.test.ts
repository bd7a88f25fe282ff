import { describe, expect, test } from "vitest";
import { isPublicHost } from "../../src/api/public-host.ts";

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

function words(text: string): string[] {
  return text.trim().split(/\s+/);
}
