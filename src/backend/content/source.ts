import type { Diagnostic } from "../../config/diagnostic.ts";
import type { Environment } from "../../config/environment.ts";
import { compileAside } from "./compile-aside.ts";
import { compileContent } from "./compile-content.ts";
import { stampOf } from "./directory-stamp.ts";
import { contentInvalid } from "./parse.ts";
import { type DirectoryTexts, readDirectory, textsDirectory } from "./read-directory.ts";
import type { ContentStore, StoredContents } from "../storage/types.ts";
import type { Content } from "./types.ts";
import { watchDirectories } from "./watch-directories.ts";

export interface ContentSourceOptions {
  /** Directory of contents and engine texts, such as `config/backend`. */
  readonly directory: string;
  /** Contents of a database; one with the id of a content in a file takes its place. */
  readonly store?: Pick<ContentStore, "revision" | "all">;
  /** What `${NAME}` reads in the webhook of a form; the process's environment unless given. */
  readonly environment?: Environment;
  /**
   * Told once of every content that was refused, and of every kind of failure to look. Default:
   * nobody.
   */
  readonly refused?: (refusal: ContentRefusal) => void;
  /** Told when other content is in force, or the same again after a refusal. Default: nobody. */
  readonly taken?: (news: ContentTaken) => void;
  /** Milliseconds since the epoch. Default: the system's clock. */
  readonly now?: () => number;
  /** Milliseconds. Default: 200 without a change before content is read, and a look every 2000. */
  readonly timing?: { readonly quiet: number; readonly look: number };
}

/** Why the last good content stays in force. */
export interface ContentRefusal {
  /** What is wrong with the content; empty when it could not be looked at. */
  readonly diagnostics: readonly Diagnostic[];
  /** Why it could not be looked at, such as a database that does not answer; null when it was. */
  readonly error: unknown;
}

/** What is in force now. */
export interface ContentTaken {
  /** Contents in all languages together. */
  readonly contents: number;
  /** True when something was refused before. */
  readonly mended: boolean;
}

/** Where the engine gets its content from. */
export interface ContentSource {
  /** What is in force: always whole and valid. */
  current(): Content;
  /** Calls the listener for every other content from now on. What comes back ends that. */
  onChange(listener: (content: Content) => void): () => void;
  /** What is wrong with what lies there now; empty when it is in force. */
  diagnostics(): readonly Diagnostic[];
  /**
   * Looks at once. Resolves when what was found is in force, refused, or the same as before; never
   * rejects.
   */
  reload(): Promise<void>;
  /** Ends watching; `current` goes on answering. */
  close(): Promise<void>;
}

/**
 * Loads a content directory, and a database's contents over it, and keeps to both: the directory is
 * watched and looked at every two seconds, the database asked for its revision. What has changed
 * and stayed so for a quiet period is validated as one and put in force as one, or refused; then
 * the last good content stays. Throws `content-invalid` when there is none to begin with.
 *
 * @example
 * const source = await createContentSource({ directory: "config/backend" });
 * source.onChange((content) => rebuild(content));
 */
