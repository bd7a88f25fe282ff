// Suite: all
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { COMMANDS } from "../../bench/commands.ts";

const root = join(import.meta.dirname, "../..");
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  readonly scripts: Readonly<Record<string, string>>;
};
const commands = Object.entries(COMMANDS).flatMap(([script, files]) =>
  Object.keys(files).map((name) => [script, name] as const),
);

describe("the bench commands", () => {
  it("are all found", () => {
    expect(commands.length).toBeGreaterThan(10);
  });

  it.each(commands)(
    "npm run %s -- %s describes itself with --help, and starts nothing",
    (script, name) => {
      const { status, stdout, stderr } = run(script, name, "--help");
      expect([status, stderr]).toEqual([0, ""]);
      expect(stdout).toContain(`npm run ${script} -- ${name} [options]`);
      expect(stdout).toMatch(/^ {2}--help +this text$/m);
      expect(stdout).toContain("Exit code: 0; 1 when ");
    },
  );

  it.each(commands)("npm run %s -- %s refuses an unknown option in one line", (script, name) => {
    const { status, stdout, stderr } = run(script, name, "--no-such-option");
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^[^\n]*--no-such-option[^\n]*\n$/);
    expect(stderr).toContain(`(npm run ${script} -- ${name} --help)`);
  });

  it("describe the values of each option", () => {
    const { status, stderr } = run("bench", "chat", "--chats=many");
    expect([status, stderr]).toEqual([
      2,
      "--chats takes a whole number of at least 1 (npm run bench -- chat --help)\n",
    ]);
  });

  it.each(Object.keys(COMMANDS))("npm run %s lists its commands where none is named", (script) => {
    for (const name of ["", "toString"]) {
      const { status, stdout, stderr } = run(script, name);
      expect([status, stdout]).toEqual([2, ""]);
      expect(stderr).toMatch(/^npm run [^\n]* is one of: [^\n]*\b(?:compare|desk)\b[^\n]*\n$/);
    }
  });
});

/**
 * Runs a command as npm does, with a preload that throws for a process, a thread or a listening
 * socket.
 */
function run(script: string, ...args: readonly string[]) {
  const preload = join(import.meta.dirname, "start-nothing.mjs");
  return spawnSync(manifest.scripts[script] + ` ${args.join(" ")}`, {
    cwd: root,
    shell: true,
    encoding: "utf8",
    env: {
      ...process.env,
      PATH: `${join(root, "node_modules/.bin")}:${process.env["PATH"]}`,
      NODE_OPTIONS: `--import=${preload}`,
    },
  });
}
