import { describe, expect, it } from "vitest";
import { readValue } from "../../../src/backend/forms/read-value.ts";
import { cpuTime } from "../../fixtures/cpu-time.ts";
import type { FormField } from "../../../src/backend/forms/types.ts";
import { NOON, field } from "./form-states.ts";

function read(changes: Partial<FormField>, text: string): string | null {
  return readValue(field("x", changes), text, { language: "en", now: NOON });
}

describe("a text", () => {
  it("is trimmed, composed, and loses what can't be seen in it", () => {
    expect(read({}, "  Zoe\u0301\u0000 \u202e!  ")).toBe("Zoé !");
  });

  it("is measured in code points", () => {
    expect(read({ max: 3 }, "😀😀😀")).toBe("😀😀😀");
    expect(read({ max: 3 }, "😀😀😀😀")).toBeNull();
    expect(read({ min: 2 }, "a")).toBeNull();
  });

  it("matches its pattern as a whole", () => {
    expect(read({ pattern: "[A-Z]{2}\\d{4}" }, "AB1234")).toBe("AB1234");
    expect(read({ pattern: "[A-Z]{2}\\d{4}" }, "xAB1234")).toBeNull();
    expect(read({ pattern: "a|b" }, "ab")).toBeNull();
  });

  it("matches with the digits of its script, and is kept with ASCII ones then", () => {
    expect(read({ pattern: "\\d{4}" }, "١٢٣٤")).toBe("1234");
  });

  it("is a value with lone surrogates replaced, so that it can be sent as UTF-8", () => {
    expect(read({}, "a\ud800b")).toBe("a\ufffdb");
  });

  it("is refused beyond the length that a session can keep", () => {
    expect(read({}, "a".repeat(8001))).toBeNull();
  });

  // A backtracking engine would need far too long for each of these.
  it.each(["(a+)+b", "(a|aa)+b", "(a*)*b", "(.*a){20}b", "(x+x+)+y"])(
    "is matched against %s in linear time",
    async (pattern) => {
      const took = await cpuTime(() => {
        expect(read({ pattern }, "a".repeat(1000))).toBeNull();
        expect(read({ pattern }, "x".repeat(1000))).toBeNull();
      });
      expect(took).toBeLessThan(2000);
    },
  );

  it("matches no pattern when it is very long: a pattern's text is at most 1,000", () => {
    expect(read({ pattern: "a+" }, "a".repeat(1001))).toBeNull();
  });
});

it.each(["text", "number", "email", "date", "list", "file"] as const)(
  "a %s is read or refused at once, however long and odd it is",
  async (type) => {
    const values = [{ label: "A", value: "a" }];
    const took = await cpuTime(() => {
      for (const unit of [" ", "!", "1 ", "1.", "a", "-", "a@", "a.", "https://", "\u0301", "{{"]) {
        for (const end of ["x", "€", "!"]) read({ type, values }, `1${unit.repeat(8000)}${end}`);
        read({ type, values }, `1${unit.repeat(3990 / unit.length)}x`);
      }
    });
    expect(took).toBeLessThan(1000);
  },
);

describe("a number", () => {
  it("is accepted within its bounds, including the bounds themselves", () => {
    const bounds = { type: "number", min: -1.5, max: 10 } as const;
    expect(read(bounds, "-1,5")).toBe("-1.5");
    expect(read(bounds, "10")).toBe("10");
    expect(read(bounds, "10.01")).toBeNull();
    expect(read(bounds, "-2")).toBeNull();
  });
});

describe("a date", () => {
  it("is accepted within its bounds, including the bounds themselves, which may be relative to today", () => {
    const bounds = { type: "date", min: "today", max: "2026-12-31" } as const;
    expect(read(bounds, "21/11/2026")).toBe("2026-11-21");
    expect(read(bounds, "20/11/2026")).toBeNull();
    expect(read(bounds, "2027-01-01")).toBeNull();
  });
});

