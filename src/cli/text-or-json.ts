import { type Arguments, type Option, readChoice } from "./arguments.ts";

/** For a command that answers a person with text, and a program with JSON. */
export const formatOption: Option = {
  name: "format",
  value: "F",
  help: "text (default) or json",
};

export type TextOrJson = "text" | "json";

/** @throws AfterwordError `argument-invalid` */
export function readFormat(command: string, args: Arguments): TextOrJson {
  return readChoice(command, formatOption.name, args.one(formatOption.name), ["text", "json"]);
}
