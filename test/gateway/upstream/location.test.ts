import { describe, expect, it } from "vitest";
import { parseBase } from "../../../src/gateway/upstream/base.ts";
import { routeLocations } from "../../../src/gateway/upstream/forwarded-headers.ts";

const route = (): string => "https://gateway.example/r/SEG";
const moved = (value: string, address = "https://bot.example/prod"): string => {
  const base = parseBase(address);
  if (base === null) throw new Error("not a base");
  const headers = routeLocations(["Location", value], base, route);
  return headers[1] ?? "";
};

describe("routedLocations", () => {
  it.each([
    ["https://bot.example/prod/v1/x?y#z", "https://gateway.example/r/SEG/v1/x?y#z"],
    ["https://bot.example/prod", "https://gateway.example/r/SEG"],
    ["/prod/v1/x", "/r/SEG/v1/x"],
    ["https://bot.example/production/x", "https://bot.example/production/x"],
    ["https://bot.example/other", "https://bot.example/other"],
    ["https://bot.example.evil/prod/x", "https://bot.example.evil/prod/x"],
    ["https://else.example/prod/x", "https://else.example/prod/x"],
    ["//bot.example/prod/x", "//bot.example/prod/x"],
    ["x/y", "x/y"],
    ["", ""],
  ])("%s becomes %s", (value, expected) => {
    expect(moved(value)).toBe(expected);
  });

  it("rewrites paths of a base without a path of its own", () => {
    expect(moved("/v1/x", "https://bot.example")).toBe("/r/SEG/v1/x");
    expect(moved("//evil.example/x", "https://bot.example")).toBe("//evil.example/x");
    expect(moved("https://bot.example:99/x", "https://bot.example")).toBe(
      "https://bot.example:99/x",
    );
  });

  it("gives back the very same array when there is nothing to rewrite", () => {
    const base = parseBase("https://bot.example");
    const headers = ["Date", "x", "X-Location", "https://bot.example/x"];
    expect(base && routeLocations(headers, base, route)).toBe(headers);
  });
});
