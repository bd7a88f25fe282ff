import { AfterwordError } from "../../errors.ts";
import { loadForWorker } from "../../runtime/worker/load-config.ts";
import { type Arguments, type Option, readArguments } from "../arguments.ts";
import { type Command, configFile, configOption, type Terminal } from "../command.ts";
import type { TextStore } from "./text-store.ts";
import { openWranglerStore, type WranglerStoreOptions } from "./wrangler-store.ts";
import type { Config } from "../../config/config.ts";
import { compileTables } from "../../runtime/worker/compiled-tables.ts";
import {
  type PushedTexts,
  listKey,
  readList,
  versionKey,
  type PushedList,
  type PushedVersion,
} from "../../runtime/worker/pushed-texts.ts";
import { createHash } from "node:crypto";

/** How many versions are kept; the oldest that is not in force leaves. */
const mostVersions = 20;

/** The versions that were pushed. Throws `config-invalid` when the key holds something else. */
async function readVersions(store: TextStore): Promise<PushedList> {
  const text = await store.get(listKey);
  if (text === null) return { format: 1, current: null, versions: [] };
  const list = readList(text);
  if (list !== null) return list;
  throw new AfterwordError(
    "config-invalid",
    `what stands under the key ${listKey} is no list of versions: delete it with \`wrangler kv key delete ${listKey}\`, and push again`,
  );
}

/**
 * Stores texts as a new version and puts it in force. The texts are there before anything points to
 * them.
 *
 * @param now milliseconds since the epoch
 * @returns the version in force, and whether it is new: equal texts are not pushed twice
 */
async function pushTexts(
  store: TextStore,
  texts: PushedTexts,
  now: number,
): Promise<{ readonly version: PushedVersion; readonly isNew: boolean }> {
  const list = await readVersions(store);
  const text = JSON.stringify(texts);
  const hash = createHash("sha256").update(text).digest("hex");
  const inForce = list.versions.find(({ id }) => id === list.current);
  if (inForce?.hash === hash) return { version: inForce, isNew: false };
  const pushed = new Date(now).toISOString();
  const id = `${pushed.replace(/[-:]|\.\d+/g, "")}-${hash.slice(0, 12)}`;
  const version: PushedVersion = { id, pushed, hash };
  const others = list.versions.filter((other) => other.id !== id);
  const kept = others.slice(0, mostVersions - 1);
  await store.put(versionKey(id), text);
  await writeList(store, { format: 1, current: id, versions: [version, ...kept] });
  for (const { id: old } of others.slice(mostVersions - 1)) await store.delete(versionKey(old));
  return { version, isNew: true };
}

/**
 * Puts another version in force.
 *
 * @param wanted a version's id or its beginning; `deployed` for the texts of the deployment; null
 *   for the one that was pushed
 *   before the one in force, or the deployment's when there is none
 * @returns its id, or null for the texts of the deployment
 * @throws AfterwordError `argument-invalid` when there is no such version
 */
async function rollBack(store: TextStore, wanted: string | null): Promise<string | null> {
  const list = await readVersions(store);
  const current = chosen(list, wanted);
  // Checked before it is in force: nobody could go back to a version whose texts are gone.
  if (current !== null && (await store.get(versionKey(current))) === null) {
    throw new AfterwordError(
      "argument-invalid",
      `afterword overrides rollback: the texts of ${current} are not there any more; push again, or name another version`,
    );
  }
  await writeList(store, { ...list, current });
  return current;
}

function chosen({ current, versions }: PushedList, wanted: string | null): string | null {
  if (wanted === "deployed") return null;
  if (wanted === null) {
    if (current === null) {
      throw unknown("there is no version in force to go back from");
    }
    const at = versions.findIndex(({ id }) => id === current);
    return versions[at + 1]?.id ?? null;
  }
  const found = versions.filter(({ id }) => id.startsWith(wanted) || id.endsWith(`-${wanted}`));
  const [only] = found;
  if (only !== undefined && found.length === 1) return only.id;
  throw unknown(`${found.length === 0 ? "no" : "more than one"} version is meant by "${wanted}"`);
}

function unknown(what: string): AfterwordError {
  return new AfterwordError(
    "argument-invalid",
    `afterword overrides rollback: ${what} (afterword overrides list)`,
  );
}

async function writeList(store: TextStore, list: PushedList): Promise<void> {
  await store.put(listKey, JSON.stringify(list));
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
const dryRun: Option = { name: "dry-run", help: "push: compile and compare, and write nothing" };

/** How a namespace is reached. Tests hand in their own. */
export type OpenTextStore = (options: WranglerStoreOptions) => TextStore;

export const overridesCommand: Command = createOverridesCommand(openWranglerStore, Date.now);

export function createOverridesCommand(open: OpenTextStore, now: () => number): Command {
  return {
    name: "overrides",
    summary:
      "Changes what deployed workers say without a deployment: pushes texts, lists them, goes back.",
    usage: "push | list | rollback [VERSION|deployed]",
    options: [configOption, dryRun, ...placeOptions],
    async run([what, ...argv], terminal) {
      if (what === "push") return push(argv, terminal);
      if (what === "list") return list(argv, terminal);
      if (what === "rollback") return rollback(argv, terminal);
      const given = what === undefined ? "" : `, not "${what}"`;
      const message = `afterword overrides: say push, list or rollback${given} (afterword overrides --help)`;
      throw new AfterwordError("argument-invalid", message);
    },
  };

  async function push(argv: readonly string[], terminal: Terminal): Promise<number> {
    const args = readArguments("overrides push", argv, [configOption, dryRun, ...placeOptions], 0);
    const { config } = await loadForWorker(configFile(args.one("config"), terminal), terminal.env);
    const texts = textsOf(config);
    const { length: count } = config.instances;
    const what = `${texts.tables.lines.length} texts for ${count} ${count === 1 ? "instance" : "instances"}`;
    if (args.has("dry-run")) {
      terminal.out(`${what} are good; nothing was written\n`);
      return 0;
    }
    const { version, isNew } = await pushTexts(store(args, terminal), texts, now());
    terminal.out(
      isNew
        ? `${version.id} is in force: ${what}. Workers take it over within two minutes\n`
        : `${version.id} is in force already and says the same; nothing was written\n`,
    );
    return 0;
  }

  async function list(argv: readonly string[], terminal: Terminal): Promise<number> {
    const args = readArguments("overrides list", argv, placeOptions, 0);
    const { current, versions } = await readVersions(store(args, terminal));
    for (const { id } of versions) terminal.out(row(id, id === current));
    terminal.out(row("deployed", current === null));
    return 0;
  }

  async function rollback(argv: readonly string[], terminal: Terminal): Promise<number> {
    const args = readArguments("overrides rollback", argv, placeOptions, 1);
    const id = await rollBack(store(args, terminal), args.positionals[0] ?? null);
    terminal.out(
      `${id ?? "what was deployed"} is in force. Workers take it over within two minutes\n`,
    );
    return 0;
  }

  function store(args: Arguments, terminal: Terminal): TextStore {
    return open({
      file: args.one("wrangler") ?? "wrangler.toml",
      environment: args.one("env"),
      local: args.one("local"),
      env: terminal.env,
    });
  }
}

function row(id: string, inForce: boolean): string {
  return `${inForce ? "* " : "  "}${id}\n`;
}

/** What all instances of a configuration say. */
function textsOf({ tableSets, instances }: Config): PushedTexts {
  return {
    format: 2,
    tables: compileTables(tableSets),
    instances: Object.fromEntries(instances.map(({ name, tableSet }) => [name, tableSet])),
  };
}
