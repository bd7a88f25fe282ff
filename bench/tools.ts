import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** Full path of a program, or null. Debian keeps some outside an ordinary user's PATH. */
export function findTool(name: string): string | null {
  const folders = [...(process.env["PATH"] ?? "").split(delimiter), "/usr/sbin", "/usr/local/sbin"];
  return folders.map((folder) => join(folder, name)).find(isExecutable) ?? null;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
