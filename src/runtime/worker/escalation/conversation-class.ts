import { type BundledConfig, unbundleConfig } from "../bundle.ts";
import { openWorker } from "../open-worker.ts";
import { escalationsWithin } from "./edge-escalations.ts";
import type { FetchesLines } from "./fetched-lines.ts";
import { escalatingConversation, type EscalatingClass } from "./escalating-conversation.ts";

/**
 * The class of a bundle that hands over: its alarm opens the gateway within the object, with the
 * configuration and the secrets that requests have.
 *
 * @param read as for createWorker
 */
export function conversationClass(
  read: () => BundledConfig,
  version: string,
  lines: FetchesLines,
): EscalatingClass {
  let known: ReturnType<typeof unbundleConfig> | null = null;
  const config = (): ReturnType<typeof unbundleConfig> => (known ??= unbundleConfig(read()));
  return escalatingConversation({
    retention: () => config().state.retention,
    round: (rows, bindings) =>
      openWorker(config(), version, bindings, undefined, escalationsWithin(rows, lines)).round(),
  });
}
