import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import { loadConfig } from "../../src/config/load/load.ts";
import { findPackageRoot } from "../../src/config/load/package-root.ts";
import { serve } from "../../src/runtime/node/serve.ts";
import {
  rawRequest,
  startScriptedUpstream,
  type RecordedRequest,
} from "../../src/testing/index.ts";
import { rawPost } from "./harness.ts";

/** A bot behind a real gateway that has the shipped tables, and the owner's if there are any. */
export interface Bot {
  /** POST /conversation; the test chooses the session's name. */
  start(session: string, settings?: Start): Promise<void>;
  /** Returns the text that the reader sees if the engine answers with a flag. */
  ask(flag: string, asked?: Asked): Promise<string>;
  close(): Promise<void>;
}

export interface Start {
  readonly lang?: unknown;
  readonly headers?: readonly string[];
}

export interface Asked {
  readonly session?: string;
  readonly headers?: readonly string[];
  /** The request, as clients send it. */
  readonly body?: unknown;
  /** How many options the answer has. */
  readonly options?: number;
}

export interface BotFiles {
  /** Under `instances:`, one a line. */
  readonly instances: readonly string[];
  /** The `messages:` of the configuration. */
  readonly messages?: string;
  /** The owner's files, by locale. */
  readonly own?: Readonly<Record<string, string>>;
}

/** The engine's text in this test, which is in no table. */
export const ENGINE = "ENGINE";

/**
 * Writes a configuration, loads it as `afterword serve` does, and serves it in front of an upstream
 * that answers with flags.
 */
export async function startBot(files: BotFiles): Promise<Bot> {
  const directory = await mkdtemp(join(tmpdir(), "afterword-language-"));
  const upstream = await startScriptedUpstream({ handler: answer });
  const own = Object.entries(files.own ?? {});
  await mkdir(join(directory, "messages"));
  for (const [locale, text] of own) {
    await writeFile(join(directory, "messages", `${locale}.yaml`), text);
  }
  const lines = [
    "version: 1",
    "data: ./data",
    `upstream: { auth: "${upstream.origin}", apis: { chatbot: "${upstream.origin}" } }`,
    `messages: ${files.messages ?? "{}"}`,
    "instances:",
    ...files.instances.map((instance) => `  - { created: 2018-06-01, ${instance} }`),
  ];
  await writeFile(join(directory, "afterword.yaml"), lines.join("\n"));
  const config = await loadConfig(join(directory, "afterword.yaml"), { env: {} });
  const running = await serve({ config, port: 0, env: {}, log: () => undefined });

  const post = async (
    path: string,
    body: unknown,
    headers: readonly string[],
  ): Promise<Record<string, unknown>> => {
    const sent = [...headers, "Content-Type: application/json"];
    const request = rawPost(`/v1/conversation${path}`, JSON.stringify(body), sent);
    const { status, body: bytes } = await rawRequest(running.port, request);
    if (status !== 200) throw new Error(`the gateway answered ${status}`);
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  };

  return {
    async start(session, { lang, headers = [] } = {}) {
      await post("", lang === undefined ? {} : { lang }, [
        `X-Test-Session: ${session}`,
        ...headers,
      ]);
    },
    async ask(flag, { session, headers = [], body = { message: "hm" }, options = 0 } = {}) {
      const { answers } = await post("/message", body, [
        `X-Test-Flag: ${flag}`,
        `X-Test-Options: ${options}`,
        ...(session === undefined ? [] : [`X-Inbenta-Session: Bearer ${session}`]),
        ...headers,
      ]);
      const [first] = Array.isArray(answers) ? answers : [];
      if (first?.message !== first?.messageList?.[0]) throw new Error("two texts in one answer");
      return String(first?.message);
    },
    async close() {
      await Promise.all([running.close(), upstream.close()]);
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** One line of a shipped table, as its file has it. */
export async function shippedText(locale: string, key: string): Promise<string> {
  const table = parse(await readFile(join(findPackageRoot(), "locales", `${locale}.yaml`), "utf8"));
  const text: unknown = table[key];
  if (typeof text !== "string") throw new Error(`${locale} has no ${key}`);
  return text;
}

function answer({ target, headers }: RecordedRequest) {
  const json = ["Content-Type", "application/json"];
  if (!target.endsWith("/message")) {
    const sessionToken = valueOf(headers, "X-Test-Session");
    return { headers: json, body: JSON.stringify({ sessionToken }) };
  }
  const count = Number(valueOf(headers, "X-Test-Options"));
  const options = Array.from({ length: count }, (_, value) => ({ value, label: `o${value}` }));
  const flags = [valueOf(headers, "X-Test-Flag")];
  const only = { type: "answer", message: ENGINE, messageList: [ENGINE], flags, options };
  return { headers: json, body: JSON.stringify({ answers: [only] }) };
}

function valueOf(headers: readonly string[], name: string): string {
  return headers[headers.indexOf(name) + 1] ?? "";
}
