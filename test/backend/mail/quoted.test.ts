import fc from "fast-check";
import { expect, test } from "vitest";
import { splitQuoted } from "../../../src/backend/mail/quoted.ts";

test.each([
  [
    "English",
    "Thanks!\n\nOn Mon, 2 Nov 2026 at 10:00, Shop <a@b.example> wrote:\n> Hello\n> there",
  ],
  ["German", "Thanks!\n\nAm 2. November 2026 um 10:00 schrieb Shop <a@b.example>:\n\n> Hallo"],
  [
    "French in two lines",
    "Thanks!\n\nLe lun. 2 nov. 2026 à 10:00, Shop <a@b.example> a\nécrit :\n> Bonjour",
  ],
  ["Japanese", "Thanks!\n\n2026年11月2日(月) 10:00 Shop <a@b.example>：\n> こんにちは"],
  [
    "Outlook",
    "Thanks!\n\n________________________________\nFrom: Shop <a@b.example>\nSent: Monday\nTo: Ada\nSubject: Hello\n\nHello there",
  ],
  [
    "Outlook in German",
    "Thanks!\n\nVon: Shop <a@b.example>\nGesendet: Montag\nAn: Ada\nBetreff: Hallo\n\nHallo",
  ],
  ["a signature", "Thanks!\n\n-- \nAda Lovelace\nAnalyst"],
  ["a quote and a signature", "Thanks!\n\n-- \nAda\n\nOn Monday Shop wrote:\n> Hello"],
])("an answer is separated from the quote below it: %s", (_name, text) => {
  const { message, quoted } = splitQuoted(text);
  expect(message).toBe("Thanks!");
  expect(quoted).not.toBe("");
});

test.each([
  ["answers between the quoted lines", "> Is it blue?\nYes.\n> Is it big?\nNo."],
  ["nothing but a quote", "> Hello\n> there"],
  ["a list with colons", "Size: 12\nColour: blue\nThanks, Ada"],
  ["a line that ends with a colon", "I need these:\n- a lamp\n- a table"],
  ["Windows lines", "One\r\nTwo"],
])("a text stays whole that has %s", (_name, text) => {
  expect(splitQuoted(text)).toEqual({ message: text.replaceAll("\r\n", "\n"), quoted: "" });
});

test("no text loses a word", () => {
  const line = fc.constantFrom(
    "> a",
    "b:",
    "",
    "-- ",
    "From: x@y.example",
    "Sent: c",
    "To: d",
    "e",
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
      const words = (text: string): readonly string[] => text.split(/\s+/).filter(Boolean);
      const { message, quoted } = splitQuoted(lines.join("\n"));
      expect([...words(message), ...words(quoted)]).toEqual(words(lines.join("\n")));
    }),
  );
});
