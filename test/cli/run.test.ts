import { expect, test } from "vitest";
import { findConfigFile, helpOf, type Command } from "../../src/cli/command/command.ts";
import { readPackageVersion } from "../../src/config/load/package-root.ts";
import { afterword } from "./terminal.ts";

const COMMANDS = [
  "serve",
  "backend",
  "init",
  "check",
  "coverage",
  "messages",
  "explain",
  "doctor",
] as const;

test.each([[[]], [["--help"]], [["-h"]], [["help"]]])("%j lists every command", async (argv) => {
  const { code, out } = await afterword(argv);
  expect(code).toBe(0);
  for (const name of COMMANDS) expect(out).toMatch(new RegExp(`^  ${name} +\\S`, "m"));
});

test("the version is that of the package", async () => {
  const { code, out } = await afterword(["--version"]);
  expect([code, out]).toEqual([0, `${readPackageVersion()}\n`]);
  expect(out).toMatch(/^\d+\.\d+\.\d+/);
});

test("an unknown command is one line on standard error, and code 2", async () => {
  const { code, out, error } = await afterword(["sevre"]);
  expect([code, out]).toEqual([2, ""]);
  expect(error).toMatch(/^afterword: there is no command "sevre" \(.*serve.*\)\n$/);
});

test.each([
  ["backend", "keys", /^afterword backend: there is no command "keys" \(init, key, .*erase\)/],
  ["insights", "export", /^afterword insights: there is no command "export" \(erase\)/],
])("an unknown command of %s is named with those that exist", async (name, word, message) => {
  const { code, error } = await afterword([name, word]);
  expect(code).toBe(2);
  expect(error).toMatch(message);
  expect(error).toContain(`(afterword ${name} --help)\n`);
});

test.each(COMMANDS)(
  "%s has help with its usage, and refuses options it does not know",
  async (name) => {
    const help = await afterword([name, "--help"]);
    expect(help.code).toBe(0);
    expect(help.out).toContain(`afterword ${name} `);
    expect(help.out).toContain("--help");
    const argv = name === "messages" ? [name, "export", "--nope"] : [name, "--nope"];
    const refused = await afterword(argv);
    expect(refused.code).toBe(2);
    expect(refused.error).toMatch(/^afterword [a-z ]+: .*--nope.*\n$/);
  },
);

test("help lists options in a column, values beside their names", () => {
  const command: Command = {
    name: "try",
    usage: "[--a FILE]",
    options: [
      { name: "a", value: "FILE", help: "a file" },
      { name: "longer", help: "a switch" },
    ],
    run: async () => 0,
  };
  expect(helpOf(command, "Tries.")).toBe(
    "afterword try [--a FILE]\n\nTries.\n\n  --a FILE  a file\n  --longer  a switch\n  --help    this text\n",
  );
});

test("the configuration is the one named, else that of the environment, else the usual one", () => {
  const terminal = (env: Record<string, string>) => ({
    out: () => undefined,
    error: () => undefined,
    readInput: async () => new Uint8Array(),
    env,
    interactive: false,
    columns: 80,
  });
  expect(findConfigFile("a.yaml", terminal({ AFTERWORD_CONFIG: "b.yaml" }))).toBe("a.yaml");
  expect(findConfigFile(null, terminal({ AFTERWORD_CONFIG: "b.yaml" }))).toBe("b.yaml");
  expect(findConfigFile(null, terminal({ AFTERWORD_CONFIG: "" }))).toBe("config/afterword.yaml");
});
