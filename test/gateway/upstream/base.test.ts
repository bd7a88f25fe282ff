import { describe, expect, it } from "vitest";
import type { UpstreamConfig } from "../../../src/config/config.ts";
import {
  joinPath,
  parseBase,
  describePermissionCure,
  permissionOf,
} from "../../../src/gateway/upstream/base.ts";

const upstream: UpstreamConfig = {
  auth: "https://api.example.com",
  chat: "https://chat.example.com:8000",
  apis: { knowledge: "http://10.0.0.8:8080/k" },
  allow: [],
  keyHeader: "x-inbenta-key",
  timeouts: { connect: 1, headers: 1, total: 1, idle: 1 },
};

const permission = (address: string, allow: readonly string[] = []): string | null => {
  const base = parseBase(address);
  return base === null ? null : permissionOf(base, { ...upstream, allow });
};

describe("parseBase", () => {
  it("keeps the path prefix and drops only trailing slashes", () => {
    expect(parseBase("https://h.example:8443/prod/chatbot//")).toMatchObject({
      origin: "https://h.example:8443",
      host: "h.example:8443",
      path: "/prod/chatbot",
    });
  });

  it("reads no address of more than 2,048 characters, and slashes in no time", () => {
    expect(parseBase(`https://h.example/${"a".repeat(2030)}`)).not.toBeNull();
    expect(parseBase(`https://h.example/${"a".repeat(2031)}`)).toBeNull();
    expect(parseBase(`https://h.example${"/".repeat(4_000_000)}a`)).toBeNull();
  });

  it.each([
    "ftp://h",
    "//h",
    "h.example",
    "https://u:p@h",
    "https://h/?q",
    "https://h/#f",
    "https://",
    "embedded:",
    "embedded:a/b",
    "",
  ])("does not take %j for a base", (address) => {
    expect(parseBase(address)).toBeNull();
  });
});

describe("joinPath", () => {
  it.each([
    ["https://h/prod", "/v1/x?y", "/prod/v1/x?y"],
    ["https://h", "/v1/x", "/v1/x"],
    ["https://h", "", "/"],
    ["https://h", "?q", "/?q"],
    ["https://h/prod", "", "/prod"],
  ])("%s + %j = %s", (address, rest, path) => {
    const base = parseBase(address);
    expect(base === null ? null : joinPath(base, rest)).toBe(path);
  });
});

describe("permissionOf", () => {
  it.each([
    ["https://api.example.com/x", [], "named"],
    ["https://chat.example.com:8000", [], "named"],
    ["https://chat.example.com", [], "public"],
    ["http://10.0.0.8:8080/other", [], "named"],
    ["https://anything.example", [], "public"],
    ["http://anything.example", [], "refused"],
    ["https://anything.example", [".vendor.example"], "refused"],
    ["http://api.example.com/x", [], "refused"],
    ["http://api.example.com/x", ["api.example.com"], "refused"],
    ["https://10.0.0.8:8080/other", [], "named"],
    ["http://10.0.0.8:9090", [], "refused"],
    ["http://10.0.0.8:9090", ["10.0.0.8"], "named"],
    ["http://10.0.0.9:8080", ["10.0.0.9"], "refused"],
    ["https://10.0.0.9:8080", ["10.0.0.9"], "named"],
    ["https://eu.vendor.example", [".vendor.example"], "public"],
    ["https://eu.vendor.example:8443", [".Vendor.example"], "public"],
    ["http://meta.vendor.example:80/latest/meta-data", [".vendor.example"], "refused"],
    ["https://eu.vendor.example", [".vendor.example", "eu.vendor.example"], "named"],
    ["https://vendor.example", [".vendor.example"], "refused"],
    ["https://evilvendor.example", [".vendor.example"], "refused"],
    ["https://vendor.example", ["Vendor.example"], "named"],
    ["https://sub.vendor.example", ["vendor.example"], "refused"],
    ["https://127.0.0.1", [], "refused"],
    ["https://0x7f.1/x", [], "refused"],
    ["https://2130706433", [".0.0.1"], "refused"],
    ["https://169.254.169.254/latest", [], "refused"],
    ["https://[::ffff:10.1.2.3]", [], "refused"],
    ["https://[fd00::1]:8443", [], "refused"],
    ["https://localhost:9", [], "refused"],
    ["https://a.localhost.", [], "refused"],
    ["https://localhost:9", ["localhost"], "named"],
    ["https://93.184.215.14", [], "public"],
    ["embedded:chatbot", [], "refused"],
  ])("%s with allow %j is %s", (address, allow, expected) => {
    expect(permission(address, allow)).toBe(expected);
  });

  it("is logged with the line that would allow an address", () => {
    const cureOf = (address: string): string => {
      const base = parseBase(address);
      return base === null ? "" : describePermissionCure(base);
    };
    expect(cureOf("https://0x7f.2:9/bot")).toMatch(/^add "127\.0\.0\.2" to upstream\.allow/);
    expect(cureOf("http://10.0.0.9:80/x")).toContain(
      'name "http://10.0.0.9/x" under upstream.apis, with its product',
    );
  });

  it("allows embedded bases behind an embedded upstream only", () => {
    const base = parseBase("embedded:chatbot");
    expect(base && permissionOf(base, { ...upstream, auth: "embedded:auth" })).toBe("named");
  });
});
