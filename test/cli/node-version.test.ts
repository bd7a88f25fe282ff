// Suite: slow
import { execFile, spawnSync } from "node:child_process";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createFolder } from "../fixtures/folder.ts";

const root = join(import.meta.dirname, "../..");
const folder = createFolder(afterAll);
let before = "";
let bin = "";

beforeAll(async () => {
  // Runs before the program, and reports another version of Node.
  before = join(folder, "old.cjs");
  const versions = 'Object.assign({}, process.versions, { node: process.env["PRETENDED"] })';
  await writeFile(before, `Object.defineProperty(process, "versions", { value: ${versions} });`);
  bin = join(folder, "package", "bin");
  await cp(join(root, "bin"), bin, { recursive: true });
});

async function run(program: string, args: readonly string[], PRETENDED = process.versions.node) {
  const env = { ...process.env, PRETENDED };
  const ended = promisify(execFile)(program, [...args], { cwd: folder, env });
  const end = await ended.catch((error: unknown) => error);
  const { code = 0, stdout, stderr } = end as { code?: number; stdout: string; stderr: string };
  return { code, stdout, stderr };
}

describe("an old Node", () => {
  it.each(["18.9.1", "20.20.2", "22.23.3", "23.9.0"])(
    "%s gets one line about the version that the command needs",
    async (version) => {
      const args = ["--require", before];
      expect(await run(process.execPath, [...args, join(bin, "afterword.cjs")], version)).toEqual({
        code: 1,
        stdout: "",
        stderr: `Afterword needs Node 24 or newer; this is Node ${version} (${process.execPath}). Install Node 24 from https://nodejs.org or with your version manager.\n`,
      });
      const here = [join(root, "bin/afterword.cjs"), "serve"];
      expect(await run(process.execPath, [...args, ...here], version)).toEqual({
        code: 1,
        stdout: "",
        stderr: expect.stringMatching(/^Afterword needs Node 24 [^\n]*Run npm ci, [^\n]*\n$/),
      });
    },
  );

  it("is reported by the library's entry for Node too", async () => {
    const entry = pathToFileURL(join(root, "src/runtime/node/index.ts")).href;
    const script = `import(${JSON.stringify(entry)}).catch(({ code, message }) => console.log(code, message))`;
    const { stdout } = await run(
      process.execPath,
      ["--require", before, "--eval", script],
      "22.23.3",
    );
    expect(stdout).toMatch(
      /^node-too-old Afterword needs Node 24 or newer; this is Node 22\.23\.3 /,
    );
  });

  const installed = installedElsewhere();
  it.skipIf(installed === null)("that is really installed is reported too", async () => {
    for (const name of ["afterword.cjs", "check-node.cjs"]) {
      expect(await run(installed ?? "", [join(bin, name)])).toEqual({
        code: 1,
        stdout: "",
        stderr: expect.stringMatching(/^Afterword needs Node 24 or newer; this is [^\n]*\n$/),
      });
    }
  });
});

describe("a checkout", () => {
  it("without packages explains how to install them", async () => {
    const checkout = join(folder, "checkout");
    await cp(join(root, "bin"), join(checkout, "bin"), { recursive: true });
    await mkdir(join(checkout, "src"));
    expect(await run(process.execPath, [join(checkout, "bin/afterword.cjs")])).toEqual({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(/^The packages [^\n]*are not installed[^\n]*npm ci\.\n$/),
    });
  });

  it("looks at its Node before npm start, npm test and npm run afterword", async () => {
    const { scripts } = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as {
      scripts: Record<string, string>;
    };
    for (const name of ["start", "dev", "test", "afterword"]) {
      expect([name, scripts[name]]).toEqual([
        name,
        expect.stringMatching(/^node (?:--watch )?bin\/(?:afterword|check-node)\.cjs/),
      ]);
    }
  });

  it("runs the command on this Node", async () => {
    const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as {
      version: string;
    };
    const command = join(root, "bin/afterword.cjs");
    expect(await run(process.execPath, [command, "--version"])).toEqual({
      code: 0,
      stdout: `${version}\n`,
      stderr: "",
    });
  });
});

/** The machine's own Node, if it is an old one. */
function installedElsewhere(): string | null {
  for (const file of ["/usr/bin/node", "/usr/local/bin/node"]) {
    const { stdout } = spawnSync(file, ["--version"], { encoding: "utf8" });
    if (/^v(?:1\d|2[0-3])\./.test(stdout ?? "")) return file;
  }
  return null;
}
