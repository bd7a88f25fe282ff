import { isMainThread, type MessagePort, parentPort, workerData } from "node:worker_threads";
import type { Environment } from "../../config/environment.ts";
import type { StoredContents } from "../storage/types.ts";
import type { ReadContent } from "./parse.ts";
import type { DirectoryTexts } from "./read-directory.ts";

/** This module, as a worker's first: the thread in which content is validated and compiled. */
export const contentThread: URL = new URL(import.meta.url);

/** What the thread is started with. */
export interface ContentThreadData {
  readonly afterwordContent: ContentToCompile;
}

/** What lay there at one moment. */
export interface ContentToCompile {
  readonly files: DirectoryTexts;
  readonly stored: StoredContents | null;
  readonly environment: Environment;
}

/** The one message of the thread. */
export type ContentThreadReply = { readonly read: ReadContent } | { readonly failed: string };

if (!isMainThread && parentPort !== null && isOurs(workerData)) {
  await answer(parentPort, workerData.afterwordContent);
}

async function answer(port: MessagePort, content: ContentToCompile): Promise<void> {
  const reply = (message: ContentThreadReply): void => port.postMessage(message);
  try {
    // The thread that only needs this module's address does without the parsers.
    const { compileContent } = await import("./compile-content.ts");
    reply({ read: compileContent(content) });
  } catch (error) {
    reply({ failed: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
}

/** The thread may be somebody else's worker that merely imports this module. */
function isOurs(data: unknown): data is ContentThreadData {
  return typeof data === "object" && data !== null && "afterwordContent" in data;
}
