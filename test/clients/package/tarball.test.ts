import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createFolder } from "../../fixtures/folder.ts";
import { FLAGS } from "../../../src/direct-answers/flags.ts";
import { LOCALES } from "../../../src/locales/shipped.ts";
import { PROGRAM_PAGES, programOf } from "../docs/markdown.ts";
import { prepareTables } from "../../../build/shipped-tables.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../../..");
const folder = createFolder(afterAll);
let packed: readonly string[] = [];

// Acts like a new user: packs, installs the tarball into an empty folder, and uses it there.
beforeAll(async () => {
  await run("npm", ["run", "--silent", "build"], { cwd: root });
  await run(process.execPath, ["dist/cli/main.js", "serve", "--help"], {
    cwd: root,
    env: withoutCache(),
  });
  await run("npm", ["pack", "--silent", "--pack-destination", folder], { cwd: root });
  const tarball = (await readdir(folder)).find((name) => name.endsWith(".tgz")) ?? "";
  await writeFile(join(folder, "package.json"), '{"private":true,"type":"module"}');
  await run("npm", ["install", "--silent", "--no-audit", "--no-fund", join(folder, tarball)], {
    cwd: folder,
  });
  packed = await readdir(installed("dist/cli"));
});

const installed = (...parts: string[]): string => join(folder, "node_modules/afterword", ...parts);

async function inFolder(script: string): Promise<string> {
  const file = join(folder, `script-${Math.random().toString(36).slice(2)}.js`);
  await writeFile(file, script);
  const { stdout } = await run(process.execPath, [file], { cwd: folder });
  return stdout.trim();
}

