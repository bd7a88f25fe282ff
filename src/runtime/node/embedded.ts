import { openBackend } from "../../backend/node.ts";
import { projectsFrom } from "../../backend/projects.ts";
import type { ByteBudget } from "../../shares.ts";
import type { Config } from "../../config/config.ts";
import { borrowsDemoContent } from "../../config/embedded.ts";
import type { Logger } from "../../gateway/platform.ts";
import type { Transport } from "../../gateway/transport.ts";
import { type ContentRecord, createContentRecord } from "./content-record.ts";
import { embeddedAccess } from "./demo-credentials.ts";
import { createEmbeddedTransport } from "./embedded-transport.ts";
import { createEmbeddedTunnel } from "./embedded-tunnel.ts";
import { loadTokenKeys } from "./keys.ts";
import type { OpenTunnel } from "./tunnel.ts";

/** The backend in the gateway's own process. */
export interface Embedded {
  readonly transport: Transport;
  /** The configuration with the keys that the backend really has. */
  readonly config: Config;
  adapt(config: Config): Config;
  /** Upgrades that lead to the backend. */
  readonly tunnel: OpenTunnel;
  /** What became of changed contents. */
  readonly content: ContentRecord;
  /** Ends what has no end of its own: event streams, whose clients are told to come back. */
  endStreams(): void;
  close(): Promise<void>;
}

/**
 * Opens the embedded backend: its content, its database, its credentials. Nothing of it listens.
 */
export async function openEmbedded(
  config: Config,
  host: string,
  env: Readonly<Record<string, string | undefined>>,
  log: Logger,
  version: string,
  bodies: ByteBudget,
): Promise<Embedded> {
  if (borrowsDemoContent(config)) {
    const detail =
      "the bot answers with the demo shop's contents; afterword backend init makes some of your own";
    log("warn", "demo-content", { detail });
  }
  const access = await embeddedAccess(config, host, env["AFTERWORD_DEMO_CREDENTIALS"], log);
  const signingKeys = await loadTokenKeys(env["AFTERWORD_TOKEN_KEYS"], config.data);
  const content = createContentRecord(log, Date.now);
  const backend = await openBackend({
    content: config.backend.content,
    database: config.backend.database,
    signingKeys,
    demo: access.demo,
    credentials: access.entries,
    projects: projectsFrom(config.instances),
    report: (error, request) =>
      log("error", "internal-error", { route: "backend", detail: String(error), ...request }),
    bases: (product) => `embedded:${product}`,
    bodies,
    webhooks: config.backend.webhooks,
    wire: config.backend.wire,
    knowledge: config.backend.knowledge,
    ticketing: config.backend.ticketing,
    webhookFailed: ({ form, reason, detail }) =>
      log("warn", "webhook-failed", { form, reason, detail }),
    contentRefused: content.contentRefused,
    contentTaken: content.contentTaken,
    version,
  });
  return {
    content,
    transport: createEmbeddedTransport((request, bindings) => backend.app.fetch(request, bindings)),
    tunnel: createEmbeddedTunnel(backend.sockets),
    endStreams: () => backend.endStreams(),
    config: access.config,
    adapt: (other) => access.adapt(other),
    close: () => backend.close(),
  };
}
