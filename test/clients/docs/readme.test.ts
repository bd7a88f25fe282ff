// Suite: slow
import { execFile } from "node:child_process";
import { readFile, rm, writeFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  createWorkspace,
  root,
  type Server,
  startServer,
  type Workspace,
} from "../../runtime/processes/processes.ts";
import { shown } from "../../cli/backend/place.ts";
import { afterword } from "../../cli/terminal.ts";
import { remembering } from "../../runtime/processes/nodes.ts";
import { brokenLinks, markdownFiles, testedBlocks } from "./markdown.ts";

let workspace: Workspace;
let gateway: Server;

beforeAll(async () => {
  workspace = await createWorkspace();
  const main = join(root, "src/cli/main.ts");
  gateway = await startServer([main, "serve", "--config", workspace.config, "--port", "0"], {});
});

afterAll(async () => {
  await gateway.stop("SIGTERM");
  await rm(workspace.path, { recursive: true, force: true });
});

describe("the README", () => {
  it("prints what it says when its session is pasted into a shell", async () => {
    const blocks = testedBlocks(await readFile(join(root, "README.md"), "utf8"));
    expect(blocks.map(({ printed }) => printed?.language)).toEqual([
      "console",
      "console",
      "json",
      "console",
      undefined,
    ]);
    // One shell for all blocks, as for a reader: later ones use the variables of earlier ones.
    const script = blocks.map(({ script }) => onFreePort(script)).join(`\necho '${mark}'\n`);
    // A turn waits 50 ms for the conversation's language. A busy machine may need longer.
    const outputs = (await remembering(gateway, () => shell(script))).split(`${mark}\n`);
    expect(outputs).toHaveLength(blocks.length);
    for (const [index, { printed }] of blocks.entries()) {
      const output = outputs[index]?.trimEnd() ?? "";
      if (printed === null) continue;
      // JSON is broken into lines for the page only.
      if (printed.language === "json") expect(JSON.parse(output)).toEqual(JSON.parse(printed.text));
      else expect(output).toBe(onFreePort(printed.text));
    }
  });
});

describe("connecting a vendor's bot", () => {
  it("takes the steps of the README, and `doctor` prints what it says", async () => {
    const page = await readFile(join(root, "README.md"), "utf8");
    const [, example = ""] = /`(sed [^`]+> vendor\.yaml)`/u.exec(page) ?? [];
    const [, credentials = ""] = /`(credentials: [^`]+)`/u.exec(page) ?? [];
    const [, command = "", printed = ""] =
      /<!-- tested: doctor -->\s+```sh\n(.*?)```\s+```console\n(.*?) *```/su.exec(page) ?? [];
    const vendor = join(workspace.path, "vendor.yaml");
    await shell(example.replace(/vendor\.yaml$/u, `'${vendor}'`));
    const text = await readFile(vendor, "utf8");
    const mine = text
      .replace("https://api.example.com", gateway.url)
      .replace("    match: {}", `    ${credentials}\n    match: {}`);
    await writeFile(vendor, mine);
    // The demo's credentials do not work through a proxy.
    const database = join(dirname(workspace.config), ".afterword", "backend.db");
    const named = ["--project", "shop", "--database", database];
    const { out } = await afterword(["backend", "key", "add", "vendor", ...named]);
    const filled = command
      .replace("API_KEY=…", `API_KEY=${shown("API key", out)}`)
      .replace("API_SECRET=…", `API_SECRET=${shown("secret", out)}`)
      .replace("vendor.yaml", `'${vendor}'`);
    const output = await shell(filled);
    const expected = printed.replaceAll("https://api.example.com", gateway.url);
    expect(output.trimEnd().split("\n")).toEqual(expected.trim().split(/\n */u));
  });
});

describe("the documentation", () => {
  it("has no relative link that leads nowhere", async () => {
    const files = await markdownFiles(root);
    expect(files.length).toBeGreaterThan(20);
    expect(await brokenLinks(files)).toEqual([]);
  });
});

const mark = "----- next block";

/** The page says the default port; the test's gateway took a free one. */
function onFreePort(text: string): string {
  return text.replaceAll("http://127.0.0.1:8787", gateway.url);
}

async function shell(script: string): Promise<string> {
  // As `npm` does it: the checkout's own Node goes first.
  const PATH = [join(root, "node_modules/.bin"), process.env["PATH"] ?? ""].join(delimiter);
  const { stdout } = await promisify(execFile)("sh", ["-euc", script], {
    cwd: root,
    env: { ...process.env, PATH },
  });
  return stdout;
}
