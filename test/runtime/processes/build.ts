import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

/** Builds the command that the tests' processes start, into the folder that AFTERWORD_BUILT names. */
export async function setup(): Promise<void> {
  const root = join(import.meta.dirname, "../../..");
  const tsdown = join(root, "node_modules/.bin/tsdown");
  await promisify(execFile)(tsdown, ["--log-level", "error"], { cwd: root });
}
