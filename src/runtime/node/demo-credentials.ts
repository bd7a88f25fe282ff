import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { type CredentialEntry, DEMO_CREDENTIALS } from "../../backend/auth/credentials.ts";
import { DEMO_CHAT } from "../../backend/chat/demo.ts";
import type { Config, InstanceConfig } from "../../config/config.ts";
import { AfterwordError } from "../../errors.ts";
import { exposureOf } from "../../config/exposure.ts";
import type { Logger } from "../../gateway/platform.ts";
import { loadSecret } from "./keys.ts";

/** The embedded backend's credentials, and the configuration that matches their keys. */
export interface EmbeddedAccess {
  /** True: the well-known demo credentials work. */
  readonly demo: boolean;
  /** Credentials beside them. */
  readonly entries: readonly CredentialEntry[];
  readonly config: Config;
  /** Does to another snapshot what was done to `config`. */
  adapt(config: Config): Config;
}

/**
 * The well-known demo credentials, as long as only this machine can reach the listener; random ones
 * from the data directory when AFTERWORD_DEMO_CREDENTIALS=generate.
 *
 * @throws AfterwordError `demo-credentials-exposed` on any other listener
 */
export async function embeddedAccess(
  config: Config,
  host: string,
  mode: string | undefined,
  log: Logger,
): Promise<EmbeddedAccess> {
  if (mode === "generate") return generated(config, log);
  if (mode !== undefined && mode !== "") {
    throw new AfterwordError(
      "argument-invalid",
      `AFTERWORD_DEMO_CREDENTIALS is "generate" or not set, not "${mode}"`,
    );
  }
  const exposed = exposureOf({ ...config.listen, host });
  if (exposed !== null) {
    throw new AfterwordError(
      "demo-credentials-exposed",
      `the embedded backend's demo credentials are public knowledge, and ${exposed}: set AFTERWORD_DEMO_CREDENTIALS=generate to have random ones written into ${config.data}`,
    );
  }
  return { demo: true, entries: [], config: withDemo(config), adapt: withDemo };
}

const fileName = "demo-credentials.json";

/** Random credentials for the demo ones, made once in a data directory (mode 0600). */
export async function generatedCredentials(
  directory: string,
): Promise<{ readonly file: string; readonly entries: readonly CredentialEntry[] }> {
  const file = join(directory, fileName);
  const text = await loadSecret(directory, fileName, () => JSON.stringify(randomEntries()));
  return { file, entries: readEntries(text, file) };
}

async function generated(config: Config, log: Logger): Promise<EmbeddedAccess> {
  const { file, entries } = await generatedCredentials(config.data);
  log("info", "demo-credentials", { file });
  const adapt = (other: Config): Config => withCredentials(withKeys(other, entries), entries, null);
  return { demo: false, entries, config: adapt(config), adapt };
}

function randomEntries(): readonly CredentialEntry[] {
  return DEMO_CREDENTIALS.map(({ project }) => ({
    apiKey: randomBytes(18).toString("base64url"),
    secret: randomBytes(32).toString("base64url"),
    project,
  }));
}

function readEntries(text: string, file: string): readonly CredentialEntry[] {
  try {
    const parsed: unknown = JSON.parse(text);
    if (Array.isArray(parsed) && parsed.every(isEntry)) return parsed;
  } catch {
    // Said below.
  }
  throw new AfterwordError(
    "data-directory-unusable",
    `${file} is damaged: delete it, and new credentials are made at the next start`,
  );
}

function isEntry(value: unknown): value is CredentialEntry {
  if (typeof value !== "object" || value === null) return false;
  return ["apiKey", "secret", "project"].every(
    (name) => typeof Reflect.get(value, name) === "string",
  );
}

/** Instances that are matched by a demo key are matched by the key generated in its place. */
function withKeys(config: Config, entries: readonly CredentialEntry[]): Config {
  const keyOf = new Map(
    DEMO_CREDENTIALS.map(({ apiKey, project }) => {
      return [apiKey, entries.find((entry) => entry.project === project)?.apiKey ?? apiKey];
    }),
  );
  const instances = config.instances.map((instance) => {
    const { apiKey } = instance.match;
    const replaced = apiKey === undefined ? undefined : keyOf.get(apiKey);
    return replaced === undefined
      ? instance
      : { ...instance, match: { ...instance.match, apiKey: replaced } };
  });
  return { ...config, instances };
}

const demoChat = { chatApp: DEMO_CHAT.appId, chatSecret: DEMO_CHAT.secret, room: DEMO_CHAT.room };

/** Gives the embedded backend's credentials to its instances that name none. */
function withCredentials(
  config: Config,
  entries: readonly Pick<CredentialEntry, "apiKey" | "secret" | "project">[],
  chat: typeof demoChat | null,
): Config {
  const instances = config.instances.map((instance): InstanceConfig => {
    const { credentials, match, name, upstream } = instance;
    if (credentials !== null || !upstream.auth.startsWith("embedded:")) return instance;
    const entry =
      entries.find(({ apiKey }) => apiKey === match.apiKey) ??
      entries.find(({ project }) => project === name) ??
      entries[0];
    if (entry === undefined) return instance;
    const { apiKey, secret } = entry;
    const noChat = { chatApp: null, chatSecret: null, room: null };
    return { ...instance, credentials: { apiKey, secret, ...(chat ?? noChat) } };
  });
  return { ...config, instances };
}

function withDemo(config: Config): Config {
  return withCredentials(config, DEMO_CREDENTIALS, demoChat);
}
