import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { configurationFiles } from "./configuration.ts";
import { handingOverFiles } from "./handing-over.ts";
import type { Setup } from "./runtime.ts";

/** Writes the configuration under test into a directory; gives the path of its file. */
export async function writeConfiguration(
  directory: string,
  upstreamPort: number,
  setup: Setup = "plain",
): Promise<string> {
  const filesOf = setup === "plain" ? configurationFiles : handingOverFiles;
  for (const [name, text] of Object.entries(filesOf(upstreamPort))) {
    await mkdir(dirname(join(directory, name)), { recursive: true });
    await writeFile(join(directory, name), text);
  }
  return join(directory, "afterword.yaml");
}
