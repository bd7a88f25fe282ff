import { hashSha256Hex } from "../../json/bytes.ts";
import { isUniqueViolation } from "../../storage/unique.ts";
import { createAgent } from "./agents/agents.ts";
import type { ChatOptions } from "./options.ts";
import { saveRoom } from "./agents/rooms.ts";

/** Credentials that work out of the box, for a listener that only this machine can reach. */
export const DEMO_CHAT = {
  appId: "demo-app",
  secret: "demo-app-secret",
  agent: "demo-agent",
  /**
   * The demo agent's login is its id. The password is public and shorter than clients may set, but
   * it is for the demo app only, which is not served on listeners that others can reach.
   */
  password: "demo-agent",
  room: "1",
  /** The project of the demo key, whose tickets the demo agent reads. */
  project: "shop",
} as const;

/** The password is public, so more rounds would only cost time. */
const demoRounds = 1;

/** Creates the demo app with a room and an agent, unless it exists. */
export async function ensureDemo(options: ChatOptions): Promise<void> {
  const { database, now } = options;
  const { appId: id, secret, agent, password, room, project } = DEMO_CHAT;
  const row = { id, name: "Demo", secret: await hashSha256Hex(secret), demo: 1, created: now() };
  await database.kysely
    .insertInto("chat_apps")
    .values({ ...row, project, revoked: null, turn: 0 })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .execute();
  const known = await database.kysely
    .selectFrom("chat_agents")
    .select("id")
    .where("id", "=", agent)
    .executeTakeFirst();
  if (known !== undefined) return;
  await saveRoom(database.kysely, id, { id: room, name: "Demo room" });
  const rights = { TICKET_VIEW: true, TICKET_EDIT: true };
  const person = { name: "Demo agent", nickname: "Sam", login: agent, password, rooms: [room] };
  try {
    const quick = { ...options, passwordRounds: demoRounds };
    await createAgent(quick, id, { ...person, rights }, { id: agent });
  } catch (error) {
    // Another process at the same database has created it meanwhile.
    if (!isUniqueViolation(error)) throw error;
  }
}
