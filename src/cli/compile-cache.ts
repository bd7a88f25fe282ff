import { statSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Lets Node keep what it has compiled of the built package for the next start (decision 54): beside
 * the bundle, because anyone who may write there can change the code itself, unlike in a folder for
 * temporary files. In another user's folder, or in one that is not writable, nothing is kept.
 * NODE_COMPILE_CACHE names another folder, NODE_DISABLE_COMPILE_CACHE=1 asks for none.
 *
 * @param main address of the command's first module; from source nothing is kept
 */
export function keepCompiled(main: string): void {
  if (!main.endsWith(".js")) return;
  const bundle = dirname(fileURLToPath(main));
  // Files that root leaves in another user's folder can't be deleted by that user.
  const user = process.geteuid?.();
  if (user !== undefined && user !== statSync(bundle).uid) return;
  enableCompileCache(join(bundle, "compiled"));
}
