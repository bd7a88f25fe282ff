import type { Command } from "./command.ts";
import { joinWithOr, createArgumentError } from "./arguments.ts";

/** Creates a command that only groups others, such as `backend key` for add, list and revoke. */
export function groupOf(
  name: string,
  summary: string,
  parts: ReadonlyMap<string, () => Promise<Command>>,
): Command {
  const words = [...parts.keys()];
  const say = `say ${joinWithOr(words)}`;
  return {
    name,
    summary,
    usage: words.join("|"),
    options: [],
    positionals: Infinity,
    parts,
    async run({ positionals: [given] }) {
      throw createArgumentError(name, given === undefined ? say : `${say}, not "${given}"`);
    },
  };
}
