import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** Builds the package; gives the file of its command. */
export function build(): string {
  const root = fileURLToPath(new URL("..", import.meta.url));
  execFileSync("npm", ["run", "--silent", "build"], { cwd: root, stdio: ["ignore", 2, 2] });
  return fileURLToPath(new URL("../dist/cli/main.js", import.meta.url));
}
