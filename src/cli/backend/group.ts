import type { Command } from "../command.ts";
import { unusable } from "../arguments.ts";

/** A word that only leads on to others, such as `backend key` to add, list and revoke. */
export function groupOf(
  name: string,
  summary: string,
  parts: ReadonlyMap<string, () => Promise<Command>>,
): Command {
  const words = [...parts.keys()];
  const last = words.at(-1) ?? "";
  const say = `say ${words.slice(0, -1).join(", ")} or ${last}`;
  return {
    name,
    summary,
    usage: words.join("|"),
    options: [],
    parts,
    async run([given]) {
      throw unusable(name, given === undefined ? say : `${say}, not "${given}"`);
    },
  };
}
