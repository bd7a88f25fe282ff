import { join } from "node:path";
import { onTestFinished } from "vitest";
import { loadConfig, serve } from "../../../src/runtime/node/index.ts";
import type { Running } from "../../../src/runtime/node/serve.ts";
import { type ScriptedUpstream, startScriptedUpstream } from "../../../src/testing/index.ts";
import { workspace } from "../../config/workspace.ts";
import { createFolder, type Later } from "../../fixtures/folder.ts";

export const ADMIN = "token-of-the-test";
/** People's tokens. Each test gives them rights. */
export const EVA = "token-of-eva-1234567890";
export const PAUL = "token-of-paul-123456789";
export const VERA = "token-of-vera-123456789";

export interface Served {
  readonly running: Running;
  readonly upstream: ScriptedUpstream;
  /** Of the configuration. */
  readonly directory: string;
  /** The folder of its data. */
  readonly data: string;
  readonly logs: readonly { readonly event: string; readonly fields: object }[];
  api(
    path: string,
    options?: { token?: string; json?: unknown; method?: string; headers?: HeadersInit },
  ): Promise<{ readonly status: number; readonly headers: Headers; readonly body: never }>;
}

export const CONFIG = `version: 1
upstream: { auth: "\${UPSTREAM}", chat: "\${UPSTREAM}", apis: { chatbot: "\${UPSTREAM}" } }
instances:
  - { name: shop, match: { apiKey: shop-key }, language: en, created: 2018-01-01, variables: [name] }
  - { name: bank, match: {}, language: fr, created: 2019-01-01 }
`;

/** A gateway with files of its own, in front of a scripted upstream. */
export async function served(
  files: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>> = { AFTERWORD_ADMIN_TOKEN: ADMIN },
  answer: string | ((origin: string) => string) = "{}",
  reloads = true,
  later: Later = onTestFinished,
): Promise<Served> {
  const upstream: ScriptedUpstream = await startScriptedUpstream({
    handler: () => ({
      status: 200,
      headers: ["Content-Type", "application/json"],
      body: typeof answer === "string" ? answer : answer(upstream.origin),
    }),
  });
  const directory = await workspace({ "afterword.yaml": CONFIG, ...files }, later);
  const data = createFolder(later);
  const file = join(directory, "afterword.yaml");
  const all = { ...env, UPSTREAM: upstream.origin };
  const logs: { event: string; fields: object }[] = [];
  const config = await loadConfig(file, { env: all });
  const running = await serve({
    config: { ...config, data },
    port: 0,
    env: all,
    version: "1.2.3",
    ...(reloads && { reload: { file } }),
    log: (_, event, fields = {}) => void logs.push({ event, fields }),
  });
  later(async () => {
    await running.close();
    await upstream.close();
  });
  return {
    running,
    upstream,
    directory,
    data,
    logs,
    async api(path, { token = ADMIN, json, method, headers } = {}) {
      const response = await fetch(`${running.url}/_afterword/api/${path}`, {
        method: method ?? (json === undefined ? "GET" : "POST"),
        headers: {
          ...(token !== "" && { authorization: `Bearer ${token}` }),
          ...(json !== undefined && { "content-type": "application/json" }),
          ...Object.fromEntries(new Headers(headers)),
        },
        ...(json !== undefined && { body: JSON.stringify(json) }),
      });
      return {
        status: response.status,
        headers: response.headers,
        body: (await response.json()) as never,
      };
    },
  };
}

/** Returns the answer that the next reader of a language gets. */
export async function readAnswer({ running }: Served, locale: string): Promise<string> {
  const headers = {
    "content-type": "application/json",
    "x-inbenta-key": "shop-key",
    "x-afterword-locale": locale,
  };
  const init = { method: "POST", headers, body: '{"message":"?"}' };
  return (await fetch(`${running.url}/conversation/message`, init)).text();
}
