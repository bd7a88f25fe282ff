import { expect, test } from "vitest";
import { linkToMail } from "../../../src/pages/desk/saved.ts";
import { readMailAddress } from "../../../src/locales/person.ts";

test("a link to somebody's mail address names nobody else and no text, whatever the address holds", () => {
  expect(linkToMail("ada.b+shop@ada.example")).toBe("mailto:ada.b%2Bshop@ada.example");
  const address = readMailAddress("ada?bcc=eve%40evil.example&body=Hi@ada.example") ?? "";
  expect(address).not.toBe("");
  const link = new URL(linkToMail(address));
  expect([link.search, decodeURIComponent(link.pathname)]).toEqual(["", address]);
});
