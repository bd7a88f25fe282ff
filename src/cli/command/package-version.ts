import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { dirname, join } from "node:path";

/** The version in our package.json, from source and from the built package alike. */
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
