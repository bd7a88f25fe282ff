import { describe, expect, it } from "vitest";
import { readAllowedHost, readWebhookPermission } from "../../../src/backend/webhooks/allowed.ts";

describe("the allow list of webhooks", () => {
  it.each([
    ["https://hooks.example.com/a", ["hooks.example.com"], "named"],
    ["https://hooks.example.com:8443/a", ["hooks.example.com"], "named"],
    ["https://HOOKS.example.com./a", ["hooks.EXAMPLE.com"], "named"],
    ["https://hooks.example.com/a", ["hooks.example.com:443"], "named"],
    ["http://hooks.example.com/a", ["hooks.example.com:80"], "named"],
    ["https://hooks.example.com:8443/a", ["hooks.example.com:443"], "refused"],
    ["https://müller.example/", ["xn--mller-kva.example"], "named"],
    ["https://a.hooks.example.com/", [".hooks.example.com"], "public"],
    ["https://a.b.hooks.example.com/", [".hooks.example.com"], "public"],
    ["https://hooks.example.com/", [".hooks.example.com"], "refused"],
    ["https://evilhooks.example.com/", [".hooks.example.com"], "refused"],
    ["https://hooks.example.com.evil.test/", ["hooks.example.com", ".example.com"], "refused"],
    ["http://a.hooks.example.com/", [".hooks.example.com"], "refused"],
    ["https://a.hooks.example.com:8443/", [".hooks.example.com:8443"], "public"],
    ["https://a.hooks.example.com/", [".hooks.example.com:8443"], "refused"],
    ["https://a.internal/", [".internal"], "refused"],
    ["http://127.0.0.1:9000/", ["127.0.0.1"], "named"],
    ["http://0x7f.1:9000/", ["127.0.0.1"], "named"],
    ["http://127.0.0.1:9000/", ["127.0.0.1:9001"], "refused"],
    ["http://[::1]:9000/", ["[::1]:9000"], "named"],
    ["http://[0:0:0:0:0:0:0:1]:9000/", ["[::1]"], "named"],
    ["http://169.254.169.254/", [], "refused"],
    ["http://169.254.169.254/", [".169.254"], "refused"],
    ["https://hooks.example.com/", [], "refused"],
    ["https://user@hooks.example.com/", ["hooks.example.com"], "refused"],
    ["https://hooks.example.com@evil.test/", ["hooks.example.com"], "refused"],
    ["https://evil.test/#@hooks.example.com", ["hooks.example.com"], "refused"],
    ["file:///etc/passwd", ["hooks.example.com"], "refused"],
    ["no address", ["hooks.example.com"], "refused"],
    ["https://hooks.example.com/", ["*", "https://hooks.example.com", ""], "refused"],
  ])("allows %s with %j: %s", (address, allow, permission) => {
    expect(readWebhookPermission(address, allow)).toBe(permission);
  });

  it.each([
    "hooks.example.com",
    ".example.com",
    "127.0.0.1:9000",
    "[::1]",
    "[::1]:80",
    "localhost",
  ])("takes the entry %s", (entry) => {
    expect(readAllowedHost(entry)).not.toBeNull();
  });

  it.each([
    "",
    "*",
    "*.example.com",
    "https://a.example",
    "a.example/x",
    ".",
    "a b",
    ".[::1]",
    "::1",
  ])("refuses the entry %j", (entry) => {
    expect(readAllowedHost(entry)).toBeNull();
  });
});
