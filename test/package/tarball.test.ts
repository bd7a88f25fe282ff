import { execFile, spawn } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../..");
let folder = "";

// What a stranger does: pack, install the tarball into an empty folder, use it there.
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "afterword-package-"));
  await run("npm", ["run", "--silent", "build"], { cwd: root });
  await run("npm", ["pack", "--silent", "--pack-destination", folder], { cwd: root });
  const tarball = (await readdir(folder)).find((name) => name.endsWith(".tgz")) ?? "";
  await writeFile(join(folder, "package.json"), '{"private":true,"type":"module"}');
  await run("npm", ["install", "--silent", "--no-audit", "--no-fund", join(folder, tarball)], {
    cwd: folder,
  });
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const installed = (...parts: string[]): string => join(folder, "node_modules/afterword", ...parts);

async function inFolder(script: string): Promise<string> {
  const file = join(folder, `script-${Math.random().toString(36).slice(2)}.js`);
  await writeFile(file, script);
  const { stdout } = await run(process.execPath, [file], { cwd: folder });
  return stdout.trim();
}

describe("the packed package", () => {
  it("has every door that package.json names, with types beside it", async () => {
    const manifest = JSON.parse(await readFile(installed("package.json"), "utf8")) as {
      exports: Record<string, { types: string; default: string }>;
    };
    for (const door of Object.values(manifest.exports)) {
      if (typeof door === "string") continue;
      await expect(readFile(installed(door.default), "utf8")).resolves.toBeTruthy();
      await expect(readFile(installed(door.types), "utf8")).resolves.toBeTruthy();
    }
  });

  it("carries nothing but what a user needs", async () => {
    expect((await readdir(installed())).sort()).toEqual([
      "CHANGELOG.md",
      "LICENSE",
      "README.md",
      "config",
      "dist",
      "locales",
      "package.json",
      "schema",
    ]);
  });

  it("rewrites from the library's door", async () => {
    const printed = await inFolder(`
      import { createRewriter, FLAGS, LOCALES } from "afterword";
      import { loadConfig } from "afterword/node";
      const config = await loadConfig("node_modules/afterword/config/afterword.yaml");
      const body = new TextEncoder().encode('{"answers":[{"message":"Sorry","flags":["no-results"]}]}');
      const { body: said, changed } = createRewriter({ config }).rewrite(body, { instance: "shop", locale: "fr" });
      console.log(JSON.stringify({ flags: FLAGS.length, locales: LOCALES.length, changed, said: new TextDecoder().decode(said) }));
    `);
    expect(JSON.parse(printed)).toMatchObject({ flags: 16, locales: 32, changed: true });
    expect(printed).not.toContain("Sorry");
  });

  it("pulls no loader into the neutral door", async () => {
    const printed = await inFolder(`
      import { registerHooks } from "node:module";
      const seen = [];
      registerHooks({ resolve(name, context, next) { const found = next(name, context); seen.push(found.url); return found; } });
      await import("afterword");
      console.log(JSON.stringify(seen));
    `);
    const urls = JSON.parse(printed) as string[];
    expect(urls.length).toBeGreaterThan(20);
    expect(urls.filter((url) => /node:|\/(?:yaml|zod|i18next|undici)\//.test(url))).toEqual([]);
  });

  it("answers a conversation with its own command, from an empty folder", async () => {
    await mkdir(join(folder, "bot"), { recursive: true });
    await run("cp", ["-r", installed("config"), join(folder, "bot/config")]);
    const child = spawn(join(folder, "node_modules/.bin/afterword"), ["serve", "--port", "0"], {
      cwd: join(folder, "bot"),
    });
    try {
      const url = await new Promise<string>((resolve, reject) => {
        let text = "";
        child.stdout.on("data", (chunk: Buffer) => {
          text += chunk.toString();
          const found = /listens on (\S+)/.exec(text)?.[1];
          if (found !== undefined) resolve(found);
        });
        child.on("exit", () => reject(new Error(`ended early: ${text}`)));
      });
      const key = { "x-inbenta-key": "demo-key" };
      const login = await fetch(`${url}/v1/auth`, {
        method: "POST",
        headers: key,
        body: JSON.stringify({ secret: "demo-secret" }),
      });
      const { accessToken, apis } = (await login.json()) as {
        accessToken: string;
        apis: { chatbot: string };
      };
      const headers = { ...key, authorization: `Bearer ${accessToken}` };
      const started = await fetch(`${apis.chatbot}/v1/conversation`, {
        method: "POST",
        headers,
        body: '{"lang":"de"}',
      });
      const { sessionToken } = (await started.json()) as { sessionToken: string };
      const answer = await fetch(`${apis.chatbot}/v1/conversation/message`, {
        method: "POST",
        headers: { ...headers, "x-inbenta-session": `Bearer ${sessionToken}` },
        body: '{"message":""}',
      });
      const german = await readFile(installed("locales/de.yaml"), "utf8");
      const { answers } = (await answer.json()) as { answers: { message: string }[] };
      expect(german).toContain(answers[0]?.message);
      const page = await fetch(url);
      expect(await page.text()).toContain("Afterword");
    } finally {
      child.kill("SIGTERM");
      await new Promise((resolve) => child.once("exit", resolve));
    }
  });
});
