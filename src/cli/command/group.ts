import type { Command, ListedCommand } from "./command.ts";
import { joinWithOr, createArgumentError } from "./arguments.ts";

/** Creates a command that only has subcommands, such as `backend key` with add, list and revoke. */
export function groupOf(name: string, parts: Readonly<Record<string, ListedCommand>>): Command {
  const words = Object.keys(parts);
  const say = `say ${joinWithOr(words)}`;
  return {
    name,
    usage: words.join("|"),
    options: [],
    positionals: Infinity,
    parts: new Map(Object.entries(parts)),
    async run({ positionals: [given] }) {
      throw createArgumentError(name, given === undefined ? say : `${say}, not "${given}"`);
    },
  };
}
