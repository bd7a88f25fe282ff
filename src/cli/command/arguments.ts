import { parseArgs } from "node:util";
import { AfterwordError } from "../../errors.ts";
import { didYouMean } from "../../yaml/nearest.ts";

/** One option of a command, as `--help` shows it. */
export interface Option {
  readonly name: string;
  /** Placeholder of its value in the help; without one the option is a switch. */
  readonly value?: string;
  readonly help: string;
  readonly many?: boolean;
}

export interface Arguments {
  /** The command that they belong to, as messages name it. */
  readonly command: string;
  /** Values of an option in the order given; empty when absent. */
  all(name: string): readonly string[];
  /** Like `all`, for an option whose values may be lists with commas. */
  list(name: string): readonly string[];
  /** The last value, or null. */
  one(name: string): string | null;
  has(name: string): boolean;
  readonly positionals: readonly string[];
}

/**
 * Reads a command's arguments.
 *
 * @throws AfterwordError `argument-invalid`, in one line that names the argument and the help
 */
export function readArguments(
  command: string,
  argv: readonly string[],
  options: readonly Option[],
  positionals: number,
): Arguments {
  const known = Object.fromEntries(
    [...options, helpOption].map(({ name, value }) => {
      return [name, { type: value === undefined ? "boolean" : "string", multiple: true } as const];
    }),
  );
  const { values, positionals: rest } = parse();
  if (rest.length > positionals)
    throw createArgumentError(command, `unexpected argument "${rest[positionals]}"`);
  const read = (name: string): readonly (string | boolean)[] => {
    const value = values[name];
    return Array.isArray(value) ? value : [];
  };
  const all = (name: string): readonly string[] =>
    read(name).filter((value) => typeof value === "string");
  return {
    command,
    all,
    list: (name) => all(name).flatMap((values) => values.split(",").map((one) => one.trim())),
    one: (name) => all(name).at(-1) ?? null,
    has: (name) => read(name).length > 0,
    positionals: rest,
  };

  function parse(): { values: Record<string, unknown>; positionals: string[] } {
    try {
      return parseArgs({ args: [...argv], options: known, allowPositionals: true, strict: true });
    } catch (error) {
      const first = error instanceof Error ? error.message.split(/\. |\n/, 1)[0] : String(error);
      const [, unknown] = /^Unknown option '(--[^']+)'$/.exec(first ?? "") ?? [];
      const names = Object.keys(known).map((name) => `--${name}`);
      const meant = unknown === undefined ? "" : didYouMean(unknown, names);
      throw createArgumentError(
        command,
        `${first ?? "unusable arguments"}${meant === "" ? "" : `.${meant}`}`,
      );
    }
  }
}

/**
 * Reads a TCP port; 0 lets the system choose.
 *
 * @param name of the option or variable that holds it
 */
export function readPort({ command }: Arguments, text: string | null, name: string): number | null {
  if (text === null || text === "") return null;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65_535) return port;
  throw new AfterwordError(
    "argument-invalid",
    `afterword ${command}: ${name}: "${text}" is not a port (0 to 65535)`,
  );
}

/** Reads an option with a few permitted words. Without the option, the first word counts. */
export function readChoice<Choice extends string>(
  args: Arguments,
  option: string,
  choices: readonly [Choice, ...Choice[]],
): Choice {
  const text = args.one(option);
  if (text === null) return choices[0];
  const choice = choices.find((candidate) => candidate === text);
  if (choice !== undefined) return choice;
  throw new AfterwordError(
    "argument-invalid",
    `afterword ${args.command}: --${option} is ${joinWithOr(choices)}, not "${text}"`,
  );
}

/** `a, b or c` */
export function joinWithOr(words: readonly string[]): string {
  return `${words.slice(0, -1).join(", ")} or ${words.at(-1) ?? ""}`;
}

export const helpOption: Option = { name: "help", help: "this text" };

/** Creates the error for unusable arguments: one line that names the help, and exit code 2. */
export function createArgumentError(command: string, what: string): AfterwordError {
  return new AfterwordError(
    "argument-invalid",
    `afterword ${command}: ${what} (afterword ${command} --help)`,
  );
}

/**
 * Returns the only positional argument of a command.
 *
 * @param ask the message when it is missing
 * @throws AfterwordError `argument-invalid`
 */
export function requireOnlyPositional({ command, positionals }: Arguments, ask: string): string {
  const [given] = positionals;
  if (given === undefined) throw createArgumentError(command, ask);
  return given;
}

/** For a command that answers a person with text, and a program with JSON. */
export const formatOption: Option = {
  name: "format",
  value: "F",
  help: "text (default) or json",
};

export type TextOrJson = "text" | "json";

/** @throws AfterwordError `argument-invalid` */
export function readFormat(args: Arguments): TextOrJson {
  return readChoice(args, formatOption.name, ["text", "json"]);
}

/**
 * Reads a name of one line: 1 to 100 characters, without any that move a terminal's cursor.
 *
 * @param what the argument's name in the message, such as `the name` or `--project`
 * @throws AfterwordError `argument-invalid`
 */
export function readLabel({ command }: Arguments, what: string, text: string): string {
  const label = text.trim();
  if (/^[^\p{C}\p{Zl}\p{Zp}]{1,100}$/u.test(label)) return label;
  throw createArgumentError(
    command,
    `${what} has 1 to 100 characters, and none of them controls a terminal`,
  );
}