export async function createContentSource(options: ContentSourceOptions): Promise<ContentSource> {
  const { directory, store, environment = process.env, now = Date.now } = options;
  const { quiet, look } = options.timing ?? { quiet: 200, look: 2000 };
  const directories = [directory, textsDirectory(directory)];
  const watching = watchDirectories(directories, settleSoon);
  const listeners = new Set<(content: Content) => void>();
  let settling: NodeJS.Timeout | undefined;
  const closing = new AbortController();
  let queue: Promise<void> = Promise.resolve();
  let failure: string | null = null;
  let busy = false;
  /** Something was refused, or could not be looked at, and nobody was told that it is over. */
  let troubled = false;

  let stored: StoredContents | null = null;
  let read: { readonly stamp: string; readonly files: DirectoryTexts } | null = null;
  const first = await seeAll().catch((error: unknown) => {
    watching.close();
    throw error;
  });
  const { content: begun, diagnostics: faults } = compileContent({ ...first, environment });
  if (begun === null) {
    watching.close();
    throw contentInvalid(faults);
  }
  let content: Content = begun;
  let diagnostics = faults;
  /** Whether what was decided on is in force. */
  let valid = true;
  /** What was decided on, taken over or refused. */
  let decided = first.hash;
  /**
   * What the last look found, when it was something new: it counts once two looks, a quiet period
   * apart, agree on it.
   */
  let candidate: string | null = null;
  // A look that would wait for another one is not needed.
  const looking = setInterval(() => void (busy || enqueue(settle)), look).unref();

  return {
    current: () => content,
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    diagnostics: () => diagnostics,
    reload: () => enqueue(async () => decide(await seeAll())),
    async close() {
      closing.abort();
      clearInterval(looking);
      clearTimeout(settling);
      watching.close();
      listeners.clear();
      await queue;
    },
  };

  /** One thing at a time: looks never overlap. */
  function enqueue(work: () => Promise<void>): Promise<void> {
    queue = queue.then(() => attempt(work));
    return queue;
  }

  async function attempt(work: () => Promise<void>): Promise<void> {
    if (closing.signal.aborted) return;
    busy = true;
    try {
      await work();
      const back = failure !== null && troubled && valid;
      failure = null;
      if (back) takeOver();
    } catch (error) {
      // A database that is away for an hour is no news every two seconds.
      if (failure !== String(error)) refuse({ diagnostics: [], error });
      failure = String(error);
    } finally {
      busy = false;
    }
  }

  function settleSoon(): void {
    clearTimeout(settling);
    if (!closing.signal.aborted) settling = setTimeout(() => void enqueue(settle), quiet).unref();
  }

  async function settle(): Promise<void> {
    const seen = await seeAll();
    if (seen.hash === decided) candidate = null;
    else if (seen.hash === candidate) await decide(seen);
    else {
      candidate = seen.hash;
      settleSoon();
    }
  }

  async function decide(seen: SeenContent): Promise<void> {
    candidate = null;
    if (seen.hash === decided) return;
    // What breaks the thread would break it again: it waits for the next change.
    decided = seen.hash;
    const compiled = await compileAside({ ...seen, environment }, closing.signal);
    if (closing.signal.aborted) return;
    diagnostics = compiled.diagnostics;
    valid = compiled.content !== null;
    if (compiled.content === null) return refuse({ diagnostics, error: null });
    content = compiled.content;
    takeOver();
    for (const listener of listeners) tell(listener, content);
  }

  function tell(listener: (content: Content) => void, news: Content): void {
    try {
      listener(news);
    } catch (error) {
      // The others are told all the same.
      refuse({ diagnostics: [], error });
    }
  }

  function refuse(refusal: ContentRefusal): void {
    troubled = true;
    options.refused?.(refusal);
  }

  function takeOver(): void {
    const all = Array.from(content.languages.values(), ({ items }) => items.length);
    options.taken?.({ contents: all.reduce((sum, count) => sum + count, 0), mended: troubled });
    troubled = false;
  }

  async function seeAll(): Promise<SeenContent> {
    const files = await seeFiles();
    if (store === undefined) return { files, stored: null, hash: files.hash };
    if (stored?.revision !== (await store.revision())) stored = await store.all();
    return { files, stored, hash: `${files.hash} ${stored.revision}` };
  }

  async function seeFiles(): Promise<DirectoryTexts> {
    // Before the look: what changes from then on is noticed.
    watching.refresh();
    const { stamp, newest } = await stampOf(directories);
    if (read?.stamp === stamp) return read.files;
    const files = readDirectory(directory);
    // On file systems that count whole seconds, a change right after this one would leave the same
    // stamp.
    read = now() - newest > COARSEST_CLOCK ? { stamp, files } : null;
    return files;
  }
}

/** In milliseconds. */
const COARSEST_CLOCK = 2000;

interface SeenContent {
  readonly files: DirectoryTexts;
  readonly stored: StoredContents | null;
  readonly hash: string;
}
