import { onTestFinished } from "vitest";
import { loadConfig, serve } from "../../../src/runtime/node/index.ts";
import { workspace, type Workspace } from "../../runtime/processes/processes.ts";

/** A gateway in front of the embedded backend, and its files. */
export interface Demo extends Workspace {
  readonly url: string;
}

/**
 * Serves a copy of what `npm start` serves until the end of the test, in this process, which has
 * loaded its modules already.
 *
 * @param prepare is given the configuration's file before it is loaded
 */
export async function serveDemo(
  env: Readonly<Record<string, string>> = {},
  prepare: (file: string) => Promise<void> = async () => {},
): Promise<Demo> {
  const place = await workspace();
  const file = place.config;
  await prepare(file);
  const config = await loadConfig(file, { env });
  const running = await serve({ config, port: 0, env, reload: { file }, log: () => {} });
  onTestFinished(() => running.close());
  return { ...place, url: running.url };
}
