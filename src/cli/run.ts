import { isAfterwordError } from "../errors.ts";
import { createArgumentError, readArguments } from "./command/arguments.ts";
import { type Command, helpOf, type ListedCommand, type Terminal } from "./command/command.ts";
import { readPackageVersion } from "../config/load/package-root.ts";

/** A command is loaded when it is run: `explain` needs no server, and `--help` no command. */
const commands: ReadonlyMap<string, ListedCommand> = new Map(
  Object.entries({
    serve: {
      summary:
        "Runs the gateway; with `upstream: embedded` its own backend answers behind the same port.",
      load: async () => (await import("./commands/serve.ts")).serveCommand,
    },
    backend: {
      summary:
        "Runs the self-hosted backend alone: authentication, discovery, the conversation engine and the services beside it.",
      load: async () => (await import("./commands/backend.ts")).backendCommand,
    },
    init: {
      summary: "Writes a commented configuration and messages file to start from.",
      load: async () => (await import("./commands/init.ts")).initCommand,
    },
    check: {
      summary:
        "Validates the configuration, all texts and the embedded backend's content; exit 0 clean (warnings allowed), 1 errors.",
      load: async () => (await import("./commands/check.ts")).checkCommand,
    },
    coverage: {
      summary:
        "Shows whose text each flag and locale has: the owner's, Afterword's, another locale's, or none.",
      load: async () => (await import("./commands/coverage.ts")).coverageCommand,
    },
    messages: {
      summary:
        "Exports all texts as CSV or XLIFF for translators, and imports them into messages/<locale>.yaml.",
      load: async () => (await import("./commands/messages.ts")).messagesCommand,
    },
    overrides: {
      summary:
        "Changes the texts of deployed workers without a deployment: pushes, lists and restores them.",
      load: async () => (await import("./overrides/command.ts")).overridesCommand,
    },
    explain: {
      summary: "Shows how a response body would be rewritten, and why.",
      load: async () => (await import("./commands/explain.ts")).explainCommand,
    },
    insights: {
      summary: "Shows how often readers got each line, and what they did next.",
      load: async () => (await import("./commands/insights.ts")).insightsCommand,
    },
    doctor: {
      summary:
        "Makes a client's calls to the configured upstream: token, discovery, conversation and message.",
      load: async () => (await import("./commands/doctor.ts")).doctorCommand,
    },
  }),
);

/** Runs one command line. Exit codes: 0 done, 1 failed, 2 unusable arguments. Never rejects. */
export async function run(argv: readonly string[], terminal: Terminal): Promise<number> {
  const [word = "--help", ...rest] = argv;
  if (word === "--help" || word === "-h" || word === "help") {
    terminal.out(describeCommands());
    return 0;
  }
  if (word === "--version" || word === "-v") {
    terminal.out(`${readPackageVersion()}\n`);
    return 0;
  }
  const command = commands.get(word);
  if (command === undefined) {
    const names = [...commands.keys()].join(", ");
    terminal.error(`afterword: there is no command "${word}" (${names}; afterword --help)\n`);
    return 2;
  }
  return runCommand(command, rest, terminal);
}

/** Runs a command, or the part of it that the first words name. */
export async function runCommand(
  whole: ListedCommand,
  argv: readonly string[],
  terminal: Terminal,
): Promise<number> {
  try {
    const { command, summary, given } = await findPart(whole, argv);
    if (given.includes("--help") || given.includes("-h")) {
      terminal.out(helpOf(command, summary));
      return 0;
    }
    const { name, options, positionals = 0, parts } = command;
    const [word] = given;
    if (parts !== undefined && positionals === 0 && word !== undefined && !word.startsWith("-")) {
      const names = [...parts.keys()].join(", ");
      throw createArgumentError(name, `there is no command "${word}" (${names})`);
    }
    return await command.run(readArguments(name, given, options, positionals), terminal);
  } catch (error) {
    if (!isAfterwordError(error)) throw error;
    terminal.error(`${error.message}\n`);
    return error.code === "argument-invalid" ? 2 : 1;
  }
}

/** Finds the command that the first words name, such as `backend key add`. */
async function findPart(
  { summary, load }: ListedCommand,
  given: readonly string[],
): Promise<{
  readonly command: Command;
  readonly summary: string;
  readonly given: readonly string[];
}> {
  const command = await load();
  const part = command.parts?.get(given[0] ?? "");
  return part === undefined ? { command, summary, given } : findPart(part, given.slice(1));
}

function describeCommands(): string {
  const rows = Array.from(commands, ([name, { summary }]) => `  ${name.padEnd(10)}${summary}`);
  return `afterword ${readPackageVersion()}: the last word on what a chatbot says\n\n${rows.join("\n")}\n\nRun afterword COMMAND --help for its options.\n`;
}
