import { join } from "node:path";
import { type CredentialEntry, DEMO_CREDENTIALS } from "../../../backend/auth/credentials.ts";
import { DEMO_CHAT } from "../../../backend/chat/demo.ts";
import type { Config, InstanceConfig } from "../../../config/config.ts";
import { AfterwordError } from "../../../errors.ts";
import { isEmbedded } from "../../../config/load/embedded.ts";
import { exposureOf, type ServerAddress } from "../../../config/exposure.ts";
import { loadSecret } from "./keys.ts";
import { createRandomEntry, withCredentials } from "./own-credentials.ts";

/** The address of a backend, and the requested credentials. */
export interface AccessRequest extends ServerAddress {
  readonly noDemo: boolean;
  /** AFTERWORD_DEMO_CREDENTIALS. */
  readonly mode: string | undefined;
  /** The directory of generated credentials. */
  readonly data: string;
  /**
   * True when the database has a key that is not revoked. Only called when the decision depends on
   * it.
   */
  hasKey(): Promise<boolean>;
  /** Begins the message of a refusal: the command, or nothing. */
  readonly command: string;
  /** The command that makes a key in this database. */
  readonly addKey: string;
}

/** The credentials that work beside those of the database. */
export interface BackendAccess {
  /** True if the well-known demo credentials work. */
  readonly demo: boolean;
  /** Random credentials instead of the demo ones. */
  readonly entries: readonly CredentialEntry[];
  /** The file of these, or null. */
  readonly file: string | null;
  /** True when nobody can call the backend yet. */
  readonly closed: boolean;
}

/**
 * The well-known demo credentials work only while nobody but this machine can reach the listener.
 * On any other address the database must hold a key, or random credentials are generated.
 *
 * @throws AfterwordError `demo-credentials-exposed`, `argument-invalid`
 */
export async function decideAccess(request: AccessRequest): Promise<BackendAccess> {
  const { noDemo, mode = "", data, addKey } = request;
  if (mode === "generate") {
    const { file, entries } = await generateCredentials(data);
    return { demo: false, entries, file, closed: false };
  }
  if (mode !== "") {
    throw new AfterwordError(
      "argument-invalid",
      `AFTERWORD_DEMO_CREDENTIALS is "generate" or not set, not "${mode}"`,
    );
  }
  const exposed = exposureOf(request);
  const none = { entries: [], file: null };
  if (exposed === null && !noDemo) return { demo: true, ...none, closed: false };
  const usable = await request.hasKey();
  if (exposed !== null && !usable) {
    throw new AfterwordError(
      "demo-credentials-exposed",
      `${request.command}the embedded backend's demo credentials are public knowledge, and ${exposed}: make a key of your own with ${addKey}, or set AFTERWORD_DEMO_CREDENTIALS=generate to have random ones written into ${data}`,
    );
  }
  return { demo: false, ...none, closed: !usable };
}

const fileName = "demo-credentials.json";

/** Creates random credentials instead of the demo ones, once per data directory (mode 0600). */
async function generateCredentials(
  directory: string,
): Promise<{ readonly file: string; readonly entries: readonly CredentialEntry[] }> {
  const file = join(directory, fileName);
  const text = await loadSecret(directory, fileName, () => JSON.stringify(createRandomEntries()));
  return { file, entries: readEntries(text, file) };
}

/** Gives the configuration the credentials of `access`, if the owner has no key of their own. */
export function withDemoAccess(config: Config, { demo, entries }: BackendAccess): Config {
  if (demo) return fill(config, DEMO_CREDENTIALS, demoChat);
  return fill(withKeys(config, entries), entries, null);
}

function createRandomEntries(): readonly CredentialEntry[] {
  return DEMO_CREDENTIALS.map(({ project }) => createRandomEntry(project));
}

function readEntries(text: string, file: string): readonly CredentialEntry[] {
  try {
    const parsed: unknown = JSON.parse(text);
    if (Array.isArray(parsed) && parsed.every(isEntry)) return parsed;
  } catch {
    // Reported below.
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

/** Instances that match a demo key match the generated key instead. */
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

/** Gives the embedded backend's credentials to its instances. */
function fill(
  config: Config,
  entries: readonly Pick<CredentialEntry, "apiKey" | "secret" | "project">[],
  chat: typeof demoChat | null,
): Config {
  const instances = config.instances.map((instance): InstanceConfig => {
    const { match, name, upstream } = instance;
    if (!isEmbedded(upstream.auth)) return instance;
    const entry =
      entries.find(({ apiKey }) => apiKey === match.apiKey) ??
      entries.find(({ project }) => project === name) ??
      entries[0];
    if (entry === undefined) return instance;
    const { apiKey, secret } = entry;
    const noChat = { chatApp: null, chatSecret: null, room: null };
    return withCredentials(instance, { apiKey, secret, ...(chat ?? noChat) });
  });
  return { ...config, instances };
}
