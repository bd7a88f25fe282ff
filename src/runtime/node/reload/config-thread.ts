import type { Config } from "../../../config/config.ts";
import type { Diagnostic } from "../../../yaml/diagnostic.ts";
import { freezeDeep } from "../../../config/json.ts";
import type { LoadOptions } from "../../../config/load/load.ts";
import { answerInThread, createThread } from "../../../storage/thread.ts";
import type { Started } from "./restart-needed.ts";

/** The result of a load. */
export interface ConfigLoad {
  /** Null if there is an error among the diagnostics. */
  readonly config: Config | null;
  readonly diagnostics: readonly Diagnostic[];
  /** Files and directories that were looked at. */
  readonly sources: readonly string[];
}

/**
 * Loads in a thread, because parsing and compiling would block requests for 50 to 300 ms. Rejects
 * when the thread could not do its work.
 */
export async function loadConfigInThread(call: LoadCall): Promise<ConfigLoad> {
  const { env } = call.options;
  // `process.env` is no plain object, and cannot be sent to a thread.
  const options = env === undefined ? call.options : { ...call.options, env: { ...env } };
  // A copy between threads is not frozen as its original was.
  return freezeDeep(await thread.call({ ...call, options }));
}

export interface LoadCall {
  readonly file: string;
  readonly options: LoadOptions;
  readonly started: Started;
}

const does = "loads the configuration";

const thread = createThread<LoadCall, ConfigLoad>({
  module: new URL(import.meta.url),
  does,
  // A stalled disk must not disable reloading for good. Ten thousand instances take a fifth of
  // this.
  longest: 120_000,
  // A person who edits once edits again, so the thread stays this long, with its parsers loaded.
  idleAfter: 10_000,
});

answerInThread(does, load);

async function load({ file: path, options, started }: LoadCall): Promise<ConfigLoad> {
  // The process that starts the thread does not load the parsers.
  const [{ checkTls }, { createReporter }, { loadAll }, { reportRestartNeeded }] =
    await Promise.all([
      import("../../../config/load/tls-pair.ts"),
      import("../../../yaml/diagnostic.ts"),
      import("../../../config/load/load.ts"),
      import("./restart-needed.ts"),
    ]);
  const { config, diagnostics, file, sources } = await loadAll(path, options);
  if (config === null || file === null) return { config: null, diagnostics, sources };
  const reporter = createReporter();
  reportRestartNeeded(started, config, file, reporter);
  await checkTls(config, file, reporter, "warn");
  return {
    config: reporter.failed() ? null : config,
    diagnostics: [...diagnostics, ...reporter.diagnostics()],
    sources,
  };
}
