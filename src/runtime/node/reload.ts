import { resolve } from "node:path";
import type { Config } from "../../config/config.ts";
import type { Diagnostic } from "../../config/diagnostic.ts";
import type { LoadOptions } from "../../config/load.ts";
import type { Metrics } from "../../gateway/metrics.ts";
import type { Logger } from "../../gateway/platform.ts";
import { createConfigLoader } from "./reload/config-loader.ts";
import { createContentHash, type Seen } from "./reload/content-hash.ts";
import { createReloadRecord, type ReloadState } from "./reload/reload-record.ts";
import { startedWith } from "./reload/restart-needed.ts";
import { createWatching } from "./reload/watching.ts";

/** Which configuration a running gateway keeps to. */
export interface ReloadSource extends LoadOptions {
  /** The file that the configuration was loaded from. */
  readonly file: string;
  /**
   * When that load began, in milliseconds since the epoch: what was changed since then is read
   * again. Default: nothing was.
   */
  readonly loadedAt?: number;
}

export interface ReloadParts extends ReloadSource {
  /** The configuration in force, as it was loaded. */
  readonly config: Config;
  /** Puts another one in force; what it throws leaves the old one there. */
  readonly take: (config: Config) => void;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Told how every reload ended that was decided: in force, or refused. */
  readonly decided?: (outcome: ReloadOutcome) => void;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Milliseconds. Default: {@link quietPeriod} and {@link lookEvery}. */
  readonly timing?: { readonly quiet: number; readonly look: number };
}

/** How a reload ended. */
export type ReloadOutcome =
  | {
      readonly kind: "taken";
      readonly config: Config;
      readonly found: readonly Diagnostic[];
      readonly milliseconds: number;
    }
  | { readonly kind: "refused"; readonly found: readonly Diagnostic[] };

export interface Reloader {
  /**
   * Reads everything again now, changed or not. Resolves when it is in force or refused, or when
   * somebody was found still changing it; never rejects.
   */
  reload(): Promise<void>;
  state(everything: boolean): ReloadState;
  close(): Promise<void>;
}

/**
 * Nobody may have changed anything for so long before it is read, in milliseconds: who copies a
 * folder needs some time.
 */
export const quietPeriod = 200;

/** How often the files are looked at although nobody told of a change, in milliseconds. */
export const lookEvery = 2000;

/** Files are stamped with the time of the system's last tick, up to so many milliseconds ago. */
const tick = 10;

/**
 * Keeps a running gateway to its files: they are watched, looked at every two seconds (watches stay
 * silent on network and bind mounts), and read when `reload` is called. All of them are loaded and
 * validated as one and put in force as one, or not at all; then the last good configuration stays.
 * Files that change while they are read are read again.
 *
 * @example
 * const reloader = startReload({ file, config, take: (next) => gateway.swap(next), log, metrics,
 * now: Date.now }); process.on("SIGHUP", () => void reloader.reload());
 */
export function startReload(parts: ReloadParts): Reloader {
  const {
    file,
    loadedAt,
    config,
    take,
    log,
    metrics,
    now,
    timing,
    decided: _,
    ...loadOptions
  } = parts;
  const quiet = timing?.quiet ?? quietPeriod;
  const every = timing?.look ?? lookEvery;
  const loader = createConfigLoader(resolve(file), loadOptions, startedWith(config));
  const record = createReloadRecord({ log, metrics, now, config });
  const lookAt = createContentHash(now);
  const watching = createWatching(settleSoon, (reason) =>
    log("info", "watch-unavailable", { reason, instead: `looking every ${every} ms` }),
  );

  let sources = config.sources;
  /** The content that was decided on, taken over or refused; null: something has changed since. */
  let decided: string | null = null;
  /**
   * Content that no watch has told of: it counts once two looks in a row, a quiet period apart,
   * have found it.
   */
  let candidate: string | null = null;
  let settling: NodeJS.Timeout | undefined;
  let looking: NodeJS.Timeout | undefined;
  let closed = false;
  let queue: Promise<void> = Promise.resolve();

  void enqueue(begin);

  return {
    reload() {
      clearTimeout(settling);
      return enqueue(async () => read(await look()));
    },
    state: (everything) => record.state(everything),
    async close() {
      closed = true;
      clearTimeout(settling);
      clearTimeout(looking);
      watching.close();
      await loader.close();
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
    } catch (error) {
      if (!closed) record.broke(error);
    }
  }

  async function begin(): Promise<void> {
    // A look takes a while: the times that belong to what the first one read are only sure to be in
    // the second.
    const first = await look();
    const { hash, newest } = await look();
    const changed = first.hash !== hash || newest > (loadedAt ?? Infinity) - tick;
    if (changed) settleSoon();
    else decided = hash;
    lookLater(0);
  }

  async function look(): Promise<Seen> {
    const seen = await lookAt(sources);
    if (!closed && watching.follow(sources, seen.directories)) settleSoon();
    return seen;
  }

  function settleSoon(): void {
    clearTimeout(settling);
    if (closed) return;
    settling = setTimeout(() => void enqueue(settle), quiet);
    settling.unref();
  }

  /**
   * Ten thousand files take a while to look at; that must not become all that this process does.
   */
  function lookLater(took: number): void {
    if (closed) return;
    looking = setTimeout(() => void enqueue(lookAgain), Math.max(every, took * 20));
    looking.unref();
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
    const seen = await look();
    if (seen.hash === decided) candidate = null;
    else if (candidate === null || candidate === seen.hash) await read(seen);
    else {
      candidate = seen.hash;
      settleSoon();
    }
  }

  async function read(seen: Seen): Promise<void> {
    candidate = null;
    decided = seen.hash;
    const start = performance.now();
    const loaded = await loader.load();
    // A refused load may not have come as far as the messages.
    sources = loaded.config === null ? union(sources, loaded.sources) : loaded.sources;
    const after = await look();
    if (closed) return;
    if (after.hash !== seen.hash) {
      // Half of it may be old: nobody gets to see that.
      decided = null;
      candidate = after.hash;
      settleSoon();
    } else if (loaded.config === null) {
      record.refused(loaded.diagnostics);
      parts.decided?.({ kind: "refused", found: loaded.diagnostics });
    } else {
      take(loaded.config);
      const milliseconds = performance.now() - start;
      record.taken(loaded.config, loaded.diagnostics, milliseconds);
      const { config: next, diagnostics: found } = loaded;
      parts.decided?.({ kind: "taken", config: next, found, milliseconds });
    }
  }
}

function union(a: readonly string[], b: readonly string[]): readonly string[] {
  return [...new Set([...a, ...b])];
}
