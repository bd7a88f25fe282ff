import type { Diagnostic } from "../../yaml/diagnostic.ts";
import type { Environment } from "../../yaml/source.ts";
import { type ReloadTiming, startHotReload } from "../../config/reload/hot-reload.ts";
import { compileContent, type ContentToCompile, compileInThread } from "./content-thread.ts";
import { createContentError, type ReadContent } from "./parse.ts";
import { readDirectory, toTextsDirectory } from "./read-directory.ts";
import type { ContentStore, StoredContents } from "../storage/types.ts";
import type { Content } from "./types.ts";
import { pause } from "../../wait.ts";

export interface ContentSourceOptions {
  /** Directory of contents and engine texts, such as `config/backend`. */
  readonly directory: string;
  /** Contents of a database. They replace contents of files with the same id. */
  readonly store?: Pick<ContentStore, "revision" | "all">;
  /** The environment for `${NAME}` in the webhooks of forms. Default: the process's. */
  readonly environment?: Environment;
  /** Called once for each refused content, and once for each reason of failed reads. */
  readonly refused?: ((refusal: ContentRefusal) => void) | undefined;
  /**
   * Called when content comes into force: new content, or the last valid one after a refusal.
   */
  readonly taken?: ((news: ContentTaken) => void) | undefined;
  /** Milliseconds since the epoch. Default: the system's clock. */
  readonly now?: () => number;
  readonly timing?: ReloadTiming;
}

/** Why the last valid content stays in force. */
export interface ContentRefusal {
  /** The content's diagnostics; empty if it could not be read. */
  readonly diagnostics: readonly Diagnostic[];
  /** Why it could not be read, such as a database that does not answer; null if it was read. */
  readonly error: unknown;
}

/** The content that is in force now. */
export interface ContentTaken {
  /** How many contents all languages have together. */
  readonly contents: number;
  /** True if content was refused or could not be read before. */
  readonly mended: boolean;
}

/** A source of the engine's content. */
export interface ContentSource {
  /** The content in force, which is complete and valid. */
  current(): Content;
  /**
   * Calls the listener for every new content, until the returned function is called. A listener may
   * return a promise that resolves when it uses the content.
   */
  onChange(listener: (content: Content) => unknown): () => void;
  /** Returns the diagnostics of the latest content, in force or refused. */
  diagnostics(): readonly Diagnostic[];
  /** Reads now. Resolves when the content is in force, refused or unchanged; never rejects. */
  reload(): Promise<void>;
  /**
   * Reads the files until those of this hash are in use. Resolves with null, or with why they are
   * not; never rejects.
   *
   * @param hash the `hash` of {@link DirectoryTexts}; null accepts the present files
   */
  bringIn(hash: string | null): Promise<string | null>;
  /** Stops following the files. `current` still answers. */
  close(): Promise<void>;
}

/**
 * Loads a content directory and the contents of a database, and follows their changes with
 * {@link startHotReload}, polling the database for its revision. All contents come into force
 * together. If they are invalid, the last valid content stays. Throws `content-invalid` if the
 * first content is invalid.
 *
 * @example
 * const source = await createContentSource({ directory: "config/backend" });
 * source.onChange((content) => rebuild(content));
 */
