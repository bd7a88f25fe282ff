import { createHash, randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { type CredentialEntry, credentialsFrom } from "../../../backend/auth/credentials.ts";
import {
  findOnlyProject,
  type Owned,
  type OwnedApp,
  readOwned,
} from "../../../backend/auth/owned.ts";
import type { Tables } from "../../../backend/storage/tables/database.ts";
import { isPostgresAddress } from "../../../database-address.ts";
import { openSqlite } from "../../../storage/sqlite/open-sqlite.ts";
import { isEmbedded } from "../../../config/load/embedded.ts";
import type { Config, CredentialsConfig, InstanceConfig } from "../../../config/config.ts";

/**
 * Lets the gateway call the backend in its own process for the owner's projects. The database has
 * only digests of the owner's secrets, so the gateway has its own credentials, which are created at
 * the start and never stored.
 */
export function createOwnCredentials() {
  const chatSecret = randomBytes(32).toString("base64url");
  const entries = new Map<string, CredentialEntry>();
  let known = credentialsFrom([]);
  const entryOf = (project: string): CredentialEntry => {
    const made = entries.get(project);
    if (made !== undefined) return made;
    const entry = createRandomEntry(project);
    entries.set(project, entry);
    known = credentialsFrom([...entries.values()]);
    return entry;
  };
  return {
    /** For the backend's chat, which accepts it as the secret of every app. */
    chatSecret,
    /** For the backend: opens the owner's projects with the gateway's keys. */
    credentials: { find: (apiKey: string) => known.find(apiKey) },
    /** Adds the `credentials` that instances of the embedded backend lack. */
    fill(config: Config, owned: Owned): Config {
      const instances = config.instances.map((instance) => {
        if (!isEmbedded(instance.upstream.auth)) return instance;
        const project = projectOf(instance, owned);
        if (project === null) return instance;
        const { apiKey, secret } = entryOf(project);
        const app = appOf(instance, owned, project);
        const [room = null, ...others] = app?.rooms ?? [];
        return withCredentials(instance, {
          apiKey,
          secret,
          chatApp: app?.id ?? null,
          chatSecret: app === null ? null : chatSecret,
          room: others.length === 0 ? room : null,
        });
      });
      return { ...config, instances };
    },
  };
}

/** Creates random credentials of a project. */
export function createRandomEntry(project: string): CredentialEntry {
  return {
    apiKey: randomBytes(18).toString("base64url"),
    secret: randomBytes(32).toString("base64url"),
    project,
  };
}

/**
 * Reads the owner's keys, apps and rooms in a database; creates and migrates nothing. Null when it
 * cannot be read.
 */
export async function ownedIn(address: string): Promise<Owned | null> {
  const isFile = !isPostgresAddress(address);
  if (isFile && !existsSync(address)) return { keys: [], apps: [] };
  try {
    const database = isFile
      ? await openSqlite<Tables>(address)
      : await (
          await import("../../../storage/postgres/open-postgres.ts")
        ).openPostgres<Tables>(address);
    return await readOwned(database).finally(() => database.close());
  } catch {
    return null;
  }
}

/** Returns the instance with `filled` if it names no key, no app, or no room. */
export function withCredentials(
  instance: InstanceConfig,
  filled: CredentialsConfig,
): InstanceConfig {
  const given = instance.credentials ?? NO_CREDENTIALS;
  const key = given.apiKey === null ? filled : given;
  const app = given.chatApp === null ? filled : given;
  const room = given.room ?? filled.room;
  // If the room is uncertain, a chat might reach the wrong one.
  const hasRoom = room !== null || instance.escalation.chat.rooms !== null;
  const chat = given.chatApp !== null || hasRoom ? app : NO_CREDENTIALS;
  const { apiKey, secret } = key;
  const { chatApp, chatSecret } = chat;
  return { ...instance, credentials: { apiKey, secret, chatApp, chatSecret, room } };
}

const NO_CREDENTIALS: CredentialsConfig = {
  apiKey: null,
  secret: null,
  chatApp: null,
  chatSecret: null,
  room: null,
};

/**
 * Finds why instances that hand over cannot reach the owner's project, and the setting that is
 * missing. Empty if the owner has no key, because then the demo credentials are used.
 */
export function findMissing(
  config: Pick<Config, "instances">,
  owned: Owned,
): readonly MissingCredentials[] {
  if (owned.keys.length === 0) return [];
  return config.instances.flatMap((instance, index) =>
    instance.escalation.mode === "managed" && isEmbedded(instance.upstream.auth)
      ? missingOf(instance, owned).map((missing) => ({ ...missing, index }))
      : [],
  );
}

export interface MissingCredentials {
  /** The index of the instance in the configuration. */
  readonly index: number;
  readonly message: string;
  /** The command to run, or the setting to write. */
  readonly hint: string;
}

function missingOf(
  instance: InstanceConfig,
  owned: Owned,
): readonly Omit<MissingCredentials, "index">[] {
  const { name, credentials, escalation, upstream } = instance;
  const { ladder } = escalation;
  const chats = ladder.includes("agents") || ladder.includes("queue");
  const hasChat = isEmbedded(upstream.chat ?? "") && (credentials?.chatApp ?? null) === null;
  const project = projectOf(instance, owned);
  if (project === null) {
    if (credentials !== null && credentials.apiKey !== null && !(chats && hasChat)) return [];
    const projects = [...new Set(owned.keys.map((key) => key.project))].join(", ");
    return [
      {
        message: `"${name}" hands over by itself, and the database has keys of several projects: ${projects}`,
        hint: `Give the instance the name of its project, or its credentials: apiKey, secret${chats ? ", chatApp, chatSecret and room" : ""}.`,
      },
    ];
  }
  if (!chats || !hasChat) return [];
  const begins = `"${name}" hands over by itself, and agents of the project ${project} cannot be reached`;
  const app = appOf(instance, owned, project);
  if (app === null) return [{ message: begins, hint: appHintOf(owned, project) }];
  const found = [];
  const hasRoom = escalation.chat.rooms !== null || (credentials?.room ?? null) !== null;
  if (!hasRoom && app.rooms.length === 0) {
    found.push({
      message: `${begins}: the app ${app.name} has no room`,
      hint: `Make one: afterword backend room add 1 --app ${app.id}`,
    });
  } else if (!hasRoom && app.rooms.length > 1) {
    found.push({
      message: `${begins}: the app ${app.name} has the rooms ${app.rooms.join(", ")}, and none is chosen`,
      hint: `Write credentials: { room: ${app.rooms[0] ?? 1} } into the instance, or escalation.chat.rooms.`,
    });
  }
  if (app.project === null && ladder.includes("ticket")) {
    found.push({
      message: `agents of the app ${app.name} see no tickets of "${name}": the app is tied to no project`,
      hint: `Tie it: afterword backend app tie ${app.id} ${project}`,
    });
  }
  return found;
}

function appHintOf({ apps }: Owned, project: string): string {
  const candidates = candidatesOf(apps, project);
  if (candidates.length === 0) {
    return `Make an app and tie it: afterword backend app add NAME, then afterword backend app tie NAME ${project}`;
  }
  const names = candidates.map((app) => app.name).join(", ");
  return `There are several apps (${names}): write credentials: { chatApp, chatSecret, room } into the instance.`;
}

/** Finds the project whose key the instance names, or whose name it has, or the only one. */
function projectOf(
  { credentials, match, name }: InstanceConfig,
  { keys }: Pick<Owned, "keys">,
): string | null {
  const named = credentials?.apiKey ?? match.apiKey;
  const digest = named === undefined ? null : digestOf(named);
  return (
    keys.find((key) => key.digest === digest)?.project ??
    keys.find(({ project }) => project === name)?.project ??
    findOnlyProject({ keys })
  );
}

function appOf({ credentials }: InstanceConfig, { apps }: Owned, project: string): OwnedApp | null {
  const given = credentials?.chatApp ?? null;
  if (given !== null) return apps.find(({ id }) => id === given) ?? null;
  const [only, ...others] = candidatesOf(apps, project);
  return only === undefined || others.length > 0 ? null : only;
}

/** Lists apps that belong to the project, or else those without a project. */
function candidatesOf(apps: readonly OwnedApp[], project: string): readonly OwnedApp[] {
  const tied = apps.filter((app) => app.project === project);
  return tied.length > 0 ? tied : apps.filter((app) => app.project === null);
}

/** As `readOwned` gives it. */
function digestOf(apiKey: string): string {
  return createHash("sha256").update(apiKey).digest("base64url");
}
