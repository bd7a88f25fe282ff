import type { ChatAgent } from "../../wire/chat/types.ts";
import { Refusal } from "../refusal.ts";
import { loginKey, passOnInvitations, readAgent } from "./agents.ts";
import type { ChatOptions } from "./options.ts";
import { passwordMatches, USUAL_ROUNDS } from "./passwords.ts";
import { issueToken } from "./tokens.ts";
import { takeTurn } from "./turn.ts";
import type { Turn } from "./turn.ts";

/** So many wrong passwords in a row lock a login for a minute. */
const mostFailures = 10;
const lockedFor = 60_000;

/** Signs an agent in, who is online from then on. Throws 401, 429. */
export async function login(
  options: ChatOptions,
  app: string,
  given: { readonly login: string; readonly password: string },
): Promise<{ readonly agent: ChatAgent; readonly session: { readonly token: string } }> {
  const { database, now } = options;
  const row = await database.kysely
    .selectFrom("chat_agents")
    .select(["id", "password", "locked"])
    .where("app", "=", app)
    .where("login", "=", loginKey(given.login))
    .executeTakeFirst();
  if (row !== undefined && row.locked > now()) {
    throw new Refusal(429, "Too many wrong passwords. Try again in a minute.");
  }
  // Who is not there takes as long as who is: nobody learns by the clock which logins exist.
  const matches = await passwordMatches(row?.password ?? nobodys(options), given.password);
  if (row === undefined || !matches) {
    if (row !== undefined) await noteFailure(options, row.id);
    throw new Refusal(401, "The login or the password is wrong.");
  }
  return takeTurn(options, app, async ({ queries }) => {
    await queries
      .updateTable("chat_agents")
      .set({ online: 1, failures: 0, idle_since: now() })
      .where("id", "=", row.id)
      .execute();
    const token = await issueToken(queries, options, app, { id: row.id, kind: "agent" });
    return { agent: await readAgent(queries, app, row.id), session: { token } };
  });
}

/** Signs an agent out, or out of some rooms only. Chats that the agent holds stay the agent's. Throws 404. */
export async function logout(
  options: ChatOptions,
  app: string,
  id: string,
  rooms: readonly string[],
): Promise<void> {
  await takeTurn(options, app, async (turn) => {
    const { queries } = turn;
    await readAgent(queries, app, id);
    if (rooms.length > 0) {
      const query = queries.deleteFrom("chat_agent_rooms").where("agent", "=", id);
      await query.where("room", "in", [...rooms]).execute();
      return;
    }
    await goOffline(turn, id);
    await queries.deleteFrom("chat_tokens").where("person", "=", id).execute();
  });
}

export async function goOffline(turn: Turn, id: string): Promise<void> {
  await turn.queries.updateTable("chat_agents").set({ online: 0 }).where("id", "=", id).execute();
  await passOnInvitations(turn, id);
}

/** A record that no password matches. */
function nobodys({ passwordRounds = USUAL_ROUNDS }: ChatOptions): string {
  return `pbkdf2:${passwordRounds}:${"A".repeat(22)}:${"-".repeat(43)}`;
}

async function noteFailure({ database, now }: ChatOptions, id: string): Promise<void> {
  const { failures } = await database.kysely
    .updateTable("chat_agents")
    .set((builder) => ({ failures: builder("failures", "+", 1) }))
    .where("id", "=", id)
    .returning("failures")
    .executeTakeFirstOrThrow();
  if (failures < mostFailures) return;
  await database.kysely
    .updateTable("chat_agents")
    .set({ failures: 0, locked: now() + lockedFor })
    .where("id", "=", id)
    .execute();
}
