import type { Config } from "../../config/config.ts";
import { createReporter } from "../../yaml/diagnostic.ts";
import type { Environment } from "../../yaml/source.ts";
import { usesEmbedded } from "../../config/load/embedded.ts";
import { loadConfig } from "../../config/load/load.ts";
import { readSource } from "../../yaml/read-file.ts";
import { parseYaml } from "../../yaml/yaml.ts";
import { AfterwordError } from "../../errors.ts";
import { toBindingMark, holdsMark } from "./bindings.ts";

export interface ConfigForWorker {
  /** With marks where secrets go. */
  readonly config: Config;
  /** Names of bindings that the worker needs beside AFTERWORD_ROUTE_KEYS. */
  readonly secrets: readonly string[];
}

/**
 * Loads a configuration for a worker. `${NAME}` under `credentials`, `callers` and `escalation`
 * becomes the worker's binding of that name; any other is read from `environment` now.
 *
 * @throws AfterwordError as loadConfig, and `config-invalid` for what can't go to a worker: an
 *   embedded upstream, or a
 *   credential that stands in the file itself
 */
export async function loadForWorker(
  file: string,
  environment: Environment,
): Promise<ConfigForWorker> {
  const secrets = listSecretNames(file);
  const marks = Object.fromEntries(secrets.map((name) => [name, toBindingMark(name)]));
  const config = await loadConfig(file, { env: { ...environment, ...marks } });
  const refused = [
    ...listEmbeddedParts(config),
    ...listNodeParts(config),
    ...listWrittenSecrets(config),
  ];
  if (refused.length > 0)
    throw new AfterwordError("config-invalid", `${file}: ${refused.join("\n")}`);
  return { config, secrets };
}

/** Every name in `${NAME}` below the keys whose values are secrets. */
function listSecretNames(file: string): readonly string[] {
  // loadConfig reports the file's mistakes.
  const silent = createReporter();
  const source = readSource(file, 4_194_304, silent);
  const yaml = source === null ? null : parseYaml(source, silent);
  const names = new Set<string>();
  walk(yaml?.value, false);
  return [...names].sort();

  function walk(value: unknown, secret: boolean): void {
    if (typeof value === "string" && secret) {
      for (const [, name = ""] of value.matchAll(/(?<!\$)\$\{([A-Za-z_]\w*)\}/g)) names.add(name);
    }
    if (typeof value !== "object" || value === null) return;
    for (const [key, inner] of Object.entries(value)) walk(inner, secret || secretParts.has(key));
  }
}

const secretParts: ReadonlySet<string> = new Set(["credentials", "callers", "escalation"]);

function listEmbeddedParts(config: Config): readonly string[] {
  return usesEmbedded(config)
    ? [
        "a worker has no embedded backend: name a vendor's address, or that of `afterword backend`, as upstream",
      ]
    : [];
}

function listNodeParts({ insights }: Config): readonly string[] {
  const problems: string[] = [];
  if (insights?.questions === true) {
    problems.push(
      "a worker counts, but keeps no words of questions: remove `insights.questions`, or run afterword serve",
    );
  }
  if (insights?.webhook) {
    problems.push(
      "a worker counts, but sends no weekly sums: remove `insights.webhook`, or run afterword serve",
    );
  }
  return problems;
}

function listWrittenSecrets(config: Config): readonly string[] {
  const inInstances = config.instances.flatMap(({ name, credentials }) =>
    (["apiKey", "secret", "chatApp", "chatSecret"] as const)
      .filter((field) => isWritten(credentials?.[field] ?? null))
      .map((field) => `instance ${name}: credentials.${field}`),
  );
  const inHooks = config.instances
    .filter(({ escalation }) => isWritten(escalation.chat.hookSecret))
    .map(({ name }) => `instance ${name}: escalation.chat.hookSecret`);
  const inCallers = config.callers
    .filter(({ keys, jwt }) => {
      const shared = jwt?.keys.kind === "secret" ? [jwt.keys.secret] : [];
      return [...keys, ...shared].some(isWritten);
    })
    .map(({ name }) => `caller ${name}: key`);
  return [...inInstances, ...inHooks, ...inCallers].map(
    (place) =>
      `${place} stands in the file and would go into the bundle: write \${NAME}, and set that secret`,
  );
}

function isWritten(value: string | null): boolean {
  return value !== null && !holdsMark(value);
}
