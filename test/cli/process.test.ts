// Suite: slow
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { afterword, root, workspace } from "../runtime/processes/processes.ts";
import { shippedTexts } from "../clients/connectors/texts.ts";

const shipped = join(root, "config", "afterword.yaml");

// Outputs of commands are tested in test/cli/commands.test.ts; here they pass through a process's
// own streams and exit codes.
describe("a command in a process of its own", () => {
  it("shows its version and help on standard output", async () => {
    const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as {
      version: string;
    };
    expect(await afterword(["--version"])).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
    expect(await afterword(["serve", "--help"])).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^afterword serve /u),
      stderr: "",
    });
  });

  it("ends with 2 and a line on standard error for unusable arguments and variables", async () => {
    const line = expect.stringMatching(/^afterword\b[^\n]*"x" is not a port[^\n]*\n$/u);
    expect(await afterword(["serve", "--port", "x"])).toEqual({
      code: 2,
      stdout: "",
      stderr: line,
    });
    const end = await afterword(["serve", "--config", shipped], { env: { PORT: "http" } });
    expect(end).toEqual({ code: 2, stdout: "", stderr: expect.stringMatching(/^[^\n]+\n$/u) });
  });

  it("reads standard input", async () => {
    const args = ["explain", "--config", shipped, "--locale", "fr-BE", "-"];
    const input = '{"answers":[{"flags":["no-results"],"message":"Sorry"}]}';
    const { code, stdout, stderr } = await afterword(args, { input });
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toContain(`+ ${JSON.stringify(shippedTexts("fr")["no-results"])}`);
  });

  it("ends with 1 when a configuration has an error", async () => {
    const place = await workspace();
    await place.write(join("messages", "en.yaml"), 'welcom: "Hi"\n');
    const end = await afterword(["check"], { env: { AFTERWORD_CONFIG: place.config } });
    expect(end).toMatchObject({ code: 1, stdout: expect.stringContaining(": 1 error,") });
  });

  it("ends by itself after it has started a gateway and a backend", async () => {
    const { config } = await workspace();
    const { code, stdout, stderr } = await afterword(["doctor", "--config", config]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toContain(shippedTexts("en")["welcome"]);
  });
});

describe("a reader that stops before the end", () => {
  it.each([
    ["--help", "true"],
    ["explain --config config/afterword.yaml BODY", "head -c 1"],
    ["messages export --config config/afterword.yaml --locale fr", "head -n 1"],
    ["coverage --config config/afterword.yaml", "true"],
    ["check --config config/afterword.yaml", "true"],
    ["backend --help", "true"],
  ])("of afterword %s | %s causes no error message", async (command, reader) => {
    const place = await workspace();
    // More than a pipe's buffer.
    const answers = Array.from({ length: 3000 }, () => ({ flags: ["no-results"], message: "No" }));
    const body = await place.write("body.json", JSON.stringify({ answers }));
    const main = join(root, "src/cli/main.ts");
    const line = `node ${main} ${command.replace("BODY", body)}; echo "ended $?" >&2`;
    const script = `(${line}) | ${reader} >/dev/null`;
    const { stderr } = await promisify(execFile)("sh", ["-c", script], { cwd: place.path });
    expect(stderr).toBe("ended 0\n");
  });

  it("of the errors causes no error either", async () => {
    const main = join(root, "src/cli/main.ts");
    const script = `(node ${main} nonsense; echo "ended $?") 2>&1 >&3 | true`;
    const { stdout } = await promisify(execFile)("sh", ["-c", `exec 3>&1; ${script}`]);
    expect(stdout).toBe("ended 2\n");
  });
});
