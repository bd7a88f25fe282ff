import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { dirname, join } from "node:path";

/** Reads the version of this package's package.json, in a checkout and in the built package. */
export function readPackageVersion(): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const text = readOrNull(join(folder, "package.json"));
    if (text !== null) {
      const parsed: unknown = JSON.parse(text);
      if (typeof parsed === "object" && parsed !== null && "version" in parsed)
        return String(parsed.version);
    }
    if (folder === dirname(folder)) return "unknown";
  }
}

function readOrNull(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return null;
  }
}
