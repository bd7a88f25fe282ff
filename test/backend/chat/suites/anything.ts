import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readCandidates } from "../../../../src/backend/chat/candidates.ts";
import { chooseAgent } from "../../../../src/backend/chat/choose-agent.ts";
import type { Json } from "../../client.ts";
import { service } from "../service.ts";
import type { Answered, Service } from "../service.ts";

/** Something that somebody does; numbers choose who and to which chat. */
interface Step {
  readonly act: string;
  readonly who: number;
  readonly chat: number;
}

const acts = [
  ...["create", "create", "assign", "accept", "accept", "accept", "reject", "join", "leave"],
  ...["return", "transfer", "invite", "inbox", "say", "say", "say", "close", "online", "offline"],
  ...["time", "queue", "slots"],
];
const step: fc.Arbitrary<Step> = fc.record({
  act: fc.constantFrom(...acts),
  who: fc.nat(5),
  chat: fc.nat(5),
});
// Steps within one list happen at the same moment.
const script: fc.Arbitrary<Step[][]> = fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), {
  minLength: 5,
  maxLength: 25,
});

/** Whatever many people do to many chats in whatever order, and at once: the rules hold after every moment. */
export function anything(title: string, address: () => Promise<string | null>, runs: number): void {
  describe(`anything that anybody does over ${title}`, () => {
    test("breaks no capacity, no holder and no order", { timeout: 120_000 }, async () => {
      const seen = new Set<string>();
      await fc.assert(
        fc.asyncProperty(script, async (moments) => {
          const made = await service(await address());
          const people = await cast(made);
          await begin(made, people);
          for (const moment of moments) {
            const done = await Promise.all(moment.map((one) => take(made, people, one)));
            for (const [index, { status }] of done.entries()) {
              expect([200, 403, 409, 422]).toContain(status);
              if (status === 200) seen.add(moment[index]?.act ?? "");
            }
            await holdsTogether(made);
          }
          await made.options.database.close();
        }),
        { numRuns: runs },
      );
      // It must have got somewhere: each of these has happened.
      for (const act of ["create", "assign", "accept", "say", "close"]) expect(seen).toContain(act);
    });
  });
}

interface People {
  readonly users: readonly string[];
  readonly agents: readonly string[];
}

async function cast({ user, agent }: Service): Promise<People> {
  const users = [];
  const agents = [];
  for (let n = 0; n < 6; n += 1) users.push(await user());
  for (let n = 0; n < 3; n += 1) {
    agents.push(await agent({ slots: n, rooms: n === 2 ? ["1", "2"] : ["1"] }));
  }
  return { users, agents };
}

/** One chat that an agent holds, one to which one is invited, and one of which nobody knows yet. */
async function begin({ ask }: Service, { users }: People): Promise<void> {
  // Opens the connections of a pool, so that what comes at once is done at once.
  await Promise.all(Array.from({ length: 8 }, () => ask("GET", "chats")));
  for (const creator of users.slice(0, 3)) await ask("POST", "chats", { room: 1, creator });
  const { body } = await ask("GET", "chats");
  const [first, second] = body.chats;
  const found = await ask("GET", `chats/${first.id}/assign`);
  const accepted = { chatId: first.id, userId: found.body.agent.id };
  await ask("POST", "invitations/accept", accepted);
  await ask("GET", `chats/${second.id}/assign`);
}

const nothing = (status: number): Answered => ({ status, body: {}, headers: new Headers() });

async function take(
  { ask, time, chores }: Service,
  { users, agents }: People,
  { act, who, chat }: Step,
): Promise<Answered> {
  const user = users[who % users.length];
  const agent = agents[who % agents.length];
  const listed = await ask("GET", "chats?length=200");
  // Mostly what is open: nothing much happens to the others.
  const all: Json[] = listed.body.chats.filter(
    (one: Json) => !one.closed || (who === 0 && chat === 0),
  );
  const id = all[chat % Math.max(1, all.length)]?.id;
  if (act === "create") return ask("POST", "chats", { room: 1 + (chat % 2), creator: user });
  if (act === "online" || act === "offline") {
    return ask("PUT", `agents/${agent}`, { online: act === "online" });
  }
  if (act === "slots") return ask("PUT", `agents/${agent}`, { slots: 2 });
  if (act === "queue") return ask("PUT", "settings", { queue: { active: chat < 3 } });
  if (act === "time") {
    time.advance(20);
    await chores();
    return nothing(200);
  }
  if (id === undefined) return nothing(409);
  const { body } = await ask("GET", `chats/${id}/history`);
  const invited = body.history.findLast(({ trigger }: Json) => trigger === "invitations:new");
  const asked = invited?.data.userId ?? agent;
  const open = (await ask("GET", `chats/${id}`)).body.chat;
  switch (act) {
    case "assign":
      return ask("GET", `chats/${id}/assign`);
    case "accept":
    case "reject":
      return ask("POST", `invitations/${act}`, { chatId: id, userId: asked });
    case "join":
      return ask("POST", `chats/${id}/join`, { userId: agent });
    case "return":
      return ask("POST", `chats/${id}/join`, { userId: open.creator });
    case "leave":
      return ask("PUT", `chats/${id}/leave`, { userId: who < 2 ? open.creator : agent });
    case "transfer":
      return ask("POST", `chats/${id}/transfer`, { userId: agent });
    case "invite":
      return ask("POST", "invitations", { chatId: id, userId: agent });
    case "inbox":
      return ask("POST", `chats/${id}/toinbox`);
    case "close":
      return ask("DELETE", `chats/${id}`);
    default: {
      const sender = who < 3 ? open.creator : agent;
      return ask("POST", `chats/${id}/messages`, { sender, message: `from ${who}` });
    }
  }
}

