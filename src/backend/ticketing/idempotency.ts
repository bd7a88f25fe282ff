import { toStorable } from "../../storage/storable.ts";
import { hashSha256Hex } from "../../json/bytes.ts";
import type { Queries } from "../storage/tables/database.ts";
import { Refusal } from "../http/refusal.ts";

export interface IdempotentRequest {
  readonly project: string;
  /** Null if the client sent none. */
  readonly key: string | null;
  /** The request, as text. */
  readonly request: string;
  readonly now: number;
}

const MAX_KEY_LENGTH = 255;

/**
 * Runs `create`, or returns the id that an earlier run with the same key created. The key is stored
 * in the transaction of `create`, so that both are committed or neither. Of two concurrent requests,
 * one waits for the other.
 *
 * @throws Refusal 409 for a key that was used for something else
 */
export async function createOnce(
  queries: Queries,
  { project, key, request, now }: IdempotentRequest,
  create: () => Promise<number>,
): Promise<number> {
  if (key === null) return create();
  if (key.length > MAX_KEY_LENGTH)
    throw new Refusal(422, "Idempotency-Key: is longer than 255 characters");
  const digest = await hashSha256Hex(request);
  const row = { project, key: toStorable(key), request: digest, created_id: 0, created: now };
  const taken = await queries
    .insertInto("idempotency_keys")
    .values(row)
    .onConflict((conflict) => conflict.columns(["project", "key"]).doNothing())
    .returning("created_id")
    .executeTakeFirst();
  if (taken === undefined) return findFormer(queries, row);
  const id = await create();
  await queries
    .updateTable("idempotency_keys")
    .set({ created_id: id })
    .where("project", "=", project)
    .where("key", "=", row.key)
    .execute();
  return id;
}

async function findFormer(
  queries: Queries,
  row: { readonly project: string; readonly key: string; readonly request: string },
): Promise<number> {
  const before = await queries
    .selectFrom("idempotency_keys")
    .select(["request", "created_id"])
    .where("project", "=", row.project)
    .where("key", "=", row.key)
    .executeTakeFirstOrThrow();
  if (before.request === row.request) return before.created_id;
  throw new Refusal(409, "Idempotency-Key: was used for another request: take a new key");
}
