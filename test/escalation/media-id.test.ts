import * as fc from "fast-check";
import { expect, test } from "vitest";
import { readMediaId } from "../../src/escalation/answers.ts";
import { anyText } from "../fixtures/runs.ts";

test.each([
  ["/media/7f3a", "7f3a"],
  ["https://chat.example/v1/media/7f3a?token=a/b#top/c", "7f3a"],
  ["/media/a%20b", "a b"],
  ["caf%C3%A9", "café"],
  ["café", "café"],
  ["/media/100%", "100%"],
  ["/media/%FF%20", "%FF%20"],
  ["/media/a%2Fb%3Fc", "a/b?c"],
  ["/media/a%2520b", "a%20b"],
  ["/media/...", "..."],
])("the id of %s is %s", (url, id) => {
  expect(readMediaId(url)).toBe(id);
});

test.each([
  ...["", "/", "/media/", "/media/?x=a", "/media/.", "/media/..", "/media/%2e%2E", "/media/..;x"],
  ...["/media/..%2Fsettings", "/media/a%5C..%5Cb", "/media/\ud800"],
])("%s has no id", (url) => {
  expect(readMediaId(url)).toBe(null);
});

test("an id survives one encoding, and no text throws", () => {
  fc.assert(
    fc.property(anyText(), (url) => {
      const id = readMediaId(url);
      if (id !== null) expect(readMediaId(`/media/${encodeURIComponent(id)}`)).toBe(id);
    }),
  );
});
