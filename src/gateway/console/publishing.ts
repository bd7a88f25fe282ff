import type { Conflict, Draft, Grant } from "../../api/console.ts";
import { maySee } from "./access.ts";
import { type Answer, refused } from "./answer.ts";
import type { PublicationWish } from "./files.ts";

// Why a publication is refused, whatever keeps the texts.

export const noPublication: Answer = refused(404, "There is no such publication.");

/** @param hash of what the file says now */
export function stale({ files }: PublicationWish, file: string, hash: string | null): boolean {
  const seen = files[file];
  return seen !== undefined && seen !== (hash ?? "");
}

export function conflicted(conflicts: readonly Conflict[]): Answer {
  const names = conflicts.map(({ file }) => file).join(", ");
  const message = `${names} was changed meanwhile: look at it, and choose. Nothing was written.`;
  return refused(409, message, { conflicts });
}

export function uncheckedOf(
  findings: Draft["findings"],
  { warnings }: Pick<PublicationWish, "warnings">,
): Answer | null {
  const open = findings.filter(({ severity }) => severity === "error" || !warnings);
  const [first] = open;
  if (first === undefined) return null;
  const { file, line, message } = first;
  return refused(422, `Nothing was published. ${file}:${line}: ${message}`, { findings: open });
}

export function notSeen(
  grant: Grant,
  files: readonly { readonly file: string; readonly instances: readonly string[] }[],
): Answer | null {
  const found = files.find(({ instances }) => !instances.every((name) => maySee(grant, name)));
  return found === undefined
    ? null
    : refused(403, `${found.file} has texts of instances that your token is not for.`);
}
