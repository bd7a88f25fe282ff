import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { hashSha256Hex } from "../../json/bytes.ts";
import { AfterwordError } from "../../errors.ts";
import { loadForWorker } from "../../runtime/worker/load-config.ts";
import type { Arguments, Option } from "../command/arguments.ts";
import { type Command, findConfigFile, configOption, type Terminal } from "../command/command.ts";
import { formatCount } from "../command/counted.ts";
import { groupOf } from "../command/group.ts";
import type { KeyedTexts } from "../../runtime/worker/platform.ts";
import {
  pushedTextsOf,
  type PushedList,
  pushTexts,
  readVersions,
  toVersionKey,
  writeList,
} from "../../runtime/worker/pushed-texts.ts";

/**
 * Puts another version in force.
 *
 * @param version a version's id or its beginning; `deployed` for the texts of the deployment; null
 *   for the one that was pushed
 *   before the one in force, or the deployment's when there is none
 * @returns its id, or null for the texts of the deployment
 * @throws AfterwordError `argument-invalid` when there is no such version
 */
async function rollBack(store: KeyedTexts, version: string | null): Promise<string | null> {
  const list = await readVersions(store);
  const current = chooseVersion(list, version);
  // Checked before it is in force: nobody could go back to a version whose texts are gone.
  if (current !== null && (await store.get(toVersionKey(current))) === null) {
    throw new AfterwordError(
      "argument-invalid",
      `afterword overrides rollback: the texts of ${current} are not there any more; push again, or name another version`,
    );
  }
  await writeList(store, { ...list, current });
  return current;
}

function chooseVersion({ current, versions }: PushedList, version: string | null): string | null {
  if (version === "deployed") return null;
  if (version === null) {
    if (current === null) {
      throw createUnknownError("there is no version in force to go back from");
    }
    const at = versions.findIndex(({ id }) => id === current);
    return versions[at + 1]?.id ?? null;
  }
  const found = versions.filter(({ id }) => id.startsWith(version) || id.endsWith(`-${version}`));
  const [only] = found;
  if (only !== undefined && found.length === 1) return only.id;
  throw createUnknownError(
    `${found.length === 0 ? "no" : "more than one"} version is meant by "${version}"`,
  );
}

function createUnknownError(what: string): AfterwordError {
  return new AfterwordError(
    "argument-invalid",
    `afterword overrides rollback: ${what} (afterword overrides list)`,
  );
}

const placeOptions: readonly Option[] = [
  { name: "wrangler", value: "FILE", help: "wrangler configuration (default: wrangler.toml)" },
  { name: "env", value: "NAME", help: "environment in that file, such as staging" },
  {
    name: "local",
    value: "DIR",
    help: "the texts of `wrangler dev --persist-to DIR`, not the deployed ones",
  },
];
const dryRun: Option = { name: "dry-run", help: "compile and compare, and write nothing" };

/** How a namespace is reached. Tests hand in their own. */
export type OpenTextStore = (options: WranglerStoreOptions) => KeyedTexts;

export const overridesCommand: Command = createOverridesCommand(openWranglerStore, Date.now);

export function createOverridesCommand(open: OpenTextStore, now: () => number): Command {
  const pushCommand: Command = {
    name: "overrides push",
    usage: "[--config FILE] [--dry-run]",
    options: [configOption, dryRun, ...placeOptions],
    run: push,
  };
  const listCommand: Command = {
    name: "overrides list",
    usage: "[--env NAME]",
    options: placeOptions,
    run: list,
  };
  const rollbackCommand: Command = {
    name: "overrides rollback",
    usage: "[VERSION|deployed]",
    options: placeOptions,
    positionals: 1,
    run: rollback,
  };
  return groupOf("overrides", {
    push: {
      summary: "Stores the configuration's texts as a version, and puts it in force.",
      load: async () => pushCommand,
    },
    list: {
      summary: "Lists the versions; the one in force has a star.",
      load: async () => listCommand,
    },
    rollback: {
      summary: "Puts the version before, or the one that is named, in force again.",
      load: async () => rollbackCommand,
    },
  });

  async function push(args: Arguments, terminal: Terminal): Promise<number> {
    const { config } = await loadForWorker(
      findConfigFile(args.one("config"), terminal),
      terminal.env,
    );
    const texts = pushedTextsOf(config);
    const instances = formatCount(config.instances.length, "instance");
    const what = `${texts.tables.lines.length} texts for ${instances}`;
    if (args.has("dry-run")) {
      terminal.out(`${what} are good; nothing was written\n`);
      return 0;
    }
    const { version, isNew } = await pushTexts(store(args, terminal), texts, now(), hashSha256Hex);
    terminal.out(
      isNew
        ? `${version.id} is in force: ${what}. Workers take it over within two minutes\n`
        : `${version.id} is in force already and says the same; nothing was written\n`,
    );
    return 0;
  }

  async function list(args: Arguments, terminal: Terminal): Promise<number> {
    const { current, versions } = await readVersions(store(args, terminal));
    for (const { id } of versions) terminal.out(formatRow(id, id === current));
    terminal.out(formatRow("deployed", current === null));
    return 0;
  }

  async function rollback(args: Arguments, terminal: Terminal): Promise<number> {
    const id = await rollBack(store(args, terminal), args.positionals[0] ?? null);
    terminal.out(
      `${id ?? "what was deployed"} is in force. Workers take it over within two minutes\n`,
    );
    return 0;
  }

  function store(args: Arguments, terminal: Terminal): KeyedTexts {
    return open({
      file: args.one("wrangler") ?? "wrangler.toml",
      environment: args.one("env"),
      local: args.one("local"),
      env: terminal.env,
    });
  }
}

