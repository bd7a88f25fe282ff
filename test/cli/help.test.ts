import { expect, test } from "vitest";
import { afterword } from "./terminal.ts";

test("backend --help lists its commands, each with a line that says what it does", async () => {
  const { code, out } = await afterword(["backend", "--help"]);
  expect(code).toBe(0);
  const [, list = ""] = out.split("\nCommands:\n\n");
  const rows = list.split("\n\n", 1)[0]?.split("\n") ?? [];
  expect(rows.map((row) => /^ {2}(\w+) +\S.{10}/.exec(row)?.[1])).toEqual(
    "init key app agent room import test explain report backup restore migrate erase".split(" "),
  );
  expect(list).toMatch(/\nRun afterword backend COMMAND --help for its options\.\n$/);
});

test("explain says in words that there is no such file", async () => {
  const { code, error } = await afterword(["explain", "no-such-file.json"]);
  expect([code, error]).toEqual([
    2,
    "afterword explain: no-such-file.json: there is no such file; name a file with a response body, or - for standard input\n",
  ]);
});
