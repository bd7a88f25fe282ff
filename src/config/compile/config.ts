import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { DEFAULT_HELD_BYTES } from "../schema/values.ts";
import { dropTrailing } from "../../text.ts";
import { compileCallers } from "./callers.ts";
import { compileInstances } from "./instances.ts";
import { compileEscalation, requireCredentials } from "./escalation.ts";
import type { SetCompiler } from "./table-sets.ts";
import { compileInsights } from "./insights.ts";
import { compileMail } from "./mail.ts";
import { compileUpstream } from "./upstream.ts";
import type {
  BackendConfig,
  Config,
  InstanceConfig,
  LimitsConfig,
  ListenConfig,
} from "../config.ts";
import type { Reporter } from "../../yaml/diagnostic.ts";
import { databaseOf } from "../load/backend-database.ts";
import { findDemoContent, usesEmbedded } from "../load/embedded.ts";
import { DEFAULT_ESCALATION } from "../escalation-config.ts";
import { freezeDeep } from "../json.ts";
import { TICKETING_MEDIA_TYPES } from "../schema/media-types.ts";
import { loadShippedWords } from "../load/recognition-words.ts";
import type { WrittenConfig } from "../schema/config.ts";
import { sectionOf } from "../../yaml/section.ts";
import type { YamlFile } from "../../yaml/yaml.ts";

/** The configuration without the parts that need every file to be loaded. */
export type CompiledConfig = Omit<Config, "recognition" | "sources" | "warnings">;

/** Fills in every default, resolves paths, and compiles instances and their tables. */
export async function compileConfig(
  written: WrittenConfig,
  file: YamlFile,
  sets: SetCompiler,
  reporter: Reporter,
): Promise<CompiledConfig> {
  const directory = dirname(file.source.file);
  const resolvePath = (relative: string): string => resolve(directory, relative);
  const section = sectionOf(file, reporter);
  const escalation = compileEscalation(
    written.escalation,
    promisesMail(written) ? WITH_MAIL : DEFAULT_ESCALATION,
    section.at("escalation"),
  );
  const upstream = compileUpstream(written.upstream, null, section.at("upstream"));
  const instances = await compileInstances(written, upstream, escalation, sets, section);
  requireCredentials(instances, section.at("instances"));
  const acceptLanguage = written.messages?.acceptLanguage ?? false;
  const backend: BackendConfig = {
    content: contentOf(written, usesEmbedded({ upstream, instances }), resolvePath),
    database: databaseOf(written, directory, section),
    wire: written.backend?.wire ?? "deployed",
    webhooks: written.backend?.webhooks ?? [],
    knowledge: {
      emptySearch: written.backend?.knowledge?.emptySearch ?? 404,
      logIp: written.backend?.knowledge?.logIp ?? false,
      logUserAgent: written.backend?.knowledge?.logUserAgent ?? false,
    },
    ticketing: { mediaTypes: written.backend?.ticketing?.mediaTypes ?? TICKETING_MEDIA_TYPES },
    mail: compileMail(written, section.at("backend", "mail")),
  };
  return {
    hash: hashOf(
      instances,
      sets.sets.map(({ content }) => content),
      acceptLanguage,
    ),
    listen: compileListen(written.listen ?? {}, resolvePath),
    data: resolvePath(written.data ?? "./.afterword"),
    upstream,
    instances,
    tableSets: sets.sets.map(({ set }) => set),
    acceptLanguage,
    backend,
    state: {
      store: written.state?.store ?? "memory",
      retention: written.state?.retention ?? 30 * 86_400_000,
      ...(written.state?.key === undefined ? {} : { key: written.state.key }),
    },
    insights: compileInsights(written.insights, section.at("insights")),
    escalation,
    console: { edit: written.console?.edit ?? true },
    callers: compileCallers(written.callers ?? [], instances, section.at("callers")),
    limits: compileLimits(written.limits ?? {}),
  };
}

/**
 * True if the lines about tickets may promise an answer by e-mail: every ticket goes to the
 * embedded backend, and it sends mail.
 */
function promisesMail({ backend, upstream, instances }: WrittenConfig): boolean {
  const allEmbedded =
    upstream === "embedded" && (instances ?? []).every((one) => one.upstream === undefined);
  return backend?.mail !== undefined && allEmbedded;
}

const WITH_MAIL: typeof DEFAULT_ESCALATION = {
  ...DEFAULT_ESCALATION,
  ticket: { ...DEFAULT_ESCALATION.ticket, email: true },
};

function compileListen(
  written: NonNullable<WrittenConfig["listen"]>,
  path: (relative: string) => string,
): ListenConfig {
  const { tls, publicUrl } = written;
  return {
    host: written.host ?? "127.0.0.1",
    port: written.port ?? 8787,
    trustProxies: written.trustProxies ?? [],
    publicUrl: publicUrl === undefined ? null : dropTrailing(publicUrl, "/"),
    tls: tls === undefined ? null : { cert: path(tls.cert), key: path(tls.key) },
  };
}

/** Returns the content directory: the demo's without `backend.content` and a folder `backend`. */
function contentOf(
  { backend }: WrittenConfig,
  embedded: boolean,
  path: (relative: string) => string,
): string {
  const directory = path(backend?.content ?? "./backend");
  const own = backend?.content !== undefined || !embedded || existsSync(directory);
  return own ? directory : findDemoContent();
}

function compileLimits(written: NonNullable<WrittenConfig["limits"]>): LimitsConfig {
  const inFlight = written.inFlight ?? 512;
  return {
    transformBytes: written.transformBytes ?? 1_048_576,
    requestBytes: written.requestBytes ?? 10_485_760,
    heldBytes: written.heldBytes ?? DEFAULT_HELD_BYTES,
    inFlight,
    inFlightPerClient:
      written.inFlightPerClient ?? Math.min(inFlight, Math.max(32, Math.floor(inFlight / 4))),
    queue: written.queue ?? 128,
    streams: written.streams ?? 10_000,
  };
}

/** Credentials stay out, because a short one could be guessed from its hash. */
function hashOf(
  instances: readonly InstanceConfig[],
  contents: readonly string[],
  acceptLanguage: boolean,
): string {
  const hash = createHash("sha256");
  for (const { credentials: _, ...instance } of instances) {
    hash.update(
      JSON.stringify(instance, (key, value: unknown) => (key === "hookSecret" ? null : value)),
    );
  }
  hash.update(JSON.stringify([contents, acceptLanguage]));
  return hash.digest("hex");
}

/** Completes the configuration and freezes it. */
export function finishConfig(
  compiled: CompiledConfig,
  sources: readonly string[],
  warnings: readonly string[],
): Config {
  return freezeDeep({ ...compiled, recognition: loadShippedWords(), sources, warnings });
}
