import type { BackendDatabase } from "../storage/tables/database.ts";

/** The keys and apps that the owner has made in a database. The demo's key, app and room are not part of it. */
export interface Owned {
  /** Keys that are not revoked. */
  readonly keys: readonly OwnedKey[];
  /** Apps of the live chat that are not revoked. */
  readonly apps: readonly OwnedApp[];
}

interface OwnedKey {
  /** SHA-256 of the API key, in base64url. */
  readonly digest: string;
  readonly project: string;
}

export interface OwnedApp {
  readonly id: string;
  readonly name: string;
  /** The project whose tickets its agents may see, or null. */
  readonly project: string | null;
  readonly rooms: readonly string[];
}

export async function readOwned({ kysely }: Pick<BackendDatabase, "kysely">): Promise<Owned> {
  const keys = await kysely
    .selectFrom("api_keys")
    .select(["key_digest as digest", "project"])
    .where("revoked", "is", null)
    .orderBy("created")
    .execute();
  const apps = await kysely
    .selectFrom("chat_apps")
    .select(["id", "name", "project"])
    .where("demo", "=", 0)
    .where("revoked", "is", null)
    .orderBy("created")
    .orderBy("id")
    .execute();
  const rooms = await kysely
    .selectFrom("chat_rooms")
    .select(["app", "id"])
    .orderBy("app")
    .orderBy("id")
    .execute();
  return {
    keys,
    apps: apps.map((app) => ({
      ...app,
      rooms: rooms.filter((room) => room.app === app.id).map(({ id }) => id),
    })),
  };
}

/** The only project that the owner has keys for; null where there is none, or several. */
export function findOnlyProject({ keys }: Pick<Owned, "keys">): string | null {
  const [project, ...others] = new Set(keys.map((key) => key.project));
  return project === undefined || others.length > 0 ? null : project;
}
