import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { loadConfig } from "../../../../src/config/load/load.ts";
import type { ReloadState } from "../../../../src/runtime/node/reload/reload-record.ts";
import { type Running, serve } from "../../../../src/runtime/node/serve.ts";
import {
  type ScriptedUpstreamOptions,
  startScriptedUpstream,
} from "../../../../src/testing/index.ts";
import { ask } from "../../../clients/connectors/http.ts";
import type { LogLine } from "../../../gateway/harness.ts";
import { createFolder } from "../../../fixtures/folder.ts";

/** A folder of files, gone after the test. */
export interface Folder {
  readonly path: string;
  at(name: string): string;
  write(name: string, content: string | Uint8Array): Promise<void>;
  read(name: string): Promise<string>;
}

export async function folder(files: Readonly<Record<string, string>> = {}): Promise<Folder> {
  const path = createFolder();
  const at = (name: string): string => join(path, name);
  const made: Folder = {
    path,
    at,
    async write(name, content) {
      await mkdir(dirname(at(name)), { recursive: true });
      await writeFile(at(name), content);
    },
    read: (name) => readFile(at(name), "utf8"),
  };
  for (const [name, text] of Object.entries(files)) await made.write(name, text);
  return made;
}

export interface Reloading {
  readonly running: Running;
  readonly logs: readonly LogLine[];
  events(event: string): readonly LogLine[];
  /** The texts of the next answer, whose two parts have the flags `no-results` and `welcome`. */
  texts(lang?: string): Promise<readonly string[]>;
  ready(headers?: Readonly<Record<string, string>>): Promise<ReloadState>;
  snapshot(): Promise<string>;
}

/** The upstream's text, for which only the tables under test have a replacement. */
export const engineAnswer: string = JSON.stringify({
  answers: [
    { type: "answer", message: "engine one", messageList: ["engine one"], flags: ["no-results"] },
    { type: "answer", message: "engine two", messageList: ["engine two"], flags: ["welcome"] },
  ],
});

/** The configuration of a vendor at `origin`, with texts from `messages/` only. */
export function vendorConfig(origin: string, more = ""): string {
  return `version: 1
data: ./data
upstream: { auth: "${origin}", apis: { chatbot: "${origin}" } }
messages: { dir: ./messages, use: [own] }
instances: [{ name: bot, match: {}, created: 2018-06-01 }]
${more}`;
}

/** A real gateway that watches the files in a folder, in front of its own upstream. */
export async function serveFolder(
  place: Folder,
  options: ScriptedUpstreamOptions & { readonly file?: string } = {},
): Promise<Reloading> {
  const file = place.at(options.file ?? "afterword.yaml");
  const handler = () => ({
    headers: ["Content-Type", "application/json"],
    body: engineAnswer,
  });
  const upstream = await startScriptedUpstream({ handler, ...options });
  onTestFinished(() => upstream.close());
  const written = await readFile(file, "utf8").catch(() => vendorConfig(""));
  await writeFile(file, written.replaceAll('""', `"${upstream.origin}"`));
  const loadedAt = Date.now();
  const logs: LogLine[] = [];
  const running = await serve({
    config: await loadConfig(file, { env: {} }),
    port: 0,
    env: {},
    version: "test",
    log: (level, event, fields = {}) => void logs.push({ level, event, fields }),
    reload: { file, loadedAt },
  });
  onTestFinished(() => running.close());
  return {
    running,
    logs,
    events: (event) => logs.filter((line) => line.event === event),
    async texts(lang = "en") {
      const headers = { "x-afterword-locale": lang };
      return textsIn(
        (await ask(`${running.url}/v1/conversation/message`, { headers, body: "{}" })).text,
      );
    },
    async ready(headers = {}) {
      const body = (await ask(`${running.url}/_afterword/ready`, { headers })).json();
      return (body as { reload: ReloadState }).reload;
    },
    async snapshot() {
      const body = (await ask(`${running.url}/_afterword/version`)).json();
      return (body as { snapshot: string }).snapshot;
    },
  };
}

export function textsIn(body: string): readonly string[] {
  const { answers } = JSON.parse(body) as { answers: readonly { message: string }[] };
  return answers.map(({ message }) => message);
}

/**
 * Repeats a request until its answer is as expected; a test that waits in vain is ended by its own
 * limit.
 */
export async function until(wanted: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await wanted())) await new Promise((resolve) => setTimeout(resolve, 20));
}
