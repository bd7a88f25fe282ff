import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { AfterwordError } from "../../errors.ts";

/** The package's directory, in source and build alike. Throws `config-unreadable` without one. */
export function findPackageRoot(from: string = import.meta.url): string {
  let directory = dirname(fileURLToPath(from));
  for (;;) {
    // src/ has a folder named locales too, but only the root has package.json beside it.
    const files = ["package.json", join("locales", "en.yaml")];
    if (files.every((file) => existsSync(join(directory, file)))) return directory;
    const parent = dirname(directory);
    if (parent === directory) break;
    directory = parent;
  }
  throw new AfterwordError(
    "config-unreadable",
    "the package's own locales/ directory was not found beside its package.json; install afterword again",
  );
}

/** Reads the version of this package, in source and build alike. */
export function readPackageVersion(): string {
  const file = join(findPackageRoot(), "package.json");
  const { version }: { readonly version: string } = JSON.parse(readFileSync(file, "utf8"));
  return version;
}
