import type { Command } from "./command.ts";
import { joinWithOr, createArgumentError } from "./arguments.ts";

/** A word that only leads on to others, such as `backend key` to add, list and revoke. */
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