async function holdsTogether({ options, ask, appId }: Service): Promise<void> {
  const { kysely } = options.database;
  const chats = await kysely.selectFrom("chat_chats").selectAll().orderBy("number").execute();
  const members = await kysely
    .selectFrom("chat_members")
    .selectAll()
    .where("left_at", "is", null)
    .execute();
  const inside = (chat: number, person: string | null): boolean =>
    members.some((member) => member.chat === chat && member.person === person);
  for (const chat of chats) {
    const agents = members.filter((one) => one.chat === chat.number && one.kind === "agent");
    // One holds a chat that is held, and nobody any other; and who holds it is in it.
    expect([chat.phase, chat.holder !== null]).toEqual([chat.phase, chat.phase === "held"]);
    if (chat.holder !== null) expect(inside(chat.number, chat.holder)).toBe(true);
    if (chat.phase !== "closed" && chat.phase !== "held") expect(agents).toEqual([]);
    // Only what is invited has somebody invited, but for a held one that another is asked to.
    if (chat.phase === "invited") expect(chat.invited).not.toBeNull();
    else if (chat.phase !== "held") expect(chat.invited).toBeNull();
    if (chat.invited !== null) {
      expect(chat.due).not.toBeNull();
      expect(inside(chat.number, chat.invited)).toBe(false);
    }
    expect(chat.phase === "queued" && chat.queued === null).toBe(false);
    // No search hangs: there is no address that could choose.
    expect(chat.phase).not.toBe("searching");
  }
  const open = chats.filter(({ phase }) => phase !== "closed").map(({ creator }) => creator);
  expect(new Set(open).size).toBe(open.length);

  const { body } = await ask("GET", "agents");
  for (const agent of body.agents) {
    const holding = members.filter(
      (one) =>
        one.person === agent.id &&
        chats.some((chat) => chat.number === one.chat && chat.phase !== "closed"),
    );
    const invited = chats.filter((chat) => chat.invited === agent.id);
    expect(agent.load).toBe(holding.length + invited.length);
    expect(agent.load).toBeLessThanOrEqual(agent.slots);
    if (!agent.online) expect(invited).toEqual([]);
  }

  // Places are counted from one in each room, in the order in which the chats were opened.
  const queued = chats.filter(({ phase, queued: since }) => phase !== "closed" && since !== null);
  for (const room of ["1", "2"]) {
    const places = queued.filter((chat) => chat.room === room).map((chat) => chat.queue_position);
    expect(places).toEqual(places.map((_, index) => index + 1));
  }
  // Nobody waits whom somebody could take.
  const candidates = await readCandidates(kysely, appId);
  const tries = await kysely.selectFrom("chat_tries").selectAll().execute();
  for (const chat of chats.filter(({ phase }) => phase === "queued")) {
    const tried = tries.filter((one) => one.chat === chat.number && one.until > options.now());
    const except = new Set(tried.map(({ agent }) => agent));
    expect(chooseAgent(candidates, { room: chat.room, lang: chat.lang, except })).toBeNull();
  }
  // What was said in a chat stands in its log in the same order, and nothing after it was closed.
  const log = await kysely.selectFrom("chat_log").selectAll().orderBy("number").execute();
  const messages = await kysely.selectFrom("chat_messages").selectAll().orderBy("number").execute();
  for (const chat of chats) {
    const told = log.filter((event) => event.chat === chat.number);
    const said = told
      .filter((event) => event.trigger_name === "messages:new")
      .map((event): string => JSON.parse(event.data).message.id);
    const stored = messages.filter((message) => message.chat === chat.number);
    expect(said).toEqual(stored.map(({ id }) => id));
    const end = told.findIndex((event) => event.trigger_name === "chats:close");
    expect(end === -1 || end === told.length - 1).toBe(true);
    expect(end !== -1).toBe(chat.phase === "closed");
  }
}
