import { createContentHash } from "./content-hash.ts";
import { createWatching } from "./watching.ts";

/** What is kept to, and what is done with what is found. */
export interface HotReloadParts<Loaded> {
  /** The files and directories that count now. */
  readonly sources: () => readonly string[];
  /** Differs when something other than files has changed. Default: only files count. */
  readonly revision?: () => Promise<string>;
  readonly load: () => Promise<Loaded>;
  /** Takes or refuses what was loaded of files that nobody changed meanwhile. */
  readonly decide: (loaded: Loaded, milliseconds: number) => void;
  /** Called with what made a look or a load fail; what is in force stays. */
  readonly failed: (error: unknown) => void;
  /** Called after every look and load that did not fail. */
  readonly worked?: () => void;
  /** Called once, with the system's reason, when something cannot be watched that is there. */
  readonly unwatched?: (reason: string) => void;
  /** When what is in force was loaded: what has changed since then is loaded again. */
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
  /** Nobody may have changed anything for so long before it is read. */
  readonly quiet: number;
  /** How often it is looked at although nobody told of a change. */
  readonly look: number;
}

export interface HotReload {
  /** Loads all again. Resolves when decided, or when files are being changed; never rejects. */
  reload(): Promise<void>;
  /** Nothing is decided from now on. Resolves when what is under way has ended. */
  close(): Promise<void>;
}

/** Who copies a folder needs some time. */
export const reloadTiming: ReloadTiming = { quiet: 200, look: 2000 };

/** Files are stamped with the time of the system's last tick, up to so many milliseconds ago. */
const tick = 10;

/**
 * Keeps to files: they are watched, looked at every two seconds (watches stay silent on network and
 * bind mounts), and loaded as one when they have changed and stayed so for a quiet period. Files
 * that change while they are loaded are loaded again.
 */
export function startHotReload<Loaded>(parts: HotReloadParts<Loaded>): HotReload {
  const { load, now, loaded, timing = reloadTiming } = parts;
  const lookAt = createContentHash(now);
  const watching = createWatching(settleSoon, (reason) => parts.unwatched?.(reason));

  /** What was decided on, taken over or refused; null: something has changed since. */
  let decided: string | null = null;
  /** Changes without an event count after two equal looks, a quiet period apart. */
  let candidate: string | null = null;
  let settling: NodeJS.Timeout | undefined;
  let looking: NodeJS.Timeout | undefined;
  let closed = false;
  let queue: Promise<void> = Promise.resolve();

  void enqueue(begin);

  return {
    reload() {
      clearTimeout(settling);
      return enqueue(async () => read((await look()).hash));
    },
    async close() {
      closed = true;
      clearTimeout(settling);
      clearTimeout(looking);
      watching.close();
      await queue;
    },
  };

  /** One thing at a time: looks and loads never overlap. */
  function enqueue(work: () => Promise<void>): Promise<void> {
    queue = queue.then(() => attempt(work));
    return queue;
  }

  async function attempt(work: () => Promise<void>): Promise<void> {
    if (closed) return;
    try {
      await work();
      if (!closed) parts.worked?.();
    } catch (error) {
      if (!closed) parts.failed(error);
    }
  }

  async function begin(): Promise<void> {
    try {
      // A look takes a while: only the second surely has the times of what the first one read.
      const first = await look();
      const { hash, newest, revision } = await look();
      const changed =
        first.hash !== hash || newest > loaded.at - tick || revision !== (loaded.revision ?? "");
      if (changed) settleSoon();
      else decided = hash;
    } finally {
      lookLater(0);
    }
  }

  async function look(): Promise<{ hash: string; newest: number; revision: string }> {
    const sources = parts.sources();
    const { hash, newest, directories } = await lookAt(sources);
    const revision = (await parts.revision?.()) ?? "";
    if (!closed && watching.follow(sources, directories)) settleSoon();
    return { hash: `${hash} ${revision}`, newest, revision };
  }

  function settleSoon(): void {
    clearTimeout(settling);
    if (closed) return;
    settling = setTimeout(() => void enqueue(settle), timing.quiet).unref();
  }

  /** Ten thousand files take a while to look at; that must not be all this process does. */
  function lookLater(took: number): void {
    if (closed) return;
    const wait = Math.max(timing.look, took * 20);
    looking = setTimeout(() => void enqueue(lookAgain), wait).unref();
  }

  async function lookAgain(): Promise<void> {
    const start = performance.now();
    try {
      const { hash } = await look();
      if (hash === decided || hash === candidate) return;
      candidate = hash;
      settleSoon();
    } finally {
      lookLater(performance.now() - start);
    }
  }

  async function settle(): Promise<void> {
    const { hash } = await look();
    if (hash === decided) candidate = null;
    else if (candidate === null || candidate === hash) await read(hash);
    else {
      candidate = hash;
      settleSoon();
    }
  }

  async function read(hash: string): Promise<void> {
    candidate = null;
    decided = hash;
    const start = performance.now();
    const found = await load();
    const after = await look();
    if (closed) return;
    if (after.hash === hash) {
      parts.decide(found, performance.now() - start);
      return;
    }
    // Half of it may be old: nobody gets to see that.
    decided = null;
    candidate = after.hash;
    settleSoon();
  }
}
