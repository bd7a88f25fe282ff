import { LRUCache } from "lru-cache";
import { z } from "zod";
import { fromHex, hashSha256, toHex, toBase64Url } from "../../json/bytes.ts";
import type { BackendDatabase } from "../storage/tables/database.ts";
import { isUniqueViolation } from "../../storage/unique.ts";
import { AfterwordError } from "../../errors.ts";
import type { Credential, CredentialEntry, Credentials } from "./credentials.ts";
import { toCredential } from "./credentials.ts";

/** A key as lists show it, without the key itself and its secrets. */
export interface KeySummary {
  readonly name: string;
  readonly project: string;
  readonly factor: number;
  readonly domains: readonly string[];
  /** Milliseconds since the epoch. */
  readonly created: number;
  readonly revoked: number | null;
}

/**
 * API keys in the database, as digests. A key and its secrets are shown once, when they are made.
 */
export interface StoredKeys {
  /** Adds a key. Throws `argument-invalid` when the name is taken. */
  add(name: string, entry: CredentialEntry): Promise<void>;
  list(): Promise<readonly KeySummary[]>;
  /** Revokes a key and its tokens. False when there is none of that name, or it was revoked before. */
  revoke(name: string): Promise<boolean>;
}

export function createStoredKeys(database: BackendDatabase, now: () => number): StoredKeys {
  const { kysely } = database;
  return {
    async add(name, entry) {
      const document = JSON.stringify(toDocument(await toCredential(entry)));
      const row = { name, project: entry.project, document, created: now(), revoked: null };
      const digest = await digestOf(entry.apiKey);
      try {
        await database.durable((queries) =>
          queries
            .insertInto("api_keys")
            .values({ ...row, key_digest: digest })
            .execute(),
        );
      } catch (error) {
        if (!isUniqueViolation(error)) throw error;
        throw new AfterwordError("argument-invalid", `there is a key called "${name}" already`);
      }
    },
    async list() {
      const rows = await kysely.selectFrom("api_keys").selectAll().orderBy("created").execute();
      return rows.map(({ name, project, document, created, revoked }) => {
        const { factor, domainKeys } = stored.parse(JSON.parse(document));
        const domains = domainKeys.flatMap((key) => key.domains);
        return { name, project, factor, domains, created, revoked };
      });
    },
    async revoke(name) {
      const query = kysely.updateTable("api_keys").set({ revoked: now() }).where("name", "=", name);
      const done = await query.where("revoked", "is", null).returning("name").executeTakeFirst();
      return done !== undefined;
    },
  };
}

// Milliseconds for which a process caches a key. A revoked key may be accepted that much longer.
const cacheTime = 1_000;

/** Looks up credentials in the database, each key at most once a second. */
export function createStoredCredentials(database: BackendDatabase, now: () => number): Credentials {
  const cache = new LRUCache<
    string,
    { readonly until: number; readonly found: Promise<Credential | null> }
  >({ max: 10_000 });
  return {
    async find(apiKey) {
      const digest = await digestOf(apiKey);
      const cached = cache.get(digest);
      if (cached !== undefined && cached.until > now()) return cached.found;
      const found = readCredential(database, digest, apiKey);
      cache.set(digest, { until: now() + cacheTime, found });
      found.catch(() => cache.delete(digest));
      return found;
    },
  };
}

/** Combines several sources of credentials. The first one that knows a key wins. */
export function joinCredentials(...all: readonly Credentials[]): Credentials {
  return {
    async find(apiKey) {
      for (const credentials of all) {
        const found = await credentials.find(apiKey);
        if (found !== null) return found;
      }
      return null;
    },
  };
}

async function readCredential(
  { kysely }: BackendDatabase,
  digest: string,
  apiKey: string,
): Promise<Credential | null> {
  const row = await kysely
    .selectFrom("api_keys")
    .select(["project", "document"])
    .where("key_digest", "=", digest)
    .where("revoked", "is", null)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { secretDigest, domainKeys, personalSecrets, ...rest } = stored.parse(
    JSON.parse(row.document),
  );
  return {
    ...rest,
    apiKey,
    project: row.project,
    demo: false,
    secretDigest: fromHex(secretDigest),
    domainKeys: domainKeys.map((key) => ({ ...key, digest: fromHex(key.digest) })),
    personalSecrets: personalSecrets.map((one) => ({ ...one, digest: fromHex(one.digest) })),
  };
}

const hex = z.string().regex(/^(?:[0-9a-f]{2})+$/);

const stored = z.object({
  id: z.string(),
  secretDigest: hex,
  domainKeys: z.array(z.object({ id: z.string(), digest: hex, domains: z.array(z.string()) })),
  personalSecrets: z.array(z.object({ name: z.string(), digest: hex })),
  factor: z.number(),
  notBefore: z.number(),
});

function toDocument(credential: Credential): z.infer<typeof stored> {
  const { id, secretDigest, domainKeys, personalSecrets, factor, notBefore } = credential;
  return {
    id,
    factor,
    notBefore,
    secretDigest: toHex(secretDigest),
    domainKeys: domainKeys.map((key) => ({
      id: key.id,
      digest: toHex(key.digest),
      domains: [...key.domains],
    })),
    personalSecrets: personalSecrets.map(({ name, digest }) => ({ name, digest: toHex(digest) })),
  };
}

async function digestOf(apiKey: string): Promise<string> {
  return toBase64Url(await hashSha256(apiKey));
}
