import { randomBytes } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import {
  type AdminRule,
  type LabelledToken,
  readAdminToken,
  readLabelledTokens,
} from "../../../gateway/exchange/admin.ts";
import { AfterwordError, isAfterwordError } from "../../../errors.ts";
import type { Logger } from "../../../gateway/exchange/platform.ts";

/** The permission to use the admin routes, and the operator's notice about it. */
export interface AdminAccess {
  readonly rule: AdminRule;
  /** The token that was made for this start, or null. */
  readonly made: string | null;
}

/**
 * A configured token is the admin's. Without one, this start's token is, if only this machine can
 * reach the server. If others can reach it, there is no admin.
 *
 * @param given AFTERWORD_ADMIN_TOKEN
 * @param made the token of this start
 * @throws AfterwordError `argument-invalid` for a short token
 */
export function decideAdminAccess(
  given: string | undefined,
  exposed: boolean,
  made: string,
): AdminAccess {
  const token = readAdminToken(given);
  if (token !== null) return { rule: { token, opensLoopback: false }, made: null };
  if (exposed) return { rule: { token: null, opensLoopback: false }, made: null };
  return { rule: { token: made, opensLoopback: true }, made };
}

/** Creates the admin token of a start, for all its processes. */
export function makeAdminToken(): string {
  return randomBytes(24).toString("base64url");
}

/** Writes the lines of a start: where it listens, and how to use the token that was made for it. */
export function formatAnnouncement(url: string, adminToken: string | null): string {
  const listens = `Afterword listens on ${url}\n`;
  if (adminToken === null) return listens;
  return `${listens}Console: ${url}/_afterword/console#${adminToken}\nAdmin until the next start (AFTERWORD_ADMIN_TOKEN sets a token of your own): curl -H "Authorization: Bearer ${adminToken}" ${url}/_afterword/escalations\n`;
}

/**
 * The labelled tokens of AFTERWORD_ADMIN_TOKENS and of the file that AFTERWORD_ADMIN_TOKENS_FILE
 * names. The file is read again when it has changed; with mistakes, its last good tokens stay.
 *
 * @throws AfterwordError `argument-invalid`
 */
export function createLabelledTokens(
  env: Readonly<Record<string, string | undefined>>,
  log: Logger,
): () => readonly LabelledToken[] {
  const given = readLabelledTokens(env["AFTERWORD_ADMIN_TOKENS"]);
  const file = env["AFTERWORD_ADMIN_TOKENS_FILE"];
  if (!file) return () => given;
  let seen = stampOf(file);
  if (seen === "") {
    const message = `AFTERWORD_ADMIN_TOKENS_FILE: there is no file ${file}`;
    throw new AfterwordError("argument-invalid", message);
  }
  let tokens = read(file);
  warnIfReadable();
  return () => {
    const now = stampOf(file);
    if (now === seen) return tokens;
    seen = now;
    try {
      tokens = read(file);
      log("info", "admin-tokens-read", { file, count: tokens.length });
      warnIfReadable();
    } catch (error) {
      if (!isAfterwordError(error)) throw error;
      log("error", "admin-tokens-refused", { file, detail: error.message });
    }
    return tokens;
  };

  /** Hashes may be readable by anybody, but tokens must not be. */
  function warnIfReadable(): void {
    if (!file) return;
    const isPlain = tokens.some((one) => !one.hashed && !given.includes(one));
    const facts = statSync(file, { throwIfNoEntry: false });
    if (!isPlain || facts === undefined || (facts.mode & 0o044) === 0) return;
    const mode = (facts.mode & 0o777).toString(8);
    log("warn", "admin-tokens-readable", { file, mode, cure: "chmod 600, or write hashes" });
  }

  function read(path: string): readonly LabelledToken[] {
    const all = [...given, ...readLabelledTokens(textOf(path), path)];
    const twice = all.find(
      ({ label }, index) => all.findIndex((one) => one.label === label) < index,
    );
    if (twice === undefined) return all;
    throw new AfterwordError("argument-invalid", `${path} has the label ${twice.label} again`);
  }
}

/** Identifies one state of a file; empty if it does not exist. */
function stampOf(file: string): string {
  const found = statSync(file, { throwIfNoEntry: false });
  return found === undefined ? "" : `${found.mtimeMs} ${found.size} ${found.ino}`;
}

/** An operator who removes the file removes all its tokens. */
function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    if (stampOf(file) === "") return "";
    throw new AfterwordError("argument-invalid", `${file} cannot be read: ${why}`);
  }
}
