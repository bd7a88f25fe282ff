import { AfterwordError } from "../../errors.ts";
import { loadForWorker } from "../../runtime/worker/load-config.ts";
import { type Arguments, type Option, readArguments } from "../arguments.ts";
import { type Command, configFile, configOption, type Terminal } from "../command.ts";
import type { TextStore } from "./text-store.ts";
import { textsOf } from "./texts.ts";
import { pushTexts, readVersions, rollBack } from "./versions.ts";
import { openWranglerStore, type WranglerStoreOptions } from "./wrangler-store.ts";

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
