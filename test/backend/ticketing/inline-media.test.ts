import { describe, expect, it } from "vitest";
import { inlineMedia } from "../../../src/backend/ticketing/attaching.ts";

const uuid = "0191c7f0-6a3b-4c1d-8e2f-000000000007";

describe("media that a message shows", () => {
  it.each([
    [`<img src="att:${uuid}">`, [uuid]],
    [`<IMG SRC='ATT:${uuid.toUpperCase()}' />`, [uuid]],
    ["<img src=att:7>", ["7"]],
    ['<img data-src="x" src="att:7">', ["7"]],
    ['<img alt="a > b" src="att:7">', ["7"]],
    ['<img alt="<img" src="att:7"><p><img src="att:8"></p>', ["7", "8"]],
    ['<img\nsrc = "att:7"\nalt="x">', ["7"]],
    ['<img src="att&#58;7">', ["7"]],
    ['<img src="att:7 att:7"><img src="att:7">', ["7"]],
  ])("is found in %s", (message, expected) => {
    expect(inlineMedia(message)).toEqual(expected);
  });

  it.each([
    '<img data-src="att:7">',
    "<img alt='src=\"att:7\"'>",
    '<img src="x" src="att:7">',
    '<a href="att:7">',
    '<!-- <img src="att:7"> -->',
    '<textarea><img src="att:7"></textarea>',
    "att:7",
    '<img src="att:7"',
  ])("is not found in %s", (message) => {
    expect(inlineMedia(message)).toEqual([]);
  });

  it.each(["<img ", "<img <img ", '<img src="', "<img src=att:", "<div>", "<!--", "<img src='&#"])(
    "is searched for quickly in millions of %s",
    (unit) => {
      const [found = null] = inlineMedia(`${unit.repeat(500_000)} <img src="att:7">`);
      expect(found === null || found === "7").toBe(true);
    },
  );
});
