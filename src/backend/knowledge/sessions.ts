import { readBearer } from "../auth/access.ts";
import { hashSha256, toBase64Url } from "../../json/bytes.ts";
import type { BackendDatabase } from "../storage/tables/database.ts";
import { toStorable } from "../../storage/storable.ts";

/** Idle milliseconds after which a token gets a new session: 30 minutes (knowledge.md 5). */
const SESSION_IDLE = 1_800_000;

export interface KnowledgeSession {
  /** The id in events. It is no credential. */
  readonly id: string;
  readonly sdkVersion: string | null;
}

export interface Sessions {
  begin(
    project: string,
    sdkVersion: string | null,
  ): Promise<{ readonly sessionToken: string; readonly sessionId: string }>;
  /**
   * Finds the session of the header `x-inbenta-session`, with or without `Bearer `, and renews it.
   * Null without the header, and for an unknown token or one of another project: sessions are
   * optional.
   */
  use(project: string, header: string | null): Promise<KnowledgeSession | null>;
}

export interface SessionsOptions {
  readonly database: BackendDatabase;
  readonly now: () => number;
  readonly random: (length: number) => Uint8Array;
}

export function createSessions({ database, now, random }: SessionsOptions): Sessions {
  const createId = (): string => toBase64Url(random(16));
  // Two concurrent requests get the same new session: the second waits for the row's update.
  const resume = (key: string, at: number) =>
    database.kysely
      .updateTable("knowledge_sessions")
      .set((builder) => {
        const idle = builder("last", "<=", at - SESSION_IDLE);
        return {
          session: builder.case().when(idle).then(createId()).else(builder.ref("session")).end(),
          began: builder.case().when(idle).then(at).else(builder.ref("began")).end(),
          last: at,
        };
      })
      .where("key", "=", key)
      .returning(["session", "sdk_version"])
      .executeTakeFirst();
  return {
    async begin(project, sdkVersion) {
      const sessionToken = toBase64Url(random(32));
      const sessionId = createId();
      const at = now();
      await database.kysely
        .insertInto("knowledge_sessions")
        .values({
          key: await keyOf(project, sessionToken),
          project,
          session: sessionId,
          began: at,
          last: at,
          sdk_version: sdkVersion === null ? null : toStorable(sdkVersion),
        })
        .execute();
      return { sessionToken, sessionId };
    },
    async use(project, header) {
      const token = readBearer(header) ?? header?.trim() ?? "";
      if (token === "" || token.length > 500) return null;
      const key = await keyOf(project, token);
      const at = now();
      const active = await database.kysely
        .updateTable("knowledge_sessions")
        .set({ last: at })
        .where("key", "=", key)
        .where("last", ">", at - SESSION_IDLE)
        .returning(["session", "sdk_version"])
        .executeTakeFirst();
      const row = active ?? (await resume(key, at));
      return row === undefined ? null : { id: row.session, sdkVersion: row.sdk_version };
    },
  };
}

// Only a hash is stored. It includes the project, so that the token is invalid elsewhere.
async function keyOf(project: string, token: string): Promise<string> {
  return toBase64Url(await hashSha256(JSON.stringify([project, token])));
}
