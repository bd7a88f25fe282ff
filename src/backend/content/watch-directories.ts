import { type FSWatcher, statSync, watch } from "node:fs";
import { isContentName } from "./read-directory.ts";

/**
 * Being told of changes by the operating system. It may be silent (network and bind mounts): look
 * as well.
 */
export interface DirectoryWatch {
  /** Begins anew where a directory has come, or another one has taken its name. */
  refresh(): void;
  close(): void;
}

/**
 * Calls `changed` for every change that may concern a content file in these directories, often
 * several times for one.
 */
export function watchDirectories(
  directories: readonly string[],
  changed: () => void,
): DirectoryWatch {
  const watched = new Map<string, { readonly watcher: FSWatcher; readonly identity: string }>();
  const forget = (directory: string): void => {
    watched.get(directory)?.watcher.close();
    watched.delete(directory);
  };
  const begin = (directory: string, identity: string): void => {
    try {
      const watcher = watch(directory, { persistent: false });
      watcher.on("change", (_event, name) => {
        // Kubernetes switches a link called `..data`.
        if (typeof name !== "string" || isContentName(name) || name.startsWith("..")) changed();
      });
      watcher.on("error", () => forget(directory));
      watched.set(directory, { watcher, identity });
    } catch {
      // The system has no watch left, or the directory went away: looking finds its changes.
    }
  };
  return {
    refresh() {
      for (const directory of directories) {
        const identity = identityOf(directory);
        if (watched.get(directory)?.identity === identity) continue;
        forget(directory);
        if (identity !== undefined) begin(directory, identity);
      }
    },
    close() {
      for (const directory of directories) forget(directory);
    },
  };
}

function identityOf(directory: string): string | undefined {
  const facts = statSync(directory, { throwIfNoEntry: false, bigint: true });
  return facts === undefined ? undefined : `${facts.dev} ${facts.ino}`;
}
