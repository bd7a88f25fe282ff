import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** This checkout. */
export const root: string = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

export interface Process {
  readonly url: string;
  readonly stderr: () => string;
  /** Resolves when it is gone. */
  end(signal: NodeJS.Signals): Promise<void>;
}

/** `afterword` with these arguments: one that listens. */
export async function startAfterword(
  args: readonly string[],
  options: {
    /** Whose sources. Default: this one's. */
    readonly checkout?: string;
    readonly env?: Readonly<Record<string, string>>;
    /** What its clock shows when it starts, in milliseconds since the epoch. Default: the time. */
    readonly at?: number;
  } = {},
): Promise<Process> {
  const { checkout = root, env = {}, at } = options;
  const clock = pathToFileURL(join(root, "test/upgrade/clock.mjs")).href;
  const main = join(checkout, "src/cli/main.ts");
  const child = spawn(process.execPath, ["--import", clock, main, ...args], {
    cwd: checkout,
    env: {
      PATH: process.env["PATH"],
      NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
      AFTERWORD_LOG: "warn",
      ...env,
      ...(at !== undefined && { AFTERWORD_TEST_TIME: String(at) }),
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const ended = once(child, "exit");
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      const found = /listens on (http:\/\/\S+)/u.exec(line)?.[1];
      if (found !== undefined) resolve(found);
    });
    void ended.then(() => reject(new Error(`it ended before it listened: ${stderr}`)));
  });
  return {
    url,
    stderr: () => stderr,
    async end(signal) {
      child.kill(signal);
      await ended;
    },
  };
}

/** Headers and session of a reader's conversation. */
export interface Talk {
  readonly instance: string;
  readonly session: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly message: string;
  readonly type: string;
  readonly flags: readonly string[];
  readonly options?: readonly { readonly label: string; readonly value: unknown }[] | null;
  readonly attributes?: Readonly<Record<string, unknown>>;
}

/** Begins a conversation, as an unmodified client does, in the instance below this path. */
export async function begin(
  gateway: string,
  instance: string,
  lang: string,
  extra: Readonly<Record<string, string>> = {},
): Promise<Talk> {
  const base = `${gateway}/${instance}`;
  const key = { "x-inbenta-key": "demo-key", "content-type": "application/json" };
  const post = async (path: string, headers: Record<string, string>, body: object) => {
    const response = await fetch(base + path, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
    });
    return (await response.json()) as Record<string, unknown>;
  };
  const { accessToken } = await post("/v1/auth", key, { secret: "demo-secret" });
  const authorized = { ...key, authorization: `Bearer ${String(accessToken)}`, ...extra };
  const { sessionToken } = await post("/v1/conversation", authorized, { lang });
  const session = String(sessionToken);
  return {
    instance,
    session,
    headers: { ...authorized, "x-inbenta-session": `Bearer ${session}` },
  };
}

/** Sends one turn; the answers. */
export async function send(
  gateway: string,
  talk: Talk,
  body: Readonly<Record<string, unknown>>,
): Promise<readonly Answer[]> {
  const response = await fetch(`${gateway}/${talk.instance}/v1/conversation/message`, {
    method: "POST",
    headers: talk.headers,
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.status} ${text}`);
  const { answers } = JSON.parse(text) as { answers: readonly Answer[] };
  return answers;
}

/** The value of the first option that a question offers. */
export function firstOption(answers: readonly Answer[]): unknown {
  return answers.findLast(({ options }) => (options ?? []).length > 0)?.options?.[0]?.value;
}

/** Waits until `look` finds something. */
export async function until<Value>(
  what: string,
  look: () => Promise<Value | null | undefined | false> | Value | null | undefined | false,
  patience = 60_000,
): Promise<Value> {
  const end = Date.now() + patience;
  for (;;) {
    const found = await look();
    if (found !== null && found !== undefined && found !== false) return found;
    if (Date.now() > end) throw new Error(`it did not come: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