export async function createContentSource(options: ContentSourceOptions): Promise<ContentSource> {
  const { directory, store, now = Date.now, timing } = options;
  const read = createReader(options);
  const listeners = new Set<(content: Content) => unknown>();
  /** Resolves after all listeners use the content in force. */
  let used: Promise<unknown> = Promise.resolve();
  const reports = createReports(options);

  const at = now();
  const first = await read();
  const { content: initial, diagnostics: findings } = compileContent(first);
  if (initial === null) throw createContentError(findings);
  let content: Content = initial;
  let diagnostics = findings;
  /** The key of the state that was accepted or refused last. */
  let decided = keyOf(first);
  /** Why that state is not in force; null if it is. */
  let refusal: string | null = null;

  const hotReload = startHotReload<{ readonly key: string; readonly read: ReadContent } | null>({
    sources: () => [directory, toTextsDirectory(directory)],
    ...(store !== undefined && { revision: async () => String(await store.revision()) }),
    async load() {
      const found = await read();
      const key = keyOf(found);
      if (key === decided) return null;
      try {
        return { key, read: await compileInThread(found) };
      } catch (error) {
        // A content that crashed the thread would crash it again, so it is not retried.
        decided = key;
        refusal = error instanceof Error ? error.message : String(error);
        throw error;
      }
    },
    decide(loaded) {
      if (loaded === null) return;
      decided = loaded.key;
      decide(loaded.read);
    },
    failed: (error) => reports.failed(error),
    worked: () => reports.worked(refusal === null ? content : null),
    loaded: { at, ...(first.stored !== null && { revision: String(first.stored.revision) }) },
    now,
    timing,
  });

  return {
    current: () => content,
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    diagnostics: () => diagnostics,
    reload: () => hotReload.reload(),
    bringIn: (hash) =>
      bringIn(hash, async () => {
        await hotReload.reload();
        return { decided, refusal, used };
      }),
    async close() {
      listeners.clear();
      await hotReload.close();
    },
  };

  function decide(loaded: ReadContent): void {
    ({ diagnostics } = loaded);
    if (loaded.content === null) {
      refusal = createContentError(diagnostics).message;
      return reports.refuse({ diagnostics, error: null });
    }
    refusal = null;
    ({ content } = loaded);
    reports.take(content);
    used = callAll([...listeners], content, (error) => reports.refuse({ diagnostics: [], error }));
  }
}

/** How long `bringIn` waits while files are still changing, in milliseconds. */
const maxWait = 20_000;
const pollInterval = 50;

/** Creates the function that reads the files, and the database if its contents have changed. */
function createReader({ directory, store, environment = process.env }: ContentSourceOptions) {
  let stored: StoredContents | null = null;
  return async (): Promise<ContentToCompile> => {
    if (store !== undefined && stored?.revision !== (await store.revision())) {
      stored = await store.all();
    }
    // `process.env` is not a plain object, so only a copy can be sent to a thread.
    return { files: readDirectory(directory), stored, environment: { ...environment } };
  };
}

/** Reads until files of this hash are in use. Resolves with null, or with the reason why not. */
async function bringIn(
  hash: string | null,
  reload: () => Promise<{
    readonly decided: string;
    readonly refusal: string | null;
    readonly used: Promise<unknown>;
  }>,
): Promise<string | null> {
  const until = performance.now() + maxWait;
  for (;;) {
    const { decided, refusal, used } = await reload();
    if (hash === null || decided.startsWith(`${hash} `)) {
      if (refusal === null) await used;
      return refusal;
    }
    if (performance.now() > until) return "the files have changed again meanwhile";
    await pause(pollInterval);
  }
}

/** Calls the listeners. Resolves after all of them use the content. */
async function callAll(
  listeners: readonly ((content: Content) => unknown)[],
  content: Content,
  failed: (error: unknown) => void,
): Promise<void> {
  const calls = listeners.map(async (listener) => listener(content));
  // If one listener fails, the others still get the content.
  for (const one of await Promise.allSettled(calls)) {
    if (one.status === "rejected") failed(one.reason);
  }
}

/** Creates the reports of refusals, each once, and of content that is in force again. */
function createReports({ refused, taken }: Pick<ContentSourceOptions, "refused" | "taken">) {
  let failure: string | null = null;
  /** True from a refusal or a failed read until its end is reported. */
  let isTroubled = false;

  return {
    refuse,
    take,
    /** The content could not be read. */
    failed(error: unknown): void {
      // A database that is down for an hour is not reported every two seconds.
      if (failure !== String(error)) refuse({ diagnostics: [], error });
      failure = String(error);
    },
    /** @param content in force; null if it is refused */
    worked(content: Content | null): void {
      const isBack = failure !== null && isTroubled;
      failure = null;
      if (isBack && content !== null) take(content);
    },
  };

  function refuse(refusal: ContentRefusal): void {
    isTroubled = true;
    refused?.(refusal);
  }

  function take({ languages }: Content): void {
    const all = Array.from(languages.values(), ({ items }) => items.length);
    taken?.({ contents: all.reduce((sum, count) => sum + count, 0), mended: isTroubled });
    isTroubled = false;
  }
}

function keyOf({ files, stored }: ContentToCompile): string {
  return `${files.hash} ${stored?.revision ?? ""}`;
}
