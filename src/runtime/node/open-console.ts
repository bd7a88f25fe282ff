import { dirname, join, resolve } from "node:path";
import { createConsole } from "../../gateway/console/console.ts";
import type { Environment } from "../../config/load/environment.ts";
import type { LabelledToken } from "../../gateway/admin.ts";
import type { Console, Core } from "../../gateway/core.ts";
import type { Standing } from "../../gateway/own-routes.ts";
import type { Reloader, ReloadSource } from "./reload/reload.ts";
import { loadServedPage } from "../../backend/pages/load-page.ts";
import { servePage } from "../../pages/served-page.ts";
import { createEditing } from "./console/editing.ts";
import { type ConsoleDatabase, CONSOLE_FILE, openConsoleDatabase } from "./console/store.ts";
import { createTextReader } from "./console/text-files.ts";

export interface OpenConsole extends Console {
  close(): Promise<void>;
}

export interface OpenConsoleParts {
  readonly core: Core;
  readonly standing: Standing;
  readonly tokens: readonly LabelledToken[];
  readonly env: Environment;
  /** Which files the configuration came from, and who keeps to them; null: nobody does. */
  readonly source: { readonly files: ReloadSource; readonly reloader: Reloader } | null;
  /** Where the process keeps its files. */
  readonly data: string;
}

/** The console on Node, which reads and writes the files that the gateway keeps to. */
export function openConsole(parts: OpenConsoleParts): OpenConsole {
  const { core, standing, tokens, env, source, data } = parts;
  const opened = source === null ? null : openFiles(source, { core, env, data });
  const page = servePage("console", () => loadServedPage("console"));
  const made = createConsole({ core, standing, tokens, files: opened?.files ?? null, page });
  return {
    answer: (exchange, name) => made.answer(exchange, name),
    close: async () => opened?.close(),
  };
}

const mostReloads = 5;

function openFiles(
  { files: { file, ...options }, reloader }: NonNullable<OpenConsoleParts["source"]>,
  { core, env, data }: Pick<OpenConsoleParts, "core" | "env" | "data">,
) {
  const path = resolve(file);
  const reader = createTextReader(path, { ...options, env });
  let database: Promise<ConsoleDatabase> | null = null;
  const editing = createEditing({
    folder: dirname(path),
    reader,
    database() {
      // What failed may be mended by now.
      database ??= openConsoleDatabase(join(data, CONSOLE_FILE)).catch((error: unknown) => {
        database = null;
        throw error;
      });
      return database;
    },
    async takeOver(wanted) {
      let read = reloader.state(true);
      // Files that come or go make a reload look twice; and somebody may be changing others.
      for (let attempt = 0; attempt < mostReloads; attempt++) {
        await reloader.reload();
        read = reloader.state(true);
        if (read.state === "ok" && read.snapshot === wanted) break;
      }
      if (read.state === "ok") return { snapshot: core.snapshot().config.hash };
      const [first] = read.diagnostics;
      const why = first === undefined ? "the log says why" : `${first.file}:${first.line}`;
      return { snapshot: null, why: `${why}${first?.message ? `: ${first.message}` : ""}` };
    },
    now: () => core.platform.now(),
  });
  return {
    files: { read: () => reader.read(), editing },
    async close() {
      await reader.close();
      await (await database?.catch(() => null))?.close();
    },
  };
}
