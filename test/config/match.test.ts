import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Config, InstanceConfig } from "../../src/config/config.ts";
import { matchInstances } from "../../src/config/match.ts";
import { config, instance, tables } from "../fixtures/config.ts";
import { runs } from "../fixtures/runs.ts";

type Match = InstanceConfig["match"];

function withMatches(...matches: Match[]): Config {
  const instances = matches.map((match, index) => instance({ name: String(index), match }));
  return config(tables({}), { instances });
}

function ask(
  settings: Config,
  apiKey: string | null,
  host: string | null,
  path = "/v1/x",
): string | undefined {
  return matchInstances(settings, { apiKey, host, path })[0]?.name;
}

test("the first instance whose every field fits wins, whatever fields the others have", () => {
  const settings = withMatches(
    { apiKey: "k", host: "a.com" },
    { pathPrefix: "/v1" },
    { apiKey: "k" },
    {},
  );
  expect(ask(settings, "k", "a.com")).toBe("0");
  expect(ask(settings, "k", "b.com")).toBe("1");
  expect(ask(settings, "k", "b.com", "/v2")).toBe("2");
  expect(ask(settings, "K", null, "/v2")).toBe("3");
  const all = matchInstances(settings, { apiKey: "k", host: "a.com", path: "/v1" });
  expect(all.map(({ name }) => name)).toEqual(["0", "1", "2", "3"]);
});

test("nothing matches when no rule takes everything", () => {
  expect(
    matchInstances(withMatches({ apiKey: "k" }), { apiKey: null, host: null, path: "/" }),
  ).toEqual([]);
});

test.each([
  ["bot.example.com", "BOT.example.COM", true],
  ["bot.example.com", "bot.example.com:8443", true],
  ["bot.example.com", "bot.example.com.", true],
  ["bot.example.com:8443", "bot.example.com:8443", true],
  ["bot.example.com:8443", "bot.example.com", false],
  ["bot.example.com:8443", "bot.example.com:80", false],
  ["bot.example.com", "xbot.example.com", false],
  ["[::1]", "[::1]:8787", true],
  ["[::1]:8787", "[::1]:8787", true],
  ["[::1]", "[::1]", true],
  ["[::1]", "[::2]", false],
])("a rule for host %s and a request to %s: %s", (rule, host, expected) => {
  expect(ask(withMatches({ host: rule }), null, host) === "0").toBe(expected);
});

test.each([
  ["/a", "/a", true],
  ["/a", "/a/b?x=1", true],
  ["/a", "/a?x", true],
  ["/a", "/ab", false],
  ["/a", "/A", false],
  ["/a/", "/a", true],
  ["/a/b", "/a", false],
  ["/", "/anything", true],
  ["/a", `/a${"/x".repeat(1000)}`, true],
])("a rule for the path %s and a request for %s: %s", (rule, path, expected) => {
  expect(ask(withMatches({ pathPrefix: rule }), null, null, path) === "0").toBe(expected);
  expect(ask(withMatches({ apiKey: "k", pathPrefix: rule }), "k", null, path) === "0").toBe(
    expected,
  );
});

test("keys and hosts named like an object's properties match nothing by accident", () => {
  const settings = withMatches({ apiKey: "k" }, { host: "h" });
  for (const name of ["constructor", "__proto__", "toString"])
    expect(ask(settings, name, name)).toBeUndefined();
});

test("the index finds what trying one rule after the other finds", () => {
  const field = fc.constantFrom("a", "b");
  const prefix = fc.constantFrom("/", "/a", "/a/b", "/b");
  const rule = fc.record({ apiKey: field, host: field, pathPrefix: prefix }, { requiredKeys: [] });
  const request = fc.record({
    apiKey: fc.option(field),
    host: fc.option(field),
    path: fc.constantFrom("/", "/a", "/a/b/c", "/ab", "/b/"),
  });
  fc.assert(
    fc.property(fc.array(rule, { minLength: 1, maxLength: 8 }), request, (rules, asked) => {
      const fits = (match: Match): boolean =>
        (match.apiKey === undefined || match.apiKey === asked.apiKey) &&
        (match.host === undefined || match.host === asked.host) &&
        (match.pathPrefix === undefined ||
          `${asked.path}/`.startsWith(`${match.pathPrefix === "/" ? "" : match.pathPrefix}/`));
      const expected = rules.findIndex(fits);
      const [found] = matchInstances(withMatches(...rules), asked);
      expect(found?.name ?? "-1").toBe(String(expected));
    }),
    { numRuns: runs(500) },
  );
});

test("hosts and paths of ten thousand instances are distinguished", () => {
  const settings = withMatches(
    ...Array.from({ length: 10_000 }, (_, index) => ({
      host: `h${index % 2}`,
      pathPrefix: `/${index >> 1}`,
    })),
  );
  expect(ask(settings, null, "h1:80", "/4999/v1")).toBe("9999");
  expect(ask(settings, null, "H0", "/4999")).toBe("9998");
  expect(ask(settings, null, "h2", "/4999")).toBeUndefined();
  expect(ask(settings, null, "h0", "/5000")).toBeUndefined();
  expect(ask(settings, null, null, "h0 /1")).toBeUndefined();
});