describe("the packed package", () => {
  it("has every entry that package.json names, with types beside it", async () => {
    const manifest = JSON.parse(await readFile(installed("package.json"), "utf8")) as {
      exports: Record<string, { types: string; default: string }>;
    };
    for (const entry of Object.values(manifest.exports)) {
      if (typeof entry === "string") continue;
      await expect(readFile(installed(entry.default), "utf8")).resolves.toBeTruthy();
      await expect(readFile(installed(entry.types), "utf8")).resolves.toBeTruthy();
    }
  });

  it("contains only what a user needs", async () => {
    expect((await readdir(installed())).sort()).toEqual([
      "CHANGELOG.md",
      "LICENSE",
      "README.md",
      "bin",
      "config",
      "dist",
      "docs",
      "locales",
      "package.json",
      "schema",
    ]);
  });

  it("has types that the strictest project can use, with everything that they name checked", async () => {
    await cp(join(import.meta.dirname, "consumer"), join(folder, "consumer"), { recursive: true });
    const types = ["--typeRoots", join(root, "node_modules/@types")];
    const { stdout } = await run(join(root, "node_modules/.bin/tsc"), [
      "-p",
      join(folder, "consumer"),
      ...types,
    ]).catch((error: { stdout: string }) => error);
    expect(stdout).toBe("");
  });

  it("has types with which the TypeScript of README, docs/clients.md and docs/library.md compiles", async () => {
    const place = join(folder, "examples");
    await mkdir(join(place, "node_modules"), { recursive: true });
    await symlink(join(root, "node_modules/hono"), join(place, "node_modules/hono"));
    for (const page of PROGRAM_PAGES) {
      const program = programOf(await readFile(join(root, page), "utf8"));
      expect(program).toContain('from "afterword');
      await writeFile(join(place, `${basename(page, ".md")}.mts`), program);
    }
    const typeRoots = [join(root, "node_modules/@types")];
    const compilerOptions = { rewriteRelativeImportExtensions: false, typeRoots };
    const project = { extends: join(root, "tsconfig.json"), compilerOptions, include: ["*.mts"] };
    await writeFile(join(place, "tsconfig.json"), JSON.stringify(project));
    const { stdout } = await run(join(root, "node_modules/.bin/tsc"), ["-p", place]).catch(
      (error: { stdout: string }) => error,
    );
    expect(stdout).toBe("");
  });

  it("has a main entry whose types need neither those of Node nor skipLibCheck", async () => {
    const file = join(folder, "neutral.ts");
    await writeFile(file, 'export * from "afterword";\n');
    const flags = "--noEmit --strict --module nodenext --target esnext".split(" ");
    const { stdout } = await run(join(root, "node_modules/.bin/tsc"), [...flags, file], {
      cwd: folder,
    }).catch((error: { stdout: string }) => error);
    expect(stdout).toBe("");
  });

  it("rewrites from the library's entry", async () => {
    const printed = await inFolder(`
      import { createRewriter, FLAGS, LOCALES } from "afterword";
      import { loadConfig } from "afterword/node";
      const config = await loadConfig("node_modules/afterword/config/afterword.yaml");
      const body = new TextEncoder().encode('{"answers":[{"message":"Sorry","flags":["no-results"]}]}');
      const { body: said, changed } = createRewriter({ config }).rewrite(body, { instance: "shop", locale: "fr" });
      console.log(JSON.stringify({ flags: FLAGS.length, locales: LOCALES.length, changed, said: new TextDecoder().decode(said) }));
    `);
    expect(JSON.parse(printed)).toMatchObject({
      flags: FLAGS.length,
      locales: LOCALES.length,
      changed: true,
    });
    expect(printed).not.toContain("Sorry");
  });

  it.each([
    ["afterword", "no built-in either", []],
    ["afterword/testing", "Node's sockets", ["node:net"]],
    ["afterword/node", "Node", ["node:fs"]],
    ["afterword/backend", "no more than it needs", []],
    ["afterword/backend/node", "Node's database", ["node:fs"]],
  ])("loads nothing but its own files for %s, and %s", async (entry, _, builtins) => {
    const printed = await inFolder(`
      import { registerHooks } from "node:module";
      const seen = [];
      registerHooks({ resolve(name, context, next) { const found = next(name, context); seen.push(found.url); return found; } });
      await import("${entry}");
      console.log(JSON.stringify(seen));
    `);
    const urls = JSON.parse(printed) as string[];
    const own = urls.filter((url) => url.includes("/node_modules/afterword/dist/"));
    expect(own.length).toBeGreaterThan(1);
    const others = urls.filter((url) => !own.includes(url));
    expect(others.filter((url) => !url.startsWith("node:"))).toEqual([]);
    expect(others).toEqual(expect.arrayContaining(builtins));
    if (entry !== "afterword") return;
    expect(others).toEqual([]);
    const code = await Promise.all(own.map((url) => readFile(new URL(url), "utf8")));
    expect(code.filter((text) => /\bZodError\b|\bYAMLParseError\b|\bkysely\b/i.test(text))).toEqual(
      [],
    );
  });

  it("takes no more than 29 MB with everything that it brings", async () => {
    const { stdout } = await run("du", ["-sk", join(folder, "node_modules")]);
    expect(Number.parseInt(stdout, 10)).toBeLessThan(29 * 1024);
  });

  it("answers a conversation with its own command, from an empty folder", async () => {
    await mkdir(join(folder, "bot"), { recursive: true });
    await run("cp", ["-r", installed("config"), join(folder, "bot/config")]);
    const { url, stop } = await started(["serve", "--port", "0"], join(folder, "bot"));
    try {
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
      const ask = async (): Promise<string> => {
        const answer = await fetch(`${apis.chatbot}/v1/conversation/message`, {
          method: "POST",
          headers: { ...headers, "x-inbenta-session": `Bearer ${sessionToken}` },
          body: '{"message":""}',
        });
        const { answers } = (await answer.json()) as { answers: { message: string }[] };
        return answers[0]?.message ?? "nothing";
      };
      const german = await readFile(installed("locales/de.yaml"), "utf8");
      // A turn waits 50 ms for the language. A busy machine may need longer, and then the next turn
      // has it.
      await expect.poll(async () => german.includes(await ask())).toBe(true);
      const page = await fetch(url);
      expect(await page.text()).toContain("Afterword");
    } finally {
      await stop();
    }
  });
});

