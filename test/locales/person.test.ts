import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyText } from "../fixtures/runs.ts";
import { readMailAddress, readPersonName } from "../../src/locales/person.ts";

describe("an e-mail address", () => {
  test.each([
    ["ada@example.com", "ada@example.com"],
    [" <Ada.L+shop@Mail.Example.CO.UK>. ", "Ada.L+shop@mail.example.co.uk"],
    ["mailto:ada@example.com", "ada@example.com"],
    ["ada@xn--bcher-kva.example", "ada@xn--bcher-kva.example"],
    ["ádá@bücher.example", "ádá@bücher.example"],
    ["用户@例子.广告", "用户@例子.广告"],
    ["o'brien@example.com", "o'brien@example.com"],
    ["ann@example.com,", "ann@example.com"],
    ["ann@example.com!?", "ann@example.com"],
    ["(ann@example.com)", "ann@example.com"],
    ["„ann@example.com“", "ann@example.com"],
    ["«ann@example.com».", "ann@example.com"],
    ["[mailto:ann@example.com]", "ann@example.com"],
    ["Ann <ann@example.com>", "ann@example.com"],
    ['"Lee, Ann" <ann@example.com>;', "ann@example.com"],
    ["ann@example.com\u200b", "ann@example.com"],
    ["\ufeff\u200fann@exa\u00admple.com", "ann@example.com"],
    ["ａｎｎ＠example．com", "ann@example.com"],
    ["ann@example.com。", "ann@example.com"],
  ])("is read from %s", (text, address) => {
    expect(readMailAddress(text)).toBe(address);
  });

  test.each([
    "",
    "@",
    "ada",
    "ada@",
    "@example.com",
    "ada@example",
    "ada@@example.com",
    "a b@example.com",
    "ada@-example.com",
    "ada@example-.com",
    "ada@example..com",
    ".ada@example.com",
    "ada.@example.com",
    "ada@1.2.3.4",
    "ada@example.com, bob@example.com",
    '"ada"@example.com',
    `${"a".repeat(65)}@example.com`,
    `ada@${"a.".repeat(130)}com`,
    "ada@example.com\r\nBcc: x@example.com",
  ])("is not read from %s", (text) => {
    expect(readMailAddress(text)).toBeNull();
  });

  test("never holds a blank, a control or a bracket, and is read again as itself", () => {
    fc.assert(
      fc.property(fc.oneof(fc.emailAddress(), anyText()), (text) => {
        const address = readMailAddress(text);
        if (address === null) return;
        expect(address).not.toMatch(/[\s\p{Cc}<>"(),:;\\[\]]/u);
        expect(readMailAddress(address)).toBe(address);
      }),
    );
  });
});

describe("a name", () => {
  test.each([
    ["محمد علي\u200f", "محمد علي"],
    ["\u202bדנה לוי\u202c", "דנה לוי"],
    ["\u2068Ada\u2069 \u200b Love\u00adlace\ufeff", "Ada Lovelace"],
    ["می\u200cنا", "می\u200cنا"],
    ["\u200d Ada\u200c", "Ada"],
  ])("is read from %j without what cannot be seen", (text, name) => {
    expect(readPersonName(text)).toBe(name);
  });

  test.each(["", "12345", "<script>", "a\u0000b", "\u200b\u200f", "a".repeat(121)])(
    "is not read from %j",
    (text) => {
      expect(readPersonName(text)).toBeNull();
    },
  );
});
