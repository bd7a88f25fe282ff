import { randomBytes } from "node:crypto";
import { chmod, link, mkdir, open, readFile, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import { AfterwordError } from "../../../errors.ts";
import { pause } from "../../../wait.ts";

/** Keys that are configured, or are created at the first start. */
interface KeyKind {
  readonly variable: string;
  /** File in the data directory. */
  readonly name: string;
  /** The least number of bytes of a key. */
  readonly least: number;
}

/** The keys of signed routes, whose HMAC is cut to 16 bytes. */
export const ROUTE_KEYS: KeyKind = {
  variable: "AFTERWORD_ROUTE_KEYS",
  name: "route-key",
  least: 16,
};

/** The keys of the backend's access tokens. */
export const TOKEN_KEYS: KeyKind = {
  variable: "AFTERWORD_TOKEN_KEYS",
  name: "token-key",
  least: 32,
};

/**
 * Keys out of a variable (a comma list), else out of a file in the data directory (one per line),
 * which is created with one and shared by every process that uses it. The first signs, all verify.
 * A key's bytes are its text in UTF-8.
 *
 * @throws AfterwordError `argument-invalid` when a key is too short, `data-directory-unusable`
 */
export async function loadKeys(
  { variable, name, least }: KeyKind,
  env: Readonly<Record<string, string | undefined>>,
  directory: string,
): Promise<readonly Uint8Array[]> {
  const given = textsOf(env[variable] ?? "", ",");
  const texts =
    given.length > 0 ? given : textsOf(await loadSecret(directory, name, createKey), "\n");
  const keys = texts.map((text) => new Uint8Array(Buffer.from(text)));
  if (keys.every((key) => key.length >= least)) return keys;
  throw new AfterwordError(
    "argument-invalid",
    `every key in ${given.length > 0 ? variable : join(directory, name)} needs at least ${least} characters`,
  );
}

function createKey(): string {
  return randomBytes(32).toString("base64url");
}

function textsOf(list: string, separator: string): readonly string[] {
  return list
    .split(separator)
    .map((text) => text.trim())
    .filter(Boolean);
}

/**
 * A secret text that lives in a file: read when it is there, else made and written once, with mode
 * 0600. However many processes start at the same time, all get the same one.
 *
 * @param name file name in the directory
 * @param make gives the secret; no line break in it
 * @throws AfterwordError `data-directory-unusable` with the path and what to do
 */
export async function loadSecret(
  directory: string,
  name: string,
  make: () => string,
): Promise<string> {
  const file = join(directory, name);
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    return (await readSecret(file)) ?? (await createSecret(file, make()));
  } catch (cause) {
    if (cause instanceof AfterwordError) throw cause;
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "unknown";
    const cure =
      code === "ENOSPC" || code === "EDQUOT"
        ? "the disk is full, so free some space"
        : `make ${directory} a directory that this process may write, or set data: in the configuration to one`;
    throw new AfterwordError(
      "data-directory-unusable",
      `${file} cannot be read or created (${code}): ${cure}`,
      { cause },
    );
  }
}

async function createSecret(file: string, secret: string): Promise<string> {
  const draft = `${file}.${process.pid}.${randomBytes(6).toString("hex")}`;
  try {
    await writeNew(draft, secret);
    // Unlike rename, link fails if another process was first, and the linked file is complete.
    await link(draft, file);
    return secret;
  } catch (error) {
    if (isCode(error, "EEXIST")) return await readExisting(file);
    // Some file systems do not support links.
    if (!isCode(error, "EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EXDEV")) throw error;
    return await writeOrRead(file, secret);
  } finally {
    await unlink(draft).catch(() => undefined);
  }
}

async function writeOrRead(file: string, secret: string): Promise<string> {
  try {
    await writeNew(file, secret);
    return secret;
  } catch (error) {
    if (isCode(error, "EEXIST")) return await readExisting(file);
    throw error;
  }
}

async function writeNew(file: string, secret: string): Promise<void> {
  const handle = await open(file, "wx", 0o600);
  try {
    await handle.writeFile(`${secret}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Null without a file. The final line break marks the text as complete, because another process may
 * be writing.
 */
async function readSecret(file: string): Promise<string | null> {
  for (let attempt = 0; attempt < 50; attempt++) {
    const text = await readFile(file, "utf8").catch((error: unknown) => {
      if (isCode(error, "ENOENT")) return null;
      throw error;
    });
    if (text === null) return null;
    if (text.endsWith("\n") && text.trim() !== "") {
      await closeToOthers(file);
      return text.trim();
    }
    await pause(20);
  }
  throw new AfterwordError(
    "data-directory-unusable",
    `${file} is empty or cut: delete it, and a new one is made at the next start`,
  );
}

async function readExisting(file: string): Promise<string> {
  const secret = await readSecret(file);
  if (secret !== null) return secret;
  throw new AfterwordError("data-directory-unusable", `${file} was deleted while it was read`);
}

async function closeToOthers(file: string): Promise<void> {
  const { mode } = await stat(file);
  if ((mode & 0o077) === 0) return;
  // A file of another owner (a mounted secret) keeps its permissions.
  await chmod(file, 0o600).catch(() => undefined);
}

function isCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && "code" in error && codes.includes(String(error.code));
}