function formatRow(id: string, inForce: boolean): string {
  return `${inForce ? "* " : "  "}${id}\n`;
}

export interface WranglerStoreOptions {
  /** wrangler.toml, whose binding AFTERWORD_TEXTS names the namespace. */
  readonly file: string;
  /** Environment in that file; null for the top level. */
  readonly environment: string | null;
  /** Directory of a local `wrangler dev`; null for the deployed namespace. */
  readonly local: string | null;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The namespace behind wrangler's own commands, which know the account and the login. */
export function openWranglerStore(options: WranglerStoreOptions): KeyedTexts {
  if (!existsSync(options.file)) {
    throw new AfterwordError(
      "argument-invalid",
      `afterword overrides: there is no file ${options.file}: run the command in the checkout that was deployed, or name its wrangler configuration with --wrangler`,
    );
  }
  const where = options.local === null ? ["--remote"] : ["--local", "--persist-to", options.local];
  const named = ["--binding", "AFTERWORD_TEXTS", "--config", resolve(options.file)];
  const place = [...named, "--env", options.environment ?? "", ...where];
  const run = (args: readonly string[]): Promise<string> =>
    runWrangler(["kv", "key", ...args, ...place], options.env);
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

async function runWrangler(
  args: readonly string[],
  env: WranglerStoreOptions["env"],
): Promise<string> {
  const child = spawn(process.execPath, [findWranglerFile(), ...args], {
    env: { ...process.env, ...env, WRANGLER_HIDE_BANNER: "true", NO_UPDATE_NOTIFIER: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const out: Buffer[] = [];
  const output: Buffer[] = [];
  child.stdout.on("data", (bytes: Buffer) => out.push(bytes));
  child.stderr.on("data", (bytes: Buffer) => output.push(bytes));
  const code = await new Promise<number | null>((settle, reject) => {
    child.once("error", reject);
    child.once("close", settle);
  });
  const printed = Buffer.concat(out).toString("utf8");
  if (code === 0) return printed;
  const why = `${Buffer.concat(output).toString("utf8")}\n${printed}`;
  throw new AfterwordError(
    "call-failed",
    `wrangler kv key ${args[2]} failed: ${readFirstLine(why)}`,
  );
}

/** Finds wrangler in the project that the command is run in, or in this package. */
function findWranglerFile(): string {
  for (const from of [join(process.cwd(), "package.json"), import.meta.url]) {
    try {
      const manifest = createRequire(from).resolve("wrangler/package.json");
      return join(dirname(manifest), "bin/wrangler.js");
    } catch {
      // Not found here; try the next location.
    }
  }
  throw new AfterwordError(
    "argument-invalid",
    "afterword overrides: wrangler is not installed here: npm install --save-dev wrangler",
  );
}

/** Reads the first line of wrangler's output, without colours and signs. */
function readFirstLine(text: string): string {
  const lines = stripVTControlCharacters(text)
    .split("\n")
    .map((line) => line.trim());
  const error = lines.find((line) => /error/i.test(line)) ?? lines.find((line) => line !== "");
  return error?.replace(/^.*\[ERROR\]\s*/, "") ?? "it said nothing";
}
