import { expect, test } from "vitest";
import { findMarkupFault } from "../../src/locales/markup.ts";

test.each([
  "",
  "1 < 2 > 0",
  "<p>One<br>and <B>two</b></P>",
  '<p class="a"><img src="a"><hr/><x-y/></p><i>z</i>',
  "<wbr><area><base>",
])("nothing is wrong with the markup %s", (text) => {
  expect(findMarkupFault(text)).toBeNull();
});

test.each([
  ["a</B>", "</b> closes nothing"],
  ["<i>a</i></p>", "</p> closes nothing"],
  ["<p><B>a</p></b>", "<b> is still open where </p> stands"],
  ["<p><br><i>a</i>", "<p> is never closed"],
  ["<p><I>a", "<i> is never closed"],
])("of %s, the first fault is reported", (text, fault) => {
  expect(findMarkupFault(text)?.message).toBe(fault);
});
