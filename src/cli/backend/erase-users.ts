import type { Queries } from "../../backend/storage/tables/database.ts";
import { keyOf } from "../../backend/ticketing/users.ts";
import { forgetTexts } from "./erase-chats.ts";
import { askInPortions, clearWhere } from "./in-portions.ts";

export interface ErasedUser {
  readonly id: number;
  readonly project: string;
  readonly address: string;
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Finds the users of an address, a number or a UUID. */
export async function findUsers(
  queries: Queries,
  { user, project }: { readonly user: string; readonly project: string | null },
): Promise<readonly ErasedUser[]> {
  const given = user.trim().toLowerCase();
  const rows = await queries
    .selectFrom("users")
    .select(["id", "project", "address"])
    .where((builder) =>
      builder.or([
        builder("address_key", "=", keyOf(user)),
        ...(uuid.test(given) ? [builder("hash_uuid", "=", given)] : []),
        ...(/^\d{1,15}$/.test(given) ? [builder("id", "=", Number(given))] : []),
      ]),
    )
    .orderBy("id")
    .execute();
  return rows.filter((row) => project === null || row.project === project);
}

/** Takes the users out of others' tickets and their histories. */
export async function removeNames(queries: Queries, users: readonly number[]): Promise<number> {
  const solved = await clearWhere(queries, "tickets", "solver", users);
  const acted = await clearWhere(queries, "ticket_events", "actor", users);
  for (const column of ["before", "after"] as const) {
    await askInPortions(users.map(String), (some) =>
      queries
        .updateTable("ticket_events")
        .set({ [column]: null })
        .where("field", "=", "solver")
        .where(column, "in", some)
        .returning("id")
        .execute(),
    );
  }
  return solved + acted;
}

/** A reply in another's ticket needs a writer: the row stays, without a name. */
export async function removeUsers(queries: Queries, users: readonly number[]): Promise<void> {
  await forgetTexts(queries, "user", users);
  for (const id of users) {
    const reply = await queries
      .selectFrom("replies")
      .select("id")
      .where("creator", "=", id)
      .executeTakeFirst();
    if (reply === undefined) {
      await queries.deleteFrom("users").where("id", "=", id).execute();
      continue;
    }
    const nobody = `erased-${id}`;
    await queries
      .updateTable("users")
      .set({
        name: "",
        address: nobody,
        address_key: nobody,
        extra: "[]",
        hash_uuid: crypto.randomUUID(),
      })
      .where("id", "=", id)
      .execute();
  }
}
