// Suite: slow
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tableOf } from "../../../src/cli/backend/print-list.ts";
import { afterword } from "../terminal.ts";
import { keyCommands } from "./suites/keys.ts";
import { createFolder } from "../../fixtures/folder.ts";

keyCommands("SQLite", async () => join(createFolder(), "backend.db"));

test.each([
  [["add"], /name the key/],
  [["add", "a", "b"], /unexpected argument "b"/],
  [["add", "a\u001B[2J"], /1 to 100 characters/],
  [["add", "a", "--factor", "6"], /--factor is 1, 2, 3, 4 or 5, not "6"/],
  [["add", "a", "--factor", "1.5"], /not "1.5"/],
  [["add", "a", "--domain", "https://shop.example/path"], /--domain is a host/],
  [["add", "a", "--domain", "shop example"], /--domain is a host/],
  [["add", "a", "--domain", "."], /--domain is a host/],
  [["add", "a", "--domain", "ftp://shop.example"], /--domain is a host/],
  [["add", "a", "--personal", "x", "--personal", "x"], /--personal x is given twice/],
  [["add", "a", "--format", "xml"], /--format is text or json, not "xml"/],
  [["revoke"], /name the key/],
  [["list", "all"], /unexpected argument/],
  [["show"], /say add, list or revoke, not "show"/],
  [[], /say add, list or revoke/],
])("key %j ends in one line and exit code 2, and makes no database", async (args, expected) => {
  const database = join(createFolder(), "backend.db");
  const place = args.length === 0 || args[0] === "show" ? [] : ["--database", database];
  const result = await afterword(["backend", "key", ...args, ...place]);
  expect(result).toMatchObject({ code: 2, out: "", error: expect.stringMatching(expected) });
  expect(result.error).toMatch(/^afterword backend key\b[^\n]*\n$/);
  expect(existsSync(database)).toBe(false);
});

test.each([
  ["key", "list"],
  ["key", "revoke", "web"],
  ["report"],
  ["migrate"],
  ["erase", "--user", "a@b.example", "--yes"],
  ["backup", "copy.db"],
])("%s does not make a database by a mistyped path", async (...args) => {
  const database = join(createFolder(), "no", "backend.db");
  const result = await afterword(["backend", ...args, "--database", database]);
  expect(result).toMatchObject({ code: 1, out: "" });
  expect(result.error).toMatch(/^There is no database .*afterword backend init\n$/);
  expect(existsSync(database)).toBe(false);
});

test("every part and its parts have help", async () => {
  const whole = await afterword(["backend", "--help"]);
  for (const part of ["init", "key", "import", "report", "backup", "restore", "migrate", "erase"]) {
    expect(whole.out).toMatch(new RegExp(`^  ${part} +\\S`, "m"));
    const help = await afterword(["backend", part, "--help"]);
    expect(help).toMatchObject({ code: 0, error: "" });
    expect(help.out).toMatch(new RegExp(`^afterword backend ${part} `));
  }
  const key = await afterword(["backend", "key", "-h"]);
  for (const part of ["add", "list", "revoke"]) {
    expect(key.out).toMatch(new RegExp(`^  ${part} +\\S`, "m"));
    const help = await afterword(["backend", "key", part, "--help"]);
    expect(help.out).toMatch(new RegExp(`^afterword backend key ${part} `));
  }
});

test("a table keeps within the terminal's width, and nothing in it moves the cursor", () => {
  const rows = [
    ["a".repeat(60), "b\u001B[31m", "日本語".repeat(20)],
    ["x", "y", "z"],
  ];
  const lines = tableOf(["ONE", "TWO", "THREE"], rows, 40).trimEnd().split("\n");
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(40);
  expect(lines[1]).toMatch(/^a+… {2}b\?\[31m {2}[日本語]+…$/);
});

test("a table keeps the invisible characters that join letters or signs", () => {
  const rows = [["می\u200Cخواهم"], ["👩\u200D👧"], ["a\u202Eb"]];
  expect(tableOf(["TITLE"], rows, 40).split("\n").slice(1, 4)).toEqual([
    "می\u200Cخواهم",
    "👩\u200D👧",
    "a?b",
  ]);
});
