// node build/tool.ts TOOL FILE [ARGUMENT…]: runs a program of tools/TOOL. Its packages are its own;
// they are installed when they are missing or older than its lockfile.
import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import { fileURLToPath } from "node:url";

const [tool = "", file = "", ...rest] = process.argv.slice(2);
const folder = fileURLToPath(new URL(`../tools/${tool}/`, import.meta.url));
const changed = (name: string): number =>
  statSync(folder + name, { throwIfNoEntry: false })?.mtimeMs ?? 0;

if (changed("node_modules/.package-lock.json") < changed("package-lock.json")) {
  console.error(`Installing what tools/${tool} needs…`);
  run("npm", ["ci", "--prefix", folder, "--no-audit", "--no-fund", "--silent"]);
}
run(process.execPath, [folder + file, ...rest]);

function run(command: string, given: readonly string[]): void {
  const { status, error } = spawnSync(command, given, { stdio: "inherit" });
  if (error !== undefined) throw error;
  if (status !== 0) process.exit(status ?? 1);
}
