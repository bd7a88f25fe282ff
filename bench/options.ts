import { parseArgs } from "node:util";

/** A command of this folder, as `--help` shows it. */
export interface Command<Options> {
  /** As it is typed: `npm run bench -- gate`. */
  readonly name: string;
  /** What the command measures or tests, in a sentence. */
  readonly about: string;
  readonly options: Options;
  /** When the exit code is 1. */
  readonly fails: string;
}

/** An option that takes a value, or a flag. */
export interface Option<Value> {
  /** The value's placeholder in `--help`; null for a flag. */
  readonly placeholder: string | null;
  readonly help: string;
  /** As text, for `--help`. */
  readonly usual: string;
  /** @throws TypeError that says what the option takes; `name` is that of the option */
  readonly read: (given: string | undefined, name: string) => Value;
}

type Values<Options> = {
  readonly [Name in keyof Options]: Options[Name] extends Option<infer Value> ? Value : never;
};

/**
 * Reads the options on the command line. With `--help` it prints the purpose of the command and
 * ends the process with 0; for a wrong option it prints one line and ends it with 2.
 */
export function readOptions<Options extends { readonly [name: string]: Option<unknown> }>(
  command: Command<Options>,
): Values<Options>;
export function readOptions(
  command: Command<{ readonly [name: string]: Option<unknown> }>,
): Readonly<Record<string, unknown>> {
  const { name, options } = command;
  const known = Object.entries({ ...options, help: flag("") });
  try {
    const parsed = parseArgs({
      options: Object.fromEntries(
        known.map(([option, { placeholder }]): [string, { type: "boolean" | "string" }] => [
          option,
          { type: placeholder === null ? "boolean" : "string" },
        ]),
      ),
    });
    const values: Readonly<Record<string, unknown>> = parsed.values;
    if (values["help"] === true) {
      console.log(helpOf(command));
      process.exit(0);
    }
    return Object.fromEntries(
      Object.entries(options).map(([option, { read }]) => [
        option,
        read(textOf(values[option]), option),
      ]),
    );
  } catch (error) {
    const [what] = messageOf(error).split("\n");
    return giveUp(`${what} (${name} --help)`);
  }
}

/** Ends the process, because nothing can be measured or tested. */
export function giveUp(why: string): never {
  console.error(why);
  process.exit(2);
}

/** @param least smaller numbers are refused */
export function whole(help: string, usual: number, least = 1): Option<number> {
  const read = (given: string | undefined, name: string): number => {
    const number = given === undefined ? usual : Number(given);
    if (Number.isInteger(number) && number >= least) return number;
    throw new TypeError(`--${name} takes a whole number of at least ${least}`);
  };
  return { placeholder: "N", help, usual: String(usual), read };
}

export function text(help: string, placeholder: string, usual: string): Option<string> {
  return { placeholder, help, usual, read: (given) => given ?? usual };
}

/** @param usual describes the default in words; the option's value is then null */
export function optionalText(
  help: string,
  placeholder: string,
  usual: string,
): Option<string | null> {
  return { placeholder, help, usual, read: (given) => given ?? null };
}

/** Texts with commas between them. @param usual as for {@link optionalText} */
export function list(
  help: string,
  placeholder: string,
  usual: string,
): Option<readonly string[] | null> {
  return { placeholder, help, usual, read: (given) => given?.split(",") ?? null };
}

/** Whole numbers with commas between them. @param usual as for {@link optionalText} */
export function wholes(
  help: string,
  usual: string,
  least: number,
): Option<readonly number[] | null> {
  const { read } = whole(help, least, least);
  return {
    placeholder: "N,N",
    help,
    usual,
    read: (given, name) => given?.split(",").map((part) => read(part, name)) ?? null,
  };
}

/** The first one is the usual one. */
export function oneOf<Word extends string>(
  help: string,
  ...words: readonly [Word, ...Word[]]
): Option<Word> {
  const read = (given: string | undefined, name: string): Word => {
    const found = given === undefined ? words[0] : words.find((word) => word === given);
    if (found === undefined) throw new TypeError(`--${name} takes ${words.join(" or ")}`);
    return found;
  };
  return { placeholder: words.join("|"), help, usual: words[0], read };
}

export function flag(help: string): Option<boolean> {
  return { placeholder: null, help, usual: "", read: (given) => given !== undefined };
}

/** The two cores of a bench: one for the measured program, and one for the load. */
export const cores: {
  readonly "proxy-core": Option<number>;
  readonly "load-core": Option<number>;
} = {
  "proxy-core": whole("the core of what is measured", 0, 0),
  "load-core": whole("the core of the load and the upstream", 1, 0),
};

/** @param value as parseArgs gives it: a flag is true */
function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : value === true ? "" : undefined;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function helpOf({ name, about, options, fails }: Command<Record<string, Option<unknown>>>): string {
  const rows = Object.entries({ ...options, help: flag("this text") }).map(
    ([option, { placeholder, help, usual }]): readonly [string, string] => [
      placeholder === null ? `--${option}` : `--${option} ${placeholder}`,
      usual === "" ? help : `${help} (default: ${usual})`,
    ],
  );
  const width = Math.max(...rows.map(([left]) => left.length)) + 2;
  return [
    `${name} [options]`,
    "",
    ...wrapped(about, 100),
    "",
    ...rows.flatMap(([left, right]) => {
      const [first = "", ...more] = wrapped(right, 96 - width);
      return [
        `  ${left.padEnd(width)}${first}`,
        ...more.map((line) => `  ${" ".repeat(width)}${line}`),
      ];
    }),
    "",
    ...wrapped(
      `Exit code: 0; 1 when ${fails}; 2 for a wrong option, or where nothing can be measured.`,
      100,
    ),
  ].join("\n");
}

function wrapped(words: string, width: number): readonly string[] {
  const lines = [""];
  for (const word of words.split(/\s+/)) {
    const line = lines.at(-1) ?? "";
    if (line !== "" && line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = line === "" ? word : `${line} ${word}`;
  }
  return lines;
}
