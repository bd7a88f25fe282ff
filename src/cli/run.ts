import { isAfterwordError } from "../errors.ts";
import { readArguments } from "./command/arguments.ts";
import { type Command, helpOf, type Terminal } from "./command/command.ts";
import { readPackageVersion } from "./command/package-version.ts";

/** Loaded only when asked for: `explain` needs no server, and a server no bench of commands. */
const commands: ReadonlyMap<string, () => Promise<Command>> = new Map([
  ["serve", async () => (await import("./commands/serve.ts")).serveCommand],
  ["backend", async () => (await import("./commands/backend.ts")).backendCommand],
  ["init", async () => (await import("./commands/init.ts")).initCommand],
  ["check", async () => (await import("./commands/check.ts")).checkCommand],
  ["coverage", async () => (await import("./commands/coverage.ts")).coverageCommand],
  ["messages", async () => (await import("./commands/messages.ts")).messagesCommand],
  ["overrides", async () => (await import("./overrides/command.ts")).overridesCommand],
  ["explain", async () => (await import("./commands/explain.ts")).explainCommand],
  ["insights", async () => (await import("./commands/insights.ts")).insightsCommand],
  ["doctor", async () => (await import("./commands/doctor.ts")).doctorCommand],
]);

/** Runs one command line. Exit codes: 0 done, 1 failed, 2 unusable arguments. Never rejects. */
export async function run(argv: readonly string[], terminal: Terminal): Promise<number> {
  const [word = "--help", ...rest] = argv;
  if (word === "--help" || word === "-h" || word === "help") {
    terminal.out(await describeCommands());
    return 0;
  }
  if (word === "--version" || word === "-v") {
    terminal.out(`${readPackageVersion()}\n`);
    return 0;
  }
  const load = commands.get(word);
  if (load === undefined) {
    const names = [...commands.keys()].join(", ");
    terminal.error(`afterword: there is no command "${word}" (${names}; afterword --help)\n`);
    return 2;
  }
  return runCommand(await load(), rest, terminal);
}

/** Runs a command, or the part of it that the first words name. */
export async function runCommand(
  whole: Command,
  argv: readonly string[],
  terminal: Terminal,
): Promise<number> {
  try {
    const { command, given } = await partOf(whole, argv);
    if (given.includes("--help") || given.includes("-h")) {
      const parts = [...(command.parts?.values() ?? [])].map((load) => load());
      terminal.out(helpOf(command, await Promise.all(parts)));
      return 0;
    }
    const { name, options, positionals = 0 } = command;
    return await command.run(readArguments(name, given, options, positionals), terminal);
  } catch (error) {
    if (!isAfterwordError(error)) throw error;
    terminal.error(`${error.message}\n`);
    return error.code === "argument-invalid" ? 2 : 1;
  }
}

/** Follows the words that name a part, and a part of that. */
async function partOf(
  command: Command,
  given: readonly string[],
): Promise<{ readonly command: Command; readonly given: readonly string[] }> {
  const part = command.parts?.get(given[0] ?? "");
  return part === undefined ? { command, given } : partOf(await part(), given.slice(1));
}

async function describeCommands(): Promise<string> {
  const all = await Promise.all(Array.from(commands.values(), (load) => load()));
  const rows = all.map(({ name, summary }) => `  ${name.padEnd(10)}${summary}`);
  return `afterword ${readPackageVersion()}: the last word on what a chatbot says\n\n${rows.join("\n")}\n\nafterword COMMAND --help tells more.\n`;
}
