import { createHash, randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, open, readdir, realpath, rename, rm, rmdir, stat, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/** A file with its new text. */
export interface FileContent {
  readonly file: string;
  readonly text: string;
}

export interface WriteFault {
  /** The system's: `EACCES`. */
  readonly code: string;
  readonly file: string;
  /** The file, the reason, and the remedy. */
  readonly message: string;
}

/**
 * Replaces whole files, or removes those whose text is null. All drafts are written and flushed
 * beside their targets before the first is renamed, so a reader sees the old or the new text, never
 * a part. Symbolic links and permissions stay. If a step fails, files and folders that did not exist
 * before are deleted again. Drafts of a process that was killed go with the next write into their
 * folder. Resolves with the fault, or null.
 */
export async function writeFiles(
  files: readonly { readonly file: string; readonly text: string | null }[],
): Promise<WriteFault | null> {
  const drafts: { readonly draft: string | null; readonly target: string }[] = [];
  const created: string[] = [];
  const folders: string[] = [];
  let current = "";
  try {
    for (const { file, text } of files) {
      current = file;
      if (text === null) {
        drafts.push({ draft: null, target: file });
        continue;
      }
      folders.push(...(await makeFolder(dirname(file))));
      const target = await realpath(file).catch(() => file);
      const name = `.${basename(target)}.${randomBytes(6).toString("hex")}`;
      const draft = join(dirname(target), name);
      drafts.push({ draft, target });
      await writeDraft(draft, text, await modeOf(target));
    }
    for (const { draft, target } of drafts) {
      current = target;
      const isNew = draft !== null && !existsSync(target);
      await (draft === null ? rm(target, { force: true }) : rename(draft, target));
      if (isNew) created.push(target);
    }
    const changed = new Set(drafts.map(({ target }) => dirname(target)));
    for (const folder of changed) {
      await flushFolder(folder);
      await removeDrafts(folder, isAnyDraft, Date.now() - ABANDONED_AFTER);
    }
    return null;
  } catch (error) {
    for (const { draft } of drafts) {
      if (draft !== null) await unlink(draft).catch(() => undefined);
    }
    for (const file of created) await unlink(file).catch(() => undefined);
    // A folder into which another process has put a file by now is kept.
    for (const folder of folders.toReversed()) await rmdir(folder).catch(() => undefined);
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    const cure = CURES.get(code) ?? "";
    const why = cure === "" ? "" : `: ${cure}`;
    return { code, file: current, message: `${current} can't be written (${code})${why}` };
  }
}

const CURES: ReadonlyMap<string, string> = new Map([
  ["EACCES", "let this user write into its folder, or name another one"],
  ["EPERM", "let this user write into its folder, or name another one"],
  ["EROFS", "the file system is read-only, name a folder elsewhere"],
  ["ENOSPC", "the disk is full"],
  ["ENOTDIR", "a part of its path is a file, name another folder"],
  ["EEXIST", "a part of its path is a file, name another folder"],
  ["EISDIR", "there is a folder of that name"],
]);

/** Makes a folder and those above it, and returns the new ones, the outermost first. */
async function makeFolder(folder: string): Promise<readonly string[]> {
  const outermost = await mkdir(folder, { recursive: true });
  if (outermost === undefined) return [];
  const made = [folder];
  for (let one = folder; one !== outermost; one = dirname(one)) made.unshift(dirname(one));
  return made;
}

async function writeDraft(draft: string, text: string, mode: number): Promise<void> {
  const handle = await open(draft, "wx", mode);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Removes drafts of a file that were not moved to it, whatever their age. */
export async function removeDraftsOf(file: string): Promise<void> {
  const start = `.${basename(file)}.`;
  await removeDrafts(dirname(file), (name) => name.startsWith(start) && isAnyDraft(name), Infinity);
}

/** @param before milliseconds since the epoch: drafts that were written later stay */
async function removeDrafts(
  folder: string,
  isDraft: (name: string) => boolean,
  before: number,
): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter(isDraft)) {
    const draft = join(folder, name);
    const facts = await stat(draft).catch(() => null);
    if (facts !== null && facts.mtimeMs < before) await rm(draft, { force: true }).catch(ignore);
  }
}

function isAnyDraft(name: string): boolean {
  return /^\..+\.(?:ya?ml|json|csv|xlf|xliff)\.[0-9a-f]{12}$/iu.test(name);
}

function ignore(): void {
  // The next write tries again.
}

/** Milliseconds after which nobody is still writing a draft. */
const ABANDONED_AFTER = 60_000;

/** Flushes a rename, which a power cut could undo. Some systems cannot flush folders. */
async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r").catch(() => null);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}

async function modeOf(file: string): Promise<number> {
  const facts = await stat(file).catch(() => null);
  return facts === null ? 0o644 : facts.mode & 0o777;
}

/**
 * A file's text as it is compared and restored, with its byte order mark; null if there is none.
 */
export function textOf(file: string): string | null {
  return existsSync(file) ? readFileSync(file, "utf8") : null;
}

/** SHA-256, hexadecimal. */
export function hashOf(text: string | null): string | null {
  return text === null ? null : createHash("sha256").update(text).digest("hex");
}
