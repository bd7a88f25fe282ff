import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { Hono } from "hono";
import { credentialsFrom } from "./auth/credentials.ts";
import type { CredentialEntry } from "./auth/credentials.ts";
import { DEMO_CREDENTIALS } from "./auth/demo.ts";
import { loadContent } from "./content/load.ts";
import { createBackend } from "./create-backend.ts";
import type { BackendOptions } from "./options.ts";
import type { PageFiles } from "./page/routes.ts";
import { DEMO_PROJECTS } from "./projects.ts";
import type { Project } from "./projects.ts";
import { memoryStorage } from "./storage/memory.ts";
import { sqliteStorage } from "./storage/sqlite.ts";

export interface OpenBackendOptions {
  /** Directory of contents and engine texts, such as `config/backend`. */
  readonly content: string;
  /** SQLite file, created with its directory when missing; null keeps conversations in memory. */
  readonly database: string | null;
  /** Secrets of at least 32 bytes; the first signs access tokens, all verify. Keep them over restarts. */
  readonly signingKeys: readonly Uint8Array[];
  /** True: the well-known demo credentials work. Only for a listener that nobody but this machine reaches. */
  readonly demo: boolean;
  /** Further credentials, such as generated ones. */
  readonly credentials?: readonly CredentialEntry[];
  /** Default: the two demo projects. `projectsFrom(config.instances)` for a gateway's. */
  readonly projects?: readonly Project[];
  /** See {@link BackendOptions.bases}. */
  readonly bases?: BackendOptions["bases"];
  readonly report?: BackendOptions["report"];
  readonly bodyLimit?: number;
  /** Milliseconds since the epoch; default the system's clock. */
  readonly now?: () => number;
}

/** A backend that is ready to answer. */
export interface OpenBackend {
  readonly app: Hono;
  /** Closes the database. Requests must have ended. */
  readonly close: () => Promise<void>;
}

/**
 * Loads contents and page, opens the database, and puts the backend together. Throws `content-invalid`,
 * `data-directory-unusable` or `argument-invalid`, each with what to do about it.
 *
 * @example
 * const backend = await openBackend({ content: "config/backend", database: null, signingKeys, demo: true });
 * serve({ fetch: backend.app.fetch, port: 8799, hostname: "127.0.0.1" });
 */
export async function openBackend(options: OpenBackendOptions): Promise<OpenBackend> {
  const { database, demo, bases, report, bodyLimit } = options;
  const [content, page] = await Promise.all([loadContent(options.content), loadPage()]);
  const storage = database === null ? memoryStorage() : openDatabase(database);
  const entries = [...(demo ? DEMO_CREDENTIALS : []), ...(options.credentials ?? [])];
  try {
    const app = createBackend({
      content,
      credentials: credentialsFrom(entries),
      projects: options.projects ?? DEMO_PROJECTS,
      signingKeys: options.signingKeys,
      storage,
      now: options.now ?? Date.now,
      random: (length) => Uint8Array.from(randomBytes(length)),
      page,
      demo,
      ...(bases !== undefined && { bases }),
      ...(report !== undefined && { report }),
      ...(bodyLimit !== undefined && { bodyLimit }),
    });
    return { app, close: () => storage.close() };
  } catch (error) {
    await storage.close();
    throw error;
  }
}

function openDatabase(file: string): ReturnType<typeof sqliteStorage> {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  } catch {
    // Opening the file fails next, and says why.
  }
  return sqliteStorage(file);
}

/** The page's files stand beside the code, in a checkout and in the built package. */
async function loadPage(): Promise<PageFiles> {
  const [html, css, js] = await Promise.all([
    readFile(new URL("./page/index.html", import.meta.url), "utf8"),
    readFile(new URL("./page/page.css", import.meta.url), "utf8"),
    readFile(new URL("./page/page.js", import.meta.url), "utf8"),
  ]);
  return { "index.html": html, "page.css": css, "page.js": js };
}
