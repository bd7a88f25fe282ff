import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startAfterword } from "../afterword.ts";

/** `afterword serve` as users run it, on one core, with nothing but what it needs. */
export interface SoakGateway {
  readonly url: string;
  /** Resident memory now, in MB. */
  rss(): number;
  /** The most it ever had, in MB. */
  peak(): number;
  stop(): Promise<void>;
}

export interface SoakGatewayOptions {
  /** Origin of the upstream. */
  readonly upstream: string;
  /** Origin of another one, for requests with the API key `slow`. */
  readonly slowUpstream?: string;
  readonly core: number;
  /** The command line's main module; default: the source in this checkout. */
  readonly main?: string;
  /** For Node itself. */
  readonly nodeOptions?: readonly string[];
  /** A library for LD_PRELOAD. */
  readonly preload?: string;
}

/** @throws Error when it does not start */
export async function startSoakGateway(options: SoakGatewayOptions): Promise<SoakGateway> {
  const directory = await mkdtemp(join(tmpdir(), "afterword-soak-"));
  const file = join(directory, "afterword.yaml");
  await writeFile(file, configuration(options));
  const { core, main, nodeOptions = [] } = options;
  const gateway = await startAfterword(["serve", "--config", file, "--port", "0"], {
    core,
    nodeOptions,
    ...(main === undefined ? {} : { main }),
    env: environment(options.preload),
  });
  return {
    url: gateway.url,
    rss: () => gateway.rss() / 1e6,
    peak: () => gateway.peak() / 1e6,
    async stop() {
      await gateway.end("SIGTERM");
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Of whoever starts the bench, what tunes malloc. */
function environment(preload = ""): NodeJS.ProcessEnv {
  const tuning = Object.entries(process.env).filter(([name]) => name.startsWith("MALLOC_"));
  return {
    ...Object.fromEntries(tuning),
    ...(preload === "" ? {} : { LD_PRELOAD: preload }),
    AFTERWORD_LOG: "warn",
    NODE_ENV: "production",
  };
}

function configuration({ upstream, slowUpstream }: SoakGatewayOptions): string {
  const shared = "language: en, created: 2018-06-01";
  const messages = fileURLToPath(new URL("../fixtures/messages", import.meta.url));
  const upstreamOf = (origin: string): string =>
    `{ auth: "${origin}", apis: { chatbot: "${origin}" } }`;
  const slow = `  - { name: slow, match: { apiKey: slow }, ${shared}, upstream: ${upstreamOf(slowUpstream ?? "")} }`;
  return [
    "version: 1",
    "data: ./data",
    `upstream: ${upstreamOf(upstream)}`,
    "instances:",
    ...(slowUpstream === undefined ? [] : [slow]),
    `  - { name: bench, match: {}, ${shared} }`,
    `messages: { dir: "${messages}", use: [own], fallback: { default: en } }`,
    "",
  ].join("\n");
}
