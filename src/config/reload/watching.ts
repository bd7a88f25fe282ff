import { type FSWatcher, statSync, watch } from "node:fs";
import { basename, dirname } from "node:path";
import { isYamlName } from "../../yaml/read-file.ts";

/** Events of the operating system; missing on network and bind mounts, so looks are needed too. */
export interface Watching {
  /**
   * Watches these files and directories, and no others any more; directories that were replaced
   * since are found again. True when something is watched that was not before, so that a change may
   * have gone unnoticed meanwhile.
   */
  follow(sources: readonly string[], directories: readonly string[]): boolean;
  close(): void;
}

/**
 * @param changed called for every change that may concern a source, often several times for one
 * @param unavailable called once, with the system's reason, when something cannot be watched that
 *   is there
 */
export function createWatching(
  changed: () => void,
  unavailable: (reason: string) => void,
): Watching {
  const watched = new Map<string, Watched>();
  let said = false;

  return {
    follow(sources, directories) {
      const wanted = namesByDirectory(sources, directories);
      for (const [directory, { watcher, identity }] of watched) {
        if (wanted.has(directory) && identityOf(directory) === identity) continue;
        watcher.close();
        watched.delete(directory);
      }
      let more = false;
      for (const [directory, names] of wanted) {
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
    // A file that does not exist yet is found by looking.
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
    if (said) return;
    said = true;
    unavailable(
      error instanceof Error && "code" in error ? String(error.code) : "the reason is not known",
    );
  }
}

interface Watched {
  readonly watcher: FSWatcher;
  /** Which directory it was: another one may take its name. */
  readonly identity: string;
  names: Names;
}

interface Names {
  /** Files, or links to what is farther down, that are watched here. */
  readonly named: Set<string>;
  /** True where new files may appear. */
  yaml: boolean;
}

/** Systems limit watches over all programs; looks still cover the other directories. */
const mostDirectories = 500;

/** Watches directories, as editors replace files, and their parents, as links may be switched. */
function namesByDirectory(
  sources: readonly string[],
  directories: readonly string[],
): ReadonlyMap<string, Names> {
  const wanted = new Map<string, Names>();
  const findNames = (directory: string): Names | null => {
    const known = wanted.get(directory);
    if (known !== undefined) return known;
    if (wanted.size >= mostDirectories) return null;
    const fresh: Names = { named: new Set(), yaml: false };
    wanted.set(directory, fresh);
    return fresh;
  };
  for (const source of sources) findNames(dirname(source))?.named.add(basename(source));
  for (const directory of directories) {
    const names = findNames(directory);
    if (names !== null) names.yaml = true;
  }
  return wanted;
}

// Kubernetes switches a link called `..data`; what editors write beside a file (`4913`,
// `.#en.yaml`, `en.yaml~`) is nothing.
function concerns(name: string, { named, yaml }: Names): boolean {
  return named.has(name) || name.startsWith("..") || (yaml && isYamlName(name));
}

function identityOf(directory: string): string | null {
  const facts = statSync(directory, { throwIfNoEntry: false, bigint: true });
  return facts === undefined ? null : `${facts.dev} ${facts.ino}`;
}
