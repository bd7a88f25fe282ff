import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { AfterwordError } from "../../errors.ts";
import type { TextStore } from "./text-store.ts";

export interface WranglerStoreOptions {
  /** wrangler.toml, whose binding AFTERWORD_TEXTS names the namespace. */
  readonly file: string;
  /** Environment in that file; null: the top level. */
  readonly environment: string | null;
  /** Directory of a local `wrangler dev`; null: the deployed namespace. */
  readonly local: string | null;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The namespace behind wrangler's own commands, which know the account and the login. */
export function openWranglerStore(options: WranglerStoreOptions): TextStore {
  const where = options.local === null ? ["--remote"] : ["--local", "--persist-to", options.local];
  const named = ["--binding", "AFTERWORD_TEXTS", "--config", resolve(options.file)];
  const place = [...named, "--env", options.environment ?? "", ...where];
  const run = (args: readonly string[]): Promise<string> =>
    wrangler(["kv", "key", ...args, ...place], options.env);
  return {
    async get(key) {
      const text = await run(["get", key, "--text"]);
      // This is how it says that there is none, with exit code 0.
      return text.trim() === "Value not found" ? null : text;
    },
    async put(key, text) {
      const directory = await mkdtemp(join(tmpdir(), "afterword-texts-"));
      try {
        const file = join(directory, "text");
        await writeFile(file, text, { mode: 0o600 });
        await run(["put", key, "--path", file]);
      } finally {
        await rm(directory, { recursive: true });
      }
    },
    async delete(key) {
      await run(["delete", key]);
    },
  };
}

async function wrangler(
  args: readonly string[],
  env: WranglerStoreOptions["env"],
): Promise<string> {
  const child = spawn(process.execPath, [wranglerFile(), ...args], {
    env: { ...process.env, ...env, WRANGLER_HIDE_BANNER: "true", NO_UPDATE_NOTIFIER: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const out: Buffer[] = [];
  const said: Buffer[] = [];
  child.stdout.on("data", (bytes: Buffer) => out.push(bytes));
  child.stderr.on("data", (bytes: Buffer) => said.push(bytes));
  const code = await new Promise<number | null>((settle, reject) => {
    child.once("error", reject);
    child.once("close", settle);
  });
  const printed = Buffer.concat(out).toString("utf8");
  if (code === 0) return printed;
  const why = `${Buffer.concat(said).toString("utf8")}\n${printed}`;
  throw new AfterwordError("call-failed", `wrangler kv key ${args[2]} failed: ${firstLine(why)}`);
}

/** Of the project that the command is run in, or of this package. */
function wranglerFile(): string {
  for (const from of [join(process.cwd(), "package.json"), import.meta.url]) {
    try {
      const manifest = createRequire(from).resolve("wrangler/package.json");
      return join(dirname(manifest), "bin/wrangler.js");
    } catch {
      // Not there: the next place.
    }
  }
  throw new AfterwordError(
    "argument-invalid",
    "afterword overrides: wrangler is not installed here: npm install --save-dev wrangler",
  );
}

/** What wrangler means, without its colours and signs. */
function firstLine(text: string): string {
  const lines = stripVTControlCharacters(text)
    .split("\n")
    .map((line) => line.trim());
  const error = lines.find((line) => /error/i.test(line)) ?? lines.find((line) => line !== "");
  return error?.replace(/^.*\[ERROR\]\s*/, "") ?? "it said nothing";
}
