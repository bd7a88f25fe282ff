import type { ChatAgent } from "../../../api/chat/answers.ts";
import { pause } from "../../../wait.ts";
import { Refusal } from "../../http/refusal.ts";
import { toLoginKey, passOnInvitations, readAgent } from "./agents.ts";
import type { ChatRequest } from "../request.ts";
import { readLoginAttempts } from "./login-attempts.ts";
import type { ChatOptions } from "../options.ts";
import { toLoggedOut, toPresence } from "./presence.ts";
import { matchesPassword, USUAL_ROUNDS, withDerivation, retryIn } from "./passwords.ts";
import { issueToken } from "./tokens.ts";
import { withAppLock } from "./queue.ts";
import type { AppLock } from "../app-lock.ts";

/** Signs an agent in, who is online from then on. Throws 401, 429. */
export async function logIn(
  { options, app, network }: Pick<ChatRequest, "options" | "app" | "network">,
  given: { readonly login: string; readonly password: string },
): Promise<{ readonly agent: ChatAgent; readonly session: { readonly token: string } }> {
  const { database, now, pause: wait = pause } = options;
  const name = toLoginKey(given.login);
  const noteRefused = (): void =>
    options.refusedCredential?.({ kind: "agent-login", address: network });
  const attempts = await readLoginAttempts(database, now, { app, login: name, network });
  const { locked, known } = await attempts.standing();
  if (locked > 0) {
    noteRefused();
    throw refuseTooManyWrong(locked);
  }
  const id = await withDerivation(options.derivations, { network, known }, async (derive) => {
    const delay = await attempts.count();
    if (delay === null) {
      noteRefused();
      throw refuseTooManyWrong(60_000);
    }
    if (delay > 0 && !known) await wait(delay);
    const row = await database.kysely
      .selectFrom("chat_agents")
      .select(["id", "password"])
      .where("app", "=", app)
      .where("login", "=", name)
      .executeTakeFirst();
    // An unknown login takes as long as a known one, so that the time does not show which exist.
    const record = row?.password ?? createDummyRecord(options);
    return (await matchesPassword(record, given.password, derive)) ? row?.id : undefined;
  });
  if (id === undefined) {
    noteRefused();
    throw new Refusal(401, "The login or the password is wrong.");
  }
  await attempts.succeeded();
  return withAppLock(options, app, async ({ queries }) => {
    const online = { ...toPresence(true, "agent"), status: "online", idle_since: now() };
    await queries.updateTable("chat_agents").set(online).where("id", "=", id).execute();
    const token = await issueToken(queries, options, app, { id, kind: "agent" });
    return { agent: await readAgent(queries, app, id), session: { token } };
  });
}

function refuseTooManyWrong(milliseconds: number): Refusal {
  const seconds = Math.ceil(milliseconds / 1000);
  const message = `Too many wrong passwords. Try again in ${seconds} seconds.`;
  return new Refusal(429, message, {}, retryIn(seconds));
}

/** Signs an agent out, or out of some rooms. Their chats wait for them a while. Throws 404. */
export async function logOut(
  options: ChatOptions,
  app: string,
  id: string,
  rooms: readonly string[],
): Promise<void> {
  await withAppLock(options, app, async (lock) => {
    const { queries } = lock;
    await readAgent(queries, app, id);
    if (rooms.length > 0) {
      const query = queries.deleteFrom("chat_agent_rooms").where("agent", "=", id);
      await query.where("room", "in", [...rooms]).execute();
      return;
    }
    await goOffline(lock, id);
    await queries.deleteFrom("chat_tokens").where("person", "=", id).execute();
  });
}

export async function goOffline(lock: AppLock, id: string): Promise<void> {
  const update = lock.queries.updateTable("chat_agents").set(toLoggedOut(lock.now));
  await update.where("id", "=", id).execute();
  await passOnInvitations(lock, id);
}

/** A record that no password matches. */
function createDummyRecord({ passwordRounds = USUAL_ROUNDS }: ChatOptions): string {
  return `pbkdf2:${passwordRounds}:${"A".repeat(22)}:${"-".repeat(43)}`;
}
