import { resolve } from "node:path";
import { createConsole } from "../../gateway/console/console.ts";
import type { Environment } from "../../config/load/environment.ts";
import type { LabelledToken } from "../../gateway/admin.ts";
import type { Console, Core } from "../../gateway/core.ts";
import type { Standing } from "../../gateway/own-routes.ts";
import type { ReloadSource } from "./reload/reload.ts";
import { loadServedPage } from "../../backend/pages/load-page.ts";
import { servePage } from "../../pages/served-page.ts";
import { createTextFiles } from "./console/text-files.ts";

export interface OpenConsole extends Console {
  close(): Promise<void>;
}

/** The console on Node, which reads the files that the gateway keeps to. */
export function openConsole({
  core,
  standing,
  tokens,
  env,
  source,
}: {
  readonly core: Core;
  readonly standing: Standing;
  readonly tokens: readonly LabelledToken[];
  readonly env: Environment;
  /** Null: nobody said which files the configuration came from. */
  readonly source: ReloadSource | null;
}): OpenConsole {
  const files = source === null ? null : createTextFiles(resolve(source.file), { ...source, env });
  const page = servePage("console", () => loadServedPage("console"));
  const made = createConsole({ core, standing, tokens, files, page });
  return {
    answer: (exchange, name) => made.answer(exchange, name),
    close: async () => files?.close(),
  };
}
