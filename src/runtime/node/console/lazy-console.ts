import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Console, Core } from "../../../gateway/core.ts";
import type { AppInfo } from "../../../gateway/own-routes.ts";
import type { OpenConsole, OpenConsoleParts } from "./open-console.ts";

/** A console that is loaded on first use, because no message needs it. */
export interface LazyConsole {
  readonly console: (core: Core, info: AppInfo) => Console;
  close(): Promise<void>;
}

export function createLazyConsole(
  parts: () => Omit<OpenConsoleParts, "core" | "info">,
): LazyConsole {
  let opened: Promise<OpenConsole> | null = null;
  return {
    console(core, info) {
      const open = (): Promise<OpenConsole> =>
        (opened ??= import("./open-console.ts").then(({ openConsole }) =>
          openConsole({ core, info, ...parts() }),
        ));
      return {
        answer: async (request, name) =>
          /^(?:api|console)(?:\/|$)/.test(name) && (await open()).answer(request, name),
        note: async (action, details) => (await open()).note?.(action, details),
        docs: async (request) => (await open()).docs(request),
        start: async (request) => (await open()).start(request),
      };
    },
    close: async () => (await opened)?.close(),
  };
}

/** Finishes publications of the console that a process left behind, and returns their number. */
export async function finishWriting(file: string, data: string): Promise<number> {
  const path = join(data, "console.db");
  if (!existsSync(path)) return 0;
  const { finishPublications } = await import("./publications.ts");
  return finishPublications(path, dirname(resolve(file)));
}
