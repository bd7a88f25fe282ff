import { dirname, join, resolve } from "node:path";
import { createConsole, refusesMethod, sendResponse } from "../../gateway/console/console.ts";
import { refused, value } from "../../gateway/console/answer.ts";
import type { ExportWish } from "../../gateway/console/files.ts";
import type { Environment } from "../../config/load/environment.ts";
import type { LabelledToken } from "../../gateway/admin.ts";
import type { Console, Core } from "../../gateway/core.ts";
import { fieldOf } from "../../gateway/headers.ts";
import { notFound, type Standing } from "../../gateway/own-routes.ts";
import type { ReloadState } from "./reload/reload-record.ts";
import type { ReloadSource } from "./reload/reload.ts";
import { docsRoutes } from "../../backend/docs/routes.ts";
import { loadServedPage } from "../../backend/pages/load-page.ts";
import { servePage } from "../../pages/served-page.ts";
import { createEditing } from "./console/editing.ts";
import { type ConsoleDatabase, CONSOLE_FILE, openConsoleDatabase } from "./console/store.ts";
import { createTextReader } from "./console/text-files.ts";
import { createTranslations } from "./console/translations.ts";

export interface OpenConsole extends Console {
  close(): Promise<void>;
}

export interface OpenConsoleParts {
  readonly core: Core;
  readonly standing: Standing;
  readonly tokens: () => readonly LabelledToken[];
  readonly env: Environment;
  /** Which files the configuration came from; null: nobody knows. */
  readonly source: {
    readonly files: ReloadSource;
    /** Has them read anew, or gives who does some time; null: nobody keeps to them. */
    readonly look: () => Promise<ReloadState | null>;
  } | null;
  /** Sends a request through the gateway, as a client would. */
  readonly send: (request: Request) => Promise<Response>;
  /** Where the process keeps its files. */
  readonly data: string;
}

/** The console on Node and Bun, which reads and writes the files that the gateway keeps to. */
export function openConsole(parts: OpenConsoleParts): OpenConsole {
  const { core, standing, tokens, env, source, data, send } = parts;
  const opened = source === null ? null : openFiles(source, { core, env, data });
  const page = servePage("console", () => loadServedPage("console"));
  const made = createConsole({ core, standing, tokens, files: opened?.files ?? null, send, page });
  const reference = docsRoutes({ version: standing.version, vendor: true });
  return {
    answer: (request, name) => made.answer(request, name),
    async docs({ exchange, target }) {
      if (refusesMethod(exchange)) return;
      const headers = new Headers();
      for (const name of ["accept-encoding", "if-none-match"]) {
        headers.set(name, fieldOf(exchange.headers, name) ?? "");
      }
      const path = target.kind === "home" ? target.rest : "/";
      const answer = await reference.request(path, { headers });
      if (answer.status === 404) notFound(exchange);
      else await sendResponse(exchange, answer);
    },
    close: async () => opened?.close(),
  };
}

/** How long files may take until they are in force, in milliseconds. */
const patience = 5000;

function openFiles(
  { files: { file, ...options }, look }: NonNullable<OpenConsoleParts["source"]>,
  { core, env, data }: Pick<OpenConsoleParts, "core" | "env" | "data">,
) {
  const path = resolve(file);
  const reader = createTextReader(path, { ...options, env });
  const translations = createTranslations(path, { ...options, env });
  let database: Promise<ConsoleDatabase> | null = null;
  const editing = createEditing({
    folder: dirname(path),
    reader,
    translations,
    database() {
      // What failed may be mended by now.
      database ??= openConsoleDatabase(join(data, CONSOLE_FILE)).catch((error: unknown) => {
        database = null;
        throw error;
      });
      return database;
    },
    async takeOver(wanted) {
      const until = wanted === null ? 0 : core.platform.now() + patience;
      let read = await look();
      // Files that come or go are looked at twice; and somebody may be changing others.
      while (core.platform.now() < until) {
        if (read?.state === "ok" && read.snapshot === wanted) break;
        read = await look();
      }
      if (read?.state === "ok") return { snapshot: core.snapshot().config.hash };
      const [first] = read?.diagnostics ?? [];
      const why = first === undefined ? "the log says why" : `${first.file}:${first.line}`;
      return { snapshot: null, why: `${why}${first?.message ? `: ${first.message}` : ""}` };
    },
    now: () => core.platform.now(),
  });
  return {
    files: {
      read: () => reader.read(),
      editing,
      async exported(wish: ExportWish) {
        const made = await translations.exported(wish);
        if (made.kind !== "exported") return refused(422, made.kind === "refused" ? made.why : "");
        return value({ text: made.text });
      },
    },
    async close() {
      await Promise.all([reader.close(), translations.close()]);
      await (await database?.catch(() => null))?.close();
    },
  };
}
