import { type Project, projectsFrom } from "../../../backend/chatbot/projects.ts";
import type { Config } from "../../../config/config.ts";
import type { Reporter } from "../../../yaml/diagnostic.ts";
import { usesEmbedded } from "../../../config/load/embedded.ts";
import type { Path, YamlFile } from "../../../yaml/yaml.ts";

/** The part of a configuration that a process keeps for its lifetime. */
export interface Started {
  readonly kept: Pick<Config, "listen" | "data" | "state" | "backend" | "insights">;
  /** The embedded backend's knowledge of the instances; null when it does not run. */
  readonly projects: readonly Project[] | null;
}

/** Picks the part of a configuration that a process keeps if it starts with it. */
export function startedWith(config: Config): Started {
  const { listen, data, state, backend, insights } = config;
  const kept = { listen, data, state, backend, insights };
  return { kept, projects: usesEmbedded(config) ? projectsFrom(config.instances) : null };
}

/** Adapts a new configuration to a running process. */
export function withKept(config: Config, { kept }: Started): Config {
  return Object.freeze({ ...config, ...kept });
}

/**
 * Reports the changes that need a restart, with positions: errors if the other changes depend on
 * them, else warnings.
 */
export function reportRestartNeeded(
  started: Started,
  next: Config,
  file: YamlFile,
  reporter: Reporter,
): void {
  for (const [path, read] of keptKeys) {
    if (isSame(read(started.kept), read(next))) continue;
    const message = `restart to apply the new ${path.join(".")}; the other changes apply now`;
    reporter.warn(file.source, file.locate(path), "restart-needed", message);
  }
  if (!usesEmbedded(next)) return;
  if (started.projects === null) {
    const message = "restart to run the embedded backend, which this process did not start";
    reporter.error(file.source, file.locate(["upstream"]), "restart-needed", message);
    return;
  }
  const known = new Map(started.projects.map((project) => [project.name, project]));
  for (const [index, project] of projectsFrom(next.instances).entries()) {
    if (isSame(known.get(project.name), project)) continue;
    const message = `restart to apply the instance "${project.name}" (name, language, default content, matching) to the embedded backend; the gateway applies it now`;
    reporter.warn(file.source, file.locate(["instances", index]), "restart-needed", message);
  }
}

type ReadKept = (config: Started["kept"]) => unknown;

const keptKeys: readonly (readonly [Path, ReadKept])[] = [
  [["listen", "host"], ({ listen }) => listen.host],
  [["listen", "port"], ({ listen }) => listen.port],
  [["listen", "trustProxies"], ({ listen }) => listen.trustProxies],
  [["listen", "publicUrl"], ({ listen }) => listen.publicUrl],
  [["listen", "tls"], ({ listen }) => listen.tls],
  [["data"], ({ data }) => data],
  [["state", "store"], ({ state }) => state.store],
  [["state", "retention"], ({ state }) => state.retention],
  [["state", "key"], ({ state }) => state.key],
  [["insights"], ({ insights }) => insights],
  [["backend", "content"], ({ backend }) => backend.content],
  [["backend", "database"], ({ backend }) => backend.database],
  [["backend", "wire"], ({ backend }) => backend.wire],
  [["backend", "webhooks"], ({ backend }) => backend.webhooks],
  [["backend", "knowledge"], ({ backend }) => backend.knowledge],
  [["backend", "ticketing"], ({ backend }) => backend.ticketing],
  [["backend", "mail"], ({ backend }) => backend.mail],
];

/** Both come from the same compiler, so their keys are in the same order. */
function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
