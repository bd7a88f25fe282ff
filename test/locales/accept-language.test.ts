import { expect, it } from "vitest";
import { listAcceptedTags } from "../../src/locales/negotiate.ts";

it.each([
  ["fr", ["fr"]],
  ["de;q=0.7, fr, *;q=0.1", ["fr", "de"]],
  ["de;q=0.7,fr;q=0.7,es;q=0.701", ["es", "de", "fr"]],
  ["fr;q=0, en", ["en"]],
  ["fr;q=0.000", []],
  ["fr;q=1.000,en;q=1.001,de;q=2,es;q=-1,it;q=abc,ja;q=", ["fr"]],
  ["fr ; Q = 0.5 , en", ["en", "fr"]],
  ["fr;level=1;q=0.2, en;q=0.3", ["en", "fr"]],
  ["", []],
  [",,;q=1, ,", []],
  ["*", []],
])("reads %j as %j", (header, tags) => {
  expect(listAcceptedTags(header)).toEqual(tags);
});

it("looks at a bounded part of a long list", () => {
  expect(
    listAcceptedTags(Array.from({ length: 5_000 }, () => "xx").join(",")).length,
  ).toBeLessThanOrEqual(20);
  expect(listAcceptedTags(`en,${" ".repeat(2_000)},fr`)).toEqual(["en"]);
});
