import { type Arguments, helpOption, type Option } from "./arguments.ts";

/** The streams that a command reads from and writes to. Tests hand in their own. */
export interface Terminal {
  out(text: string): void;
  error(text: string): void;
  /** All of standard input. */
  readInput(): Promise<Uint8Array>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** True if standard output is a terminal. */
  readonly interactive: boolean;
  /** Asks the person at the keyboard for one line. Absent if there is no keyboard. */
  ask?(question: string): Promise<string>;
  /** True if standard error is a terminal, so that a line can be overwritten. Default: false. */
  readonly errorInteractive?: boolean;
  /** Width of standard output, in characters. */
  readonly columns: number;
}

/** The entry of a command in a list of commands, which `--help` shows without loading them. */
export interface ListedCommand {
  readonly summary: string;
  readonly load: () => Promise<Command>;
}

export interface Command {
  readonly name: string;
  /** The usage after the name, such as `[--config FILE] FILE|-`. */
  readonly usage: string;
  readonly options: readonly Option[];
  /** The most arguments that it takes beside its options. Default: none. */
  readonly positionals?: number;
  /** Subcommands by their word, such as `import` of `backend import`. They may have subcommands. */
  readonly parts?: ReadonlyMap<string, ListedCommand>;
  /** Resolves with the exit code. */
  run(args: Arguments, terminal: Terminal): Promise<number>;
}

/** Asks the person at the keyboard whether to erase. Writes a line if nothing is erased. */
export async function askToErase(terminal: Terminal): Promise<boolean> {
  const answer = await terminal.ask?.('This can\'t be undone. Type "erase" to go on: ');
  if (answer?.trim().toLowerCase() === "erase") return true;
  terminal.error("nothing was erased\n");
  return false;
}

export const configOption: Option = {
  name: "config",
  value: "FILE",
  help: "configuration file (default: AFTERWORD_CONFIG, else config/afterword.yaml)",
};

/** Finds the configuration file: the given one, else that of AFTERWORD_CONFIG, else the default. */
export function findConfigFile(given: string | null, terminal: Terminal): string {
  return given ?? (terminal.env["AFTERWORD_CONFIG"] || "config/afterword.yaml");
}

/** Formats the `--help` of one command. */
export function helpOf(command: Command, summary: string): string {
  const options = formatColumns(
    [...command.options, helpOption].map(({ name, value, help }) => [
      `--${name}${value === undefined ? "" : ` ${value}`}`,
      help,
    ]),
  );
  const head = `afterword ${command.name} ${command.usage}\n\n${summary}\n\n${options}\n`;
  if (command.parts === undefined) return head;
  const rows = Array.from(command.parts, ([word, part]) => [word, part.summary]);
  return `${head}\nCommands:\n\n${formatColumns(rows)}\n\nRun afterword ${command.name} COMMAND --help for its options.\n`;
}

function formatColumns(rows: readonly (readonly string[])[]): string {
  const width = Math.max(...rows.map(([left = ""]) => left.length)) + 2;
  return rows.map(([left = "", right]) => `  ${left.padEnd(width)}${right}`).join("\n");
}
