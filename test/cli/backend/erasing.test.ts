// Suite: slow
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mentionOf } from "../../../src/cli/backend/mentions.ts";
import { run } from "../../../src/cli/run.ts";
import { afterword } from "../terminal.ts";
import { inDatabase } from "./place.ts";
import { erasing } from "./suites/erasing.ts";
import { runs } from "../../fixtures/runs.ts";
import { createFolder } from "../../fixtures/folder.ts";

erasing(
  "SQLite",
  async () => join(createFolder(), "backend.db"),
  async (database) => {
    const files = await Promise.all(
      ["", "-wal"].map((end) => readFile(database + end, "latin1").catch(() => "")),
    );
    return files.join("");
  },
);

describe("an address", () => {
  const mention = mentionOf(" Ann.O'Neil+x@Shop.example ");

  test.each([
    "ann.o'neil+x@shop.example",
    "I am ANN.O'NEIL+X@SHOP.EXAMPLE.",
    "<ann.o'neil+x@shop.example>, or call",
    "mailto:ann.o'neil+x@shop.example?subject=a",
  ])("is found in %j", (text) => {
    expect(mention.within(text)).toBe(true);
  });

  test.each([
    "joann.o'neil+x@shop.example",
    "x.ann.o'neil+x@shop.example",
    "ann.o'neil+x@shop.example.org",
    "ann.o'neil+x@shop.examples",
    "annxo'neil+x@shop.example",
    "ann.o'neil@shop.example",
  ])("is not found in %j, which is another's", (text) => {
    expect(mention.within(text)).toBe(false);
  });

  test("is found in composed and decomposed letters", () => {
    for (const form of ["NFC", "NFD"]) {
      const jose = mentionOf("JOSÉ-n@shop.example".normalize(form));
      for (const other of ["NFC", "NFD"]) {
        const text = "josé-n@shop.example".normalize(other);
        expect([jose.is(text), jose.within(`<${text}>, or call`)]).toEqual([true, true]);
      }
    }
  });

  test("that is a plain word must be the whole text", () => {
    expect(mentionOf("bob").within("bob")).toBe(true);
    expect(mentionOf("bob").within("a bob haircut")).toBe(false);
  });

  test("is found whatever characters it is made of, between any others", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 1 }), (name) => {
        const address = `${name.trim()}@x.example`;
        expect(mentionOf(address).within(`<${address}>`)).toBe(true);
        expect(mentionOf(address.toUpperCase()).is(address.toUpperCase())).toBe(true);
      }),
      { examples: [["\u0130"], ["\u212a\u03a3"], ["\u00df$&"]], numRuns: runs(1000) },
    );
  });
});

test("no row that names an address is overlooked by the database", async () => {
  await inDatabase(join(createFolder(), "backend.db"), async ({ kysely }) => {
    const name = fc.string({ unit: "grapheme", minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(name, fc.func(fc.boolean()), async (given, upper) => {
        const address = `${given.trim()}%_'"\\@X.example`;
        const written = Array.from(address, (one) => (upper(one) ? one.toUpperCase() : one)).join(
          "",
        );
        const form = upper("") ? "NFD" : "NFC";
        const data = JSON.stringify({ text: `I am <${written.normalize(form)}>` });
        const row = { at: 1, project: "p", session: "s", type: "t", data };
        const { id } = await kysely
          .insertInto("events")
          .values(row)
          .returning("id")
          .executeTakeFirstOrThrow();
        const { possible, within } = mentionOf(address);
        const found = await kysely
          .selectFrom("events")
          .select("id")
          .where("id", "=", id)
          .where(possible("data"))
          .execute();
        expect(found.length).toBe(within(`<${written.normalize(form)}>`) ? 1 : found.length);
      }),
      { numRuns: runs(300) },
    );
  });
});

describe("before it erases, the command", () => {
  const args = async (): Promise<readonly string[]> => {
    const database = join(createFolder(), "backend.db");
    await inDatabase(database, ({ kysely }) =>
      kysely
        .insertInto("users")
        .values({
          ...{ project: "p", hash_uuid: "u", created: 1, updated: 1, extra: "[]", name: "Anna" },
          ...{ address: "anna@shop.example", address_key: "anna@shop.example" },
        })
        .execute(),
    );
    return ["backend", "erase", "--database", database, "--user", "anna@shop.example"];
  };

  test("shows what would be erased, and asks; only the exact word is a yes", async () => {
    const argv = await args();
    for (const [answer, code] of [
      ["yes", 1],
      ["", 1],
      ["erase", 0],
      ["erase", 1],
    ] as const) {
      let error = "";
      let asked = 0;
      const ended = await run(argv, {
        out: () => undefined,
        error: (text) => void (error += text),
        readInput: async () => new Uint8Array(),
        async ask() {
          expect(error).toMatch(/^would be erased: anna@shop\.example\n {2}user 1 of p/);
          asked += 1;
          return answer;
        },
        env: {},
        interactive: true,
        columns: 80,
      });
      expect(ended).toBe(code);
      // The last time, there is nothing left to confirm.
      expect(asked === 1 || error.includes("nothing of anna@shop.example was found")).toBe(true);
    }
  });

  test("requires --yes where it cannot ask", async () => {
    const argv = await args();
    expect(await afterword(argv)).toMatchObject({
      code: 2,
      out: "",
      error: expect.stringMatching(/^afterword backend erase: [^\n]*add --yes[^\n]*\n$/),
    });
    expect(await afterword([...argv, "--dry-run"])).toMatchObject({ code: 0 });
  });

  test.each([[[]], [["--user", " "]]])("requires a person: %j", async (more) => {
    const result = await afterword(["backend", "erase", "--yes", ...more]);
    expect(result).toMatchObject({ code: 2, error: expect.stringMatching(/name the person/) });
  });
});
