import { expect, test } from "vitest";
import {
  type Arguments,
  type Option,
  readArguments,
  readChoice,
  readPort,
} from "../../../src/cli/command/arguments.ts";
import { isAfterwordError } from "../../../src/errors.ts";

const options: readonly Option[] = [
  { name: "file", value: "FILE", help: "" },
  { name: "var", value: "k=v", help: "", many: true },
  { name: "loud", help: "" },
];

function refusal(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    return isAfterwordError(error) ? `${error.code}: ${error.message}` : String(error);
  }
  return "nothing was refused";
}

function given(...argv: string[]): Arguments {
  return readArguments("try", argv, options, 0);
}

test("values, switches and positionals are distinguished", () => {
  const args = readArguments("try", ["--var", "a=1", "x", "--loud", "--var=b=2", "-"], options, 2);
  expect(args.all("var")).toEqual(["a=1", "b=2"]);
  expect(args.has("loud")).toBe(true);
  expect(args.positionals).toEqual(["x", "-"]);
  expect([args.one("file"), args.has("file"), args.all("file")]).toEqual([null, false, []]);
});

test("of an option given twice the last value counts", () => {
  expect(readArguments("try", ["--file", "a", "--file", "b"], options, 0).one("file")).toBe("b");
});

test("what follows -- is a positional, whatever it looks like", () => {
  expect(readArguments("try", ["--", "--loud"], options, 1).positionals).toEqual(["--loud"]);
});

test.each([
  [["--nope"], "Unknown option '--nope'"],
  [["--fiel", "x"], "Unknown option '--fiel'. Did you mean \"--file\"?"],
  [["--file"], "Option '--file <value>' argument missing"],
  [["--loud=yes"], "Option '--loud' does not take an argument"],
  [["one", "two"], 'unexpected argument "two"'],
])("unusable arguments are one line that names them: %j", (argv, message) => {
  const text = refusal(() => readArguments("try", argv, options, 1));
  expect(text).toBe(`argument-invalid: afterword try: ${message} (afterword try --help)`);
});

test.each([
  [null, null],
  ["", null],
  ["0", 0],
  ["65535", 65_535],
])("the port %j is %j", (text, port) => {
  expect(readPort(given(), text, "--port")).toBe(port);
});

test.each(["65536", "-1", "80a", "1e3", "999999", " 80"])("%j is no port", (text) => {
  expect(refusal(() => readPort(given(), text, "PORT"))).toContain(
    `PORT: "${text}" is not a port (0 to 65535)`,
  );
});

test("a choice is the first when nothing is given, and one of the list otherwise", () => {
  expect(readChoice(given(), "file", ["text", "json"])).toBe("text");
  expect(readChoice(given("--file", "json"), "file", ["text", "json"])).toBe("json");
  expect(refusal(() => readChoice(given("--file", "xml"), "file", ["text", "json"]))).toBe(
    'argument-invalid: afterword try: --file is text or json, not "xml"',
  );
});
