import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { secrets } from "./configuration.ts";
import { freePort } from "../../fixtures/free-port.ts";
import { type Server, startServer } from "./processes.ts";

export const root: string = resolve(import.meta.dirname, "../../..");
export const wrangler: string = join(root, "node_modules/.bin/wrangler");

/** Keeps wrangler and workerd on this machine. */
export const quiet = {
  WRANGLER_SEND_METRICS: "false",
  WRANGLER_SEND_ERROR_REPORTS: "false",
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
  WRANGLER_HIDE_BANNER: "true",
  NO_UPDATE_NOTIFIER: "1",
} as const;

export interface DevWorker extends Server {
  readonly port: number;
}

/**
 * `wrangler dev` with the repository's wrangler.toml and another configuration. Everything it
 * writes is in `directory`.
 *
 * @param vars beside the secrets; null takes one away
 * @param change of wrangler.toml; a service binding leads to vendor.toml beside the configuration
 */
export async function startWranglerDev(
  directory: string,
  configuration: string,
  vars: Readonly<Record<string, string | null>> = {},
  change: (toml: string) => string = (text) => text,
): Promise<DevWorker> {
  const port = await freePort();
  const file = await writeWranglerConfig(directory, configuration);
  const toml = change(await readFile(file, "utf8"));
  await writeFile(file, toml);
  const second = /^\[\[services\]\]/m.test(toml)
    ? ["--config", join(directory, "vendor.toml")]
    : [];
  const given = Object.entries({ ...secrets, ...vars }).filter(([, value]) => value !== null);
  await writeFile(
    join(directory, ".dev.vars"),
    given.map(([name, value]) => `${name}="${value}"\n`).join(""),
  );
  const server = await startServer(
    wrangler,
    [
      ...[
        "dev",
        "--config",
        file,
        ...second,
        "--env",
        "",
        "--ip",
        "127.0.0.1",
        "--port",
        String(port),
      ],
      ...["--inspector-port", "0", "--persist-to", join(directory, "state")],
      ...["--show-interactive-dev-session=false", "--log-level", "info"],
    ],
    { cwd: directory, env: { ...process.env, ...quiet }, ready: /Ready on/ },
  );
  return { ...server, port };
}

/**
 * The repository's own wrangler.toml, with its paths made absolute and its output in `directory`. A
 * compiled output there is used as it is.
 */
export async function writeWranglerConfig(
  directory: string,
  configuration: string,
): Promise<string> {
  const out = join(directory, "compiled.json");
  const command = existsSync(out)
    ? "true"
    : `AFTERWORD_CONFIG=${configuration} AFTERWORD_WORKER_OUT=${out} ${process.execPath} ${join(root, "src/runtime/worker/compile.ts")}`;
  const text = (await readFile(join(root, "wrangler.toml"), "utf8"))
    .replace(/^main = "(.*)"$/m, (_, main: string) => `main = ${JSON.stringify(join(root, main))}`)
    .replace(/^afterword-compiled = .*$/m, `afterword-compiled = ${JSON.stringify(out)}`)
    .replace(/^directory = .*$/m, `directory = ${JSON.stringify(join(directory, "pages"))}`)
    .replace(/^watch_dir = .*$/m, "")
    .replace(/^command = .*$/m, `command = ${JSON.stringify(command)}`);
  const file = join(directory, "wrangler.toml");
  await writeFile(file, text);
  return file;
}
