import { type FSWatcher, statSync, watch } from "node:fs";
import { basename, dirname } from "node:path";
import { isYamlName } from "../../yaml/read-file.ts";

/** Watches files by events of the system. Network and bind mounts send none, so they are polled too. */
export interface Watcher {
  /**
   * Watches these files and directories instead of the former ones, and watches replaced directories
   * again. Returns true if something new is watched, because it may have changed before.
   */
  follow(sources: readonly string[], directories: readonly string[]): boolean;
  close(): void;
}

/**
 * @param changed called for every change that may concern a source, often several times for one
 * @param unavailable called once, with the system's reason, when something that exists cannot be
 *   watched
 */
export function createWatcher(changed: () => void, unavailable: (reason: string) => void): Watcher {
  const watched = new Map<string, Watched>();
  let isReported = false;

  return {
    follow(sources, directories) {
      const targets = namesByDirectory(sources, directories);
      for (const [directory, { watcher, identity }] of watched) {
        if (targets.has(directory) && identityOf(directory) === identity) continue;
        watcher.close();
        watched.delete(directory);
      }
      let more = false;
      for (const [directory, names] of targets) {
        const open = watched.get(directory);
        if (open === undefined) more = start(directory, names) || more;
        else open.names = names;
      }
      return more;
    },
    close() {
      for (const { watcher } of watched.values()) watcher.close();
      watched.clear();
    },
  };

  function start(directory: string, names: Names): boolean {
    const identity = identityOf(directory);
    // Polling finds a directory once it exists.
    if (identity === null) return false;
    try {
      const watcher = watch(directory, { persistent: false });
      const entry: Watched = { watcher, identity, names };
      watcher.on("change", (_event, name) => {
        if (typeof name !== "string" || concerns(name, entry.names)) changed();
      });
      watcher.on("error", (error) => {
        watcher.close();
        if (watched.get(directory) === entry) watched.delete(directory);
        giveUp(error);
      });
      watched.set(directory, entry);
      return true;
    } catch (error) {
      giveUp(error);
      return false;
    }
  }

  function giveUp(error: unknown): void {
    if (isReported) return;
    isReported = true;
    unavailable(
      error instanceof Error && "code" in error ? String(error.code) : "the reason is not known",
    );
  }
}

interface Watched {
  readonly watcher: FSWatcher;
  /** Device and inode, since another directory may take the name. */
  readonly identity: string;
  names: Names;
}

interface Names {
  /** The files and links that are watched here. */
  readonly named: Set<string>;
  /** True where new files may appear. */
  yaml: boolean;
}

/** Systems limit the watches of all programs together. Further directories are only polled. */
const maxDirectories = 500;

/** Groups by directory, because editors replace files and deployments switch links. */
function namesByDirectory(
  sources: readonly string[],
  directories: readonly string[],
): ReadonlyMap<string, Names> {
  const byDirectory = new Map<string, Names>();
  const findNames = (directory: string): Names | null => {
    const known = byDirectory.get(directory);
    if (known !== undefined) return known;
    if (byDirectory.size >= maxDirectories) return null;
    const fresh: Names = { named: new Set(), yaml: false };
    byDirectory.set(directory, fresh);
    return fresh;
  };
  for (const source of sources) findNames(dirname(source))?.named.add(basename(source));
  for (const directory of directories) {
    const names = findNames(directory);
    if (names !== null) names.yaml = true;
  }
  return byDirectory;
}

// Kubernetes switches a link called `..data`. Files that editors write beside a file (`4913`,
// `.#en.yaml`, `en.yaml~`) are ignored.
function concerns(name: string, { named, yaml }: Names): boolean {
  return named.has(name) || name.startsWith("..") || (yaml && isYamlName(name));
}

function identityOf(directory: string): string | null {
  const facts = statSync(directory, { throwIfNoEntry: false, bigint: true });
  return facts === undefined ? null : `${facts.dev} ${facts.ino}`;
}
