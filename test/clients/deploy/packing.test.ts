import { execFile } from "node:child_process";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createFolder } from "../../fixtures/folder.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../../..");
const packedFolders = [
  "bin",
  ":(glob)locales/*.yaml",
  "locales/pages",
  "schema",
  "config",
  ":(glob)docs/*.md",
];

/** Untracked files that a used checkout has. */
const used = [
  "config/.afterword/route-key",
  "config/.afterword/token-key",
  "config/.afterword/backend.db",
  "config/.afterword/state.db",
  "config/tls/key.pem",
  "config/tls/cert.pem",
  "config/afterword.yaml.bak",
  "config/own.yaml",
  "config/messages/de.yaml",
  "config/backend/own.en.yaml",
  "config/backend/shop.de.yaml",
  "config/backend/texts/sk.yaml",
  "config/examples/own.yaml",
  "config/recordings/today.json",
  "docs/own-notes.md",
  ".afterword/route-key",
  ".dev.vars",
  "environment",
  "dist/worker/compiled.json",
  "dist/worker-bundle/main.js",
  "dist/worker-own.json",
];

const checkout = createFolder(afterAll);
let tracked: readonly string[] = [];

beforeAll(async () => {
  const listed = await run("git", ["ls-files", ...packedFolders], { cwd: root });
  tracked = listed.stdout.trim().split("\n");
  const copied = [...tracked, "package.json", ".gitignore", ".npmrc", "README.md", "LICENSE"];
  for (const file of [...copied, "CHANGELOG.md"]) {
    await cp(join(root, file), join(checkout, file));
  }
  for (const file of [...used, "dist/index.js", "dist/cli/main.js"]) {
    await mkdir(dirname(join(checkout, file)), { recursive: true });
    await writeFile(join(checkout, file), "private");
  }
});

describe("a checkout that was used", () => {
  it("packs the files of the product, and none of its owner's", async () => {
    const { stdout } = await run("npm", ["pack", "--dry-run", "--json"], { cwd: checkout });
    const [{ files }] = JSON.parse(stdout) as [{ files: { path: string }[] }];
    const always = ["CHANGELOG.md", "LICENSE", "README.md", "package.json"];
    expect(files.map(({ path }) => path).sort()).toEqual(
      [...tracked, ...always, "dist/cli/main.js", "dist/index.js"].sort(),
    );
  });

  it("gives the image's build the files that are tracked, and none of its owner's", async () => {
    const isSent = isInContext(
      await readFile(join(root, "deploy/Dockerfile.dockerignore"), "utf8"),
    );
    // A table of the engine's lines and a page contain no secret, but are not packed.
    expect(used.filter(isSent)).toEqual(["config/backend/texts/sk.yaml", "docs/own-notes.md"]);
    expect(tracked.filter((file) => !isSent(file))).toEqual([]);
    for (const file of [
      "package.json",
      "package-lock.json",
      "build/licences.ts",
      "src/runtime/web/index.ts",
    ]) {
      expect([file, isSent(file)]).toEqual([file, true]);
    }
  });
});

/** Docker's rule: the last line that matches a file, or a folder above it, decides. */
function isInContext(ignore: string): (file: string) => boolean {
  const lines = ignore.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return (file) => {
    const parts = file.split("/");
    const paths = parts.map((_, index) => parts.slice(0, index + 1).join("/"));
    const decisive = lines.findLast((line) => paths.some((path) => toPattern(line).test(path)));
    return decisive === undefined || decisive.startsWith("!");
  };
}

function toPattern(line: string): RegExp {
  const escaped = line.replace(/^!/, "").replaceAll(".", "\\.");
  return new RegExp(`^${escaped.replaceAll("**/", "(?:.+/)?").replace(/(?<!\))\*/g, "[^/]*")}$`);
}
