import { existsSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import type { FileContent } from "./write-files.ts";

export interface SchemaDirectory {
  /** The directory with the schemas, relative to the configuration's. */
  readonly fromConfig: string;
  /** Copies to write there; empty when the package's own files are within reach. */
  readonly copies: readonly FileContent[];
}

const NAMES: readonly string[] = ["afterword.schema.json", "messages.schema.json"];

/**
 * Finds a directory with the schemas for editors. If the package is installed in the project, all
 * contributors have its schemas. Those of a package that is global or run once are copied.
 *
 * @param directory absolute directory of the configuration
 * @param root this package's own directory
 * @param names the schemas to copy
 */
export function findSchemaDirectory(
  directory: string,
  root: string,
  names: readonly string[] = NAMES,
): SchemaDirectory {
  const installed = findInstalledAbove(directory, root);
  if (installed !== null) {
    return {
      fromConfig: toRelativePath(relative(directory, join(installed, "schema"))),
      copies: [],
    };
  }
  const copies = names.map((name) => ({
    file: join(directory, "schema", name),
    text: readFileSync(join(root, "schema", name), "utf8"),
  }));
  return { fromConfig: "./schema", copies };
}

/** A path as YAML and URLs write it. */
export function toRelativePath(path: string): string {
  const slashes = path.split(sep).join("/");
  return slashes.startsWith(".") || slashes.startsWith("/") ? slashes : `./${slashes}`;
}

function findInstalledAbove(directory: string, root: string): string | null {
  for (let folder = directory; ; folder = dirname(folder)) {
    const candidate = join(folder, "node_modules", "afterword");
    if (existsSync(candidate) && realpathSync(candidate) === realpathSync(root)) return candidate;
    // A checkout of Afterword itself.
    if (folder === root) return root;
    if (folder === dirname(folder)) return null;
  }
}
