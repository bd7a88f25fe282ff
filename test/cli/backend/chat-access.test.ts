// Suite: slow
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { afterword } from "../terminal.ts";
import { chatAccessCommands } from "./suites/chat-access.ts";
import { createFolder } from "../../fixtures/folder.ts";

// Hashing passwords is slow on purpose.
vi.setConfig({ testTimeout: 180_000 });

chatAccessCommands("SQLite", async () => join(createFolder(), "backend.db"));

test.each([
  [["app", "add"], /give the app a name/],
  [["app", "add", "a", "b"], /unexpected argument "b"/],
  [["app", "add", "a\u001B[2J"], /1 to 100 characters/],
  [["app", "add", " "], /1 to 100 characters/],
  [["app", "add", "a", "--format", "xml"], /--format is text or json, not "xml"/],
  [["app", "list", "all"], /unexpected argument/],
  [["app", "revoke"], /give the app's id or name/],
  [["agent", "add"], /name the agent/],
  [["agent", "add", "a\nb"], /1 to 100 characters/],
  [["agent", "add", "sam", "--slots", "-1"], /--slots/],
  [["agent", "add", "sam", "--slots=-1"], /--slots must be a whole number/],
  [["agent", "add", "sam", "--slots", "1e3"], /--slots must be a whole number/],
  [["agent", "add", "sam", "--slots", "1001"], /--slots must be at most 1000/],
  [["agent", "add", "sam", "--language", "x y"], /--language must be a language code/],
  [["agent", "add", "sam", "--room", ""], /--room has 1 to 100 characters/],
  [["agent", "add", "sam", "--room", "1,2"], /--room must not have a comma/],
  [["agent", "add", "sam", "--password", "secret"], /Unknown option '--password'/],
  [["agent", "revoke"], /name the agent's login/],
  [["room", "add"], /give the room's id/],
  [["room", "add", "a", "--name", "\u0000"], /--name has 1 to 100 characters/],
  [["room", "add", "1,2"], /must not have a comma/],
  [["room", "revoke"], /give the room's id/],
  [["app", "show"], /say add, list, tie or revoke, not "show"/],
  [["app", "tie", "a"], /give the app's id or name, then its project or --none/],
  [["app", "tie", "a", "b", "--none"], /then its project or --none/],
  [["agent"], /say add, list or revoke/],
  [["room", "remove"], /say add, list or revoke, not "remove"/],
])("%j ends in one line and exit code 2, and makes no database", async (args, expected) => {
  const database = join(createFolder(), "backend.db");
  const place =
    args.length === 1 || /show|remove/.test(args[1] ?? "") ? [] : ["--database", database];
  const result = await afterword(["backend", ...args, ...place]);
  expect(result).toMatchObject({ code: 2, out: "", error: expect.stringMatching(expected) });
  expect(result.error).toMatch(new RegExp(`^afterword backend ${args[0]}\\b[^\\n]*\\n$`));
  expect(existsSync(database)).toBe(false);
});

test.each([
  ["app", "list"],
  ["app", "revoke", "web"],
  ["app", "tie", "web", "main"],
  ["agent", "add", "sam"],
  ["agent", "list"],
  ["agent", "revoke", "sam"],
  ["room", "add", "1"],
  ["room", "list"],
  ["room", "revoke", "1"],
])("%s %s does not make a database by a mistyped path", async (...args) => {
  const database = join(createFolder(), "no", "backend.db");
  const result = await afterword(["backend", ...args, "--database", database]);
  expect(result).toMatchObject({ code: 1, out: "" });
  expect(result.error).toMatch(/^There is no database .*afterword backend init\n$/);
  expect(existsSync(database)).toBe(false);
});

test("app, agent and room and their parts have help", async () => {
  const whole = await afterword(["backend", "--help"]);
  expect(whole.out).toContain("--chat-port P");
  for (const part of ["app", "agent", "room"]) {
    expect(whole.out).toMatch(new RegExp(`^  ${part} +\\S`, "m"));
    const group = await afterword(["backend", part, "-h"]);
    for (const word of ["add", "list", "revoke"]) {
      expect(group.out).toMatch(new RegExp(`^  ${word} +\\S`, "m"));
      const help = await afterword(["backend", part, word, "--help"]);
      expect(help).toMatchObject({ code: 0, error: "" });
      expect(help.out).toMatch(new RegExp(`^afterword backend ${part} ${word} `));
    }
  }
});