describe("the packed command", () => {
  const plain = `version: 1
upstream: { auth: "http://127.0.0.1:9", apis: { chatbot: "http://127.0.0.1:9" } }
state: { store: file }
`;

  it("starts from a few files of its own, and loads nothing from elsewhere", async () => {
    const bot = await directoryWith("quick", plain);
    const healthy = await servedWith(
      bot,
      `import { writeFileSync } from "node:fs";
      import { registerHooks } from "node:module";
      const seen = new Set();
      registerHooks({ load(url, context, next) { seen.add(url); return next(url, context); } });
      process.once("exit", () => writeFileSync("seen.json", JSON.stringify([...seen])));`,
    );
    expect(healthy).toBe(true);
    const seen = JSON.parse(await readFile(join(bot, "seen.json"), "utf8")) as string[];
    const files = seen.filter((one) => one.startsWith("file:"));
    expect(files.length).toBeGreaterThan(5);
    expect(files.length).toBeLessThan(120);
    expect(files.filter((one) => !one.includes("/afterword/dist/"))).toEqual([]);
  });

  it("applies changes to its files, in one process and in several", async () => {
    for (const workers of ["1", "2"]) {
      const bot = await directoryWith(`reload-${workers}`, plain);
      const args = ["serve", "--config", "afterword.yaml", "--port", "0", "--workers", workers];
      const { url, stop } = await started(args, bot);
      const snapshot = async (): Promise<unknown> =>
        (await fetch(`${url}/_afterword/version`)).json();
      try {
        const before = await snapshot();
        await mkdir(join(bot, "messages"));
        await writeFile(join(bot, "messages/en.yaml"), "welcome: Something else\n");
        await expect.poll(snapshot).not.toEqual(before);
      } finally {
        await stop();
      }
    }
  });

  it("keeps what Node has compiled beside itself, out of the package, and does without where it cannot", async () => {
    const compiled = installed("dist/cli/compiled");
    expect(packed).toContain("main.js");
    expect(packed).not.toContain("compiled");
    await rm(compiled, { recursive: true, force: true });
    const bot = await directoryWith("compiled", plain);
    const args = ["serve", "--config", "afterword.yaml", "--port", "0"];
    const healthy = async (): Promise<boolean> => {
      const { url, stop } = await started(args, bot);
      const { ok } = await fetch(`${url}/_afterword/health`);
      await stop();
      return ok;
    };
    expect(await healthy()).toBe(true);
    const kept = await readdir(compiled, { recursive: true });
    expect(kept.length).toBeGreaterThan(10);
    expect(await healthy()).toBe(true);
    await rm(compiled, { recursive: true });
    await writeFile(compiled, "in the way");
    expect(await healthy()).toBe(true);
  });

  it("has the shipped tables prepared, as the YAML files state them", async () => {
    const ready: unknown = JSON.parse(
      await readFile(installed("dist/config/load/tables.json"), "utf8"),
    );
    expect(ready).toEqual(JSON.parse(JSON.stringify(await prepareTables(installed("locales")))));
  });

  it("brings the licence of every package that is in it", async () => {
    const text = await readFile(installed("dist/LICENSES.txt"), "utf8");
    for (const name of [
      "@hono/node-server",
      "@redis/client",
      "hono",
      "i18next",
      "kysely",
      "pg",
      "undici",
      "yaml",
      "zod",
    ]) {
      expect(text).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(`, "m"));
    }
  });
});

async function directoryWith(name: string, config: string): Promise<string> {
  const directory = join(folder, name);
  await mkdir(directory);
  await writeFile(join(directory, "afterword.yaml"), config);
  return directory;
}

/** Without vitest.config.ts's setting of the compile cache. */
function withoutCache(): NodeJS.ProcessEnv {
  const { NODE_COMPILE_CACHE: _, ...env } = process.env;
  return env;
}

/**
 * Starts the command in a folder, with a preloaded module, requests its health once, and stops it.
 */
async function servedWith(bot: string, module: string): Promise<boolean> {
  const hook = join(bot, "hook.mjs");
  await writeFile(hook, module);
  const main = installed("dist/cli/main.js");
  const command = ["--import", hook, main, "serve", "--config", "afterword.yaml", "--port", "0"];
  const { url, stop } = await started(command, bot, process.execPath);
  const { ok } = await fetch(`${url}/_afterword/health`);
  await stop();
  return ok;
}

/** Runs the command until it listens. */
async function started(
  args: readonly string[],
  cwd: string,
  command: string = join(folder, "node_modules/.bin/afterword"),
): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const child = spawn(command, args, { cwd, env: withoutCache() });
  let text = "";
  child.stderr.on("data", (chunk: Buffer) => (text += chunk.toString()));
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on("data", (chunk: Buffer) => {
      text += chunk.toString();
      const found = /listens? on (\S+)/.exec(text)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.on("exit", () => reject(new Error(`ended early: ${text}`)));
  });
  return {
    url,
    async stop() {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    },
  };
}
