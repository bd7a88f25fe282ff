import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { configurationFiles } from "./configuration.ts";

/** Writes the configuration under test into a directory; gives the path of its file. */
export async function writeConfiguration(directory: string, upstreamPort: number): Promise<string> {
  for (const [name, text] of Object.entries(configurationFiles(upstreamPort))) {
    await mkdir(dirname(join(directory, name)), { recursive: true });
    await writeFile(join(directory, name), text);
  }
  return join(directory, "afterword.yaml");
}
