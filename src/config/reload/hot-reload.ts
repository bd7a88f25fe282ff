import { waitAtMost } from "../../wait.ts";
import { createFileStateReader, type ReadFileState } from "./content-hash.ts";
import { createWatcher, type Watcher } from "./watcher.ts";

/** The dependencies of a reload. */
export interface HotReloadParts<Loaded> {
  /** The files and directories to follow now. */
  readonly sources: () => readonly string[];
  /** Differs when something other than files has changed. Default: only files are followed. */
  readonly revision?: () => Promise<string>;
  readonly load: () => Promise<Loaded>;
  /** Accepts or refuses the result of a load during which no file changed. */
  readonly decide: (loaded: Loaded, milliseconds: number) => void;
  /** Called with the error of a failed poll or load; the state in force stays. */
  readonly failed: (error: unknown) => void;
  /** Called after every successful poll and load. */
  readonly worked?: () => void;
  /** Called once, with the system's reason, if an existing file cannot be watched. */
  readonly unwatched?: (reason: string) => void;
  /** The load of the state in force. Changes since then cause another load. */
  readonly loaded: {
    /** Milliseconds since the epoch. */
    readonly at: number;
    readonly revision?: string;
  };
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly timing?: ReloadTiming | undefined;
}

/** In milliseconds. */
export interface ReloadTiming {
  /** How long files must stay unchanged before they are loaded. */
  readonly quiet: number;
  /** Time between polls, which find what no event reports. */
  readonly poll: number;
}

export interface HotReload {
  /** Loads everything again. Resolves after the decision, or if files are changing; never rejects. */
  reload(): Promise<void>;
  /** Ends the reloading. Resolves when the current load has ended. */
  close(): Promise<void>;
}

/** The quiet period gives people time to copy a folder. */
export const reloadTiming: ReloadTiming = { quiet: 200, poll: 2000 };

/** Timestamps of files are those of the system's last tick, up to this many milliseconds ago. */
const tick = 10;

/**
 * Follows files: they are watched, polled every two seconds (network and bind mounts send no
 * events), and loaded together once they have changed and then stayed the same for a quiet period.
 * Files that change while they are loaded are loaded again.
 */
export function startHotReload<Loaded>(parts: HotReloadParts<Loaded>): HotReload {
  return new FileFollower(parts);
}

/** How long a load under way is waited for, in milliseconds. */
const CLOSING_PATIENCE = 5000;

class FileFollower<Loaded> implements HotReload {
  readonly #parts: HotReloadParts<Loaded>;
  readonly #timing: ReloadTiming;
  readonly #readFileState: ReadFileState;
  readonly #watcher: Watcher;
  /** The hash of the state that was last loaded or refused; null if something has changed since. */
  #decided: string | null = null;
  /** The hash that polling found. It counts once a second poll, a quiet period later, finds it too. */
  #candidate: string | null = null;
  #settling: NodeJS.Timeout | undefined;
  #polling: NodeJS.Timeout | undefined;
  #closed = false;
  #queue: Promise<void> = Promise.resolve();

  constructor(parts: HotReloadParts<Loaded>) {
    this.#parts = parts;
    this.#timing = parts.timing ?? reloadTiming;
    this.#readFileState = createFileStateReader(parts.now);
    this.#watcher = createWatcher(
      () => this.#settleSoon(),
      (reason) => parts.unwatched?.(reason),
    );
    void this.#enqueue(() => this.#begin());
  }

  reload(): Promise<void> {
    clearTimeout(this.#settling);
    return this.#enqueue(async () => this.#read((await this.#poll()).hash));
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#settling);
    clearTimeout(this.#polling);
    this.#watcher.close();
    // A load that hangs on a stalled disk must not delay the rest of the shutdown.
    await waitAtMost(CLOSING_PATIENCE, this.#queue);
  }

  /** Runs polls and loads one after the other. */
  #enqueue(work: () => Promise<void>): Promise<void> {
    this.#queue = this.#queue.then(() => this.#attempt(work));
    return this.#queue;
  }

  async #attempt(work: () => Promise<void>): Promise<void> {
    if (this.#closed) return;
    try {
      await work();
      if (!this.#closed) this.#parts.worked?.();
    } catch (error) {
      if (!this.#closed) this.#parts.failed(error);
    }
  }

  async #begin(): Promise<void> {
    const { loaded } = this.#parts;
    try {
      // Files may change during a poll. Only a second one reliably has the times of the first.
      const first = await this.#poll();
      const { hash, newest, revision } = await this.#poll();
      const changed =
        first.hash !== hash || newest > loaded.at - tick || revision !== (loaded.revision ?? "");
      if (changed) this.#settleSoon();
      else this.#decided = hash;
    } finally {
      this.#pollLater(0);
    }
  }

  async #poll(): Promise<{ hash: string; newest: number; revision: string }> {
    const sources = this.#parts.sources();
    const { hash, newest, directories } = await this.#readFileState(sources);
    const revision = (await this.#parts.revision?.()) ?? "";
    if (!this.#closed && this.#watcher.follow(sources, directories)) this.#settleSoon();
    return { hash: `${hash} ${revision}`, newest, revision };
  }

  #settleSoon(): void {
    clearTimeout(this.#settling);
    if (this.#closed) return;
    const settle = (): void => void this.#enqueue(() => this.#settle());
    this.#settling = setTimeout(settle, this.#timing.quiet).unref();
  }

  /** Waits longer after a slow poll, so that polling takes at most a twentieth of the time. */
  #pollLater(took: number): void {
    if (this.#closed) return;
    const wait = Math.max(this.#timing.poll, took * 20);
    this.#polling = setTimeout(() => void this.#enqueue(() => this.#pollAgain()), wait).unref();
  }

  async #pollAgain(): Promise<void> {
    const start = performance.now();
    try {
      const { hash } = await this.#poll();
      if (hash === this.#decided || hash === this.#candidate) return;
      this.#candidate = hash;
      this.#settleSoon();
    } finally {
      this.#pollLater(performance.now() - start);
    }
  }

  async #settle(): Promise<void> {
    const { hash } = await this.#poll();
    if (hash === this.#decided) this.#candidate = null;
    else if (this.#candidate === null || this.#candidate === hash) await this.#read(hash);
    else {
      this.#candidate = hash;
      this.#settleSoon();
    }
  }

  async #read(hash: string): Promise<void> {
    this.#candidate = null;
    this.#decided = hash;
    const start = performance.now();
    const found = await this.#parts.load();
    const after = await this.#poll();
    if (this.#closed) return;
    if (after.hash === hash) {
      this.#parts.decide(found, performance.now() - start);
      return;
    }
    // The load may have mixed old and new files, so its result is dropped.
    this.#decided = null;
    this.#candidate = after.hash;
    this.#settleSoon();
  }
}
