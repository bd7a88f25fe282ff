import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  readonly scripts: Readonly<Record<string, string>>;
};
const commands = Object.entries(scripts).filter(([name]) =>
  /^(?:bench|chaos|scenario|check:bundle)/.test(name),
);

describe("the commands that measure and try things", () => {
  it("are all found", () => {
    expect(commands.length).toBeGreaterThan(10);
  });

  it.each(commands)(
    "npm run %s tells what it does with --help, and starts nothing",
    (name, script) => {
      const { status, stdout, stderr } = run(script, "--help");
      expect([status, stderr]).toEqual([0, ""]);
      expect(stdout).toContain(`npm run ${name} -- [options]`);
      expect(stdout).toMatch(/^ {2}--help +this text$/m);
      expect(stdout).toContain("Exit code: 0; 1 when ");
    },
  );

  it.each(commands)("npm run %s refuses an option that it lacks in one line", (name, script) => {
    const { status, stdout, stderr } = run(script, "--no-such-option");
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^[^\n]*--no-such-option[^\n]*\n$/);
    expect(stderr).toContain(`(npm run ${name} -- --help)`);
  });

  it("say what an option takes", () => {
    const { status, stderr } = run("node bench/chat/run.ts", "--chats=many");
    expect([status, stderr]).toEqual([
      2,
      "--chats takes a whole number of at least 1 (npm run bench:chat -- --help)\n",
    ]);
  });
});

/** As npm does, where a process, a thread or a listening socket would throw. */
function run(script: string, option: string) {
  const preload = join(import.meta.dirname, "start-nothing.mjs");
  return spawnSync("sh", ["-c", `${script} ${option}`], {
    cwd: root,
    encoding: "utf8",
    env: {
      ...process.env,
      PATH: `${join(root, "node_modules/.bin")}:${process.env["PATH"]}`,
      NODE_OPTIONS: `--import=${preload}`,
    },
  });
}