describe("an e-mail address", () => {
  it.each([
    ["anna@example.com", "anna@example.com"],
    [" <Anna.B+x@Example.COM> ", "Anna.B+x@example.com"],
    ["mailto:a@b.example", "a@b.example"],
    ["Anna@Müller.example", "Anna@müller.example"],
    ["用户@例子.广告", "用户@例子.广告"],
    ["अजय@डाटा.भारत", "अजय@डाटा.भारत"],
    ["ａ@ｂ.example", "a@b.example"],
    ["o'neill@xn--mller-kva.example", "o'neill@xn--mller-kva.example"],
  ])("%s is one", (text, value) => {
    expect(read({ type: "email" }, text)).toBe(value);
  });

  it.each([
    "anna",
    "anna@",
    "@b.example",
    "a@b",
    "a@b.c",
    "a..b@c.example",
    ".a@c.example",
    "a@-b.example",
    "a@b_c.example",
    "a@b..example",
    "a b@c.example",
    "a@b.example, c@d.example",
    "a@b@c.example",
    "a@127.0.0.1",
    "a@[127.0.0.1]",
    "a@0x7f.1",
    "a@b.example/x",
    "a@b.example:80",
    `${"a".repeat(65)}@b.example`,
    `a@${"b".repeat(64)}.example`,
    "<script>@b.example",
    "a@b.example\nBcc: c@d.example",
  ])("%j is not one", (text) => {
    expect(read({ type: "email" }, text)).toBeNull();
  });
});

describe("a choice", () => {
  const list = {
    type: "list",
    values: [
      { label: "Été", value: "summer" },
      { label: "Straße", value: "3" },
      { label: "Größe 2", value: "big" },
    ],
  } as const;

  it.each([
    ["summer", "summer"],
    ["SUMMER", "summer"],
    ["Été", "summer"],
    ["ete", "summer"],
    [" “ÉTÉ!” ", "summer"],
    ["strasse", "3"],
    ["1", "summer"],
    ["2.", "3"],
    ["٢", "3"],
    ["3", "3"],
  ])("%j is %s: the exact value goes before the number in the list", (text, value) => {
    expect(read(list, text)).toBe(value);
  });

  it.each(["0", "4", "-1", "winter", "!", "sum"])("%j is not one", (text) => {
    expect(read(list, text)).toBeNull();
  });

  it("that two labels could mean is refused, unless it is written as one of them", () => {
    const values = [
      { label: "Resume", value: "a" },
      { label: "Résumé", value: "b" },
    ];
    expect(read({ type: "list", values }, "RESUME")).toBeNull();
    expect(read({ type: "list", values }, "Résumé")).toBe("b");
  });

  it("keeps Korean, Thai and Hindi letters apart", () => {
    const values = [
      { label: "가", value: "ga" },
      { label: "각", value: "gak" },
      { label: "कि", value: "ki" },
      { label: "क", value: "ka" },
    ];
    expect(read({ type: "list", values }, "가")).toBe("ga");
    expect(read({ type: "list", values }, "क")).toBe("ka");
  });
});

describe("a file", () => {
  it.each([
    ["https://media.example.com/a.pdf?x=1", "https://media.example.com/a.pdf?x=1"],
    ["5f1c2d3e-0000-4000-8000-000000000001", "5f1c2d3e-0000-4000-8000-000000000001"],
  ])("%s stands for one", (text, value) => {
    expect(read({ type: "file" }, text)).toBe(value);
  });

  it.each([
    "http://media.example.com/a.pdf",
    "https://user:secret@media.example.com/a.pdf",
    "javascript:alert(1)",
    "data:text/plain;base64,AAAA",
    "file:///etc/passwd",
    "my file.pdf",
    "../../etc/passwd",
    "short",
    `https://media.example.com/${"a".repeat(2048)}`,
  ])("%j is not one", (text) => {
    expect(read({ type: "file" }, text)).toBeNull();
  });
});
