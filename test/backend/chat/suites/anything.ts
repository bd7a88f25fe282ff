import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { chooseAgent, readCandidates } from "../../../../src/backend/chat/agents/choose-agent.ts";
import type { Json } from "../../client.ts";
import type { ChatPerson } from "../../../../src/backend/chat/caller.ts";
import type { Subscription } from "../../../../src/backend/chat/events/subscription.ts";
import { service } from "../service.ts";
import type { Answered, Service } from "../service.ts";

/** One act; numbers choose its actor and its chat. */
interface Step {
  readonly act: string;
  readonly who: number;
  readonly chat: number;
  /** With a token of their own, or by the app's server. */
  readonly own: boolean;
}

const acts = [
  ...["create", "create", "assign", "accept", "accept", "accept", "reject", "join", "leave"],
  ...["return", "transfer", "invite", "inbox", "say", "say", "say", "close", "online", "offline"],
  ...["time", "silence", "queue", "slots", "read", "write"],
];
const step: fc.Arbitrary<Step> = fc.record({
  act: fc.constantFrom(...acts),
  who: fc.nat(5),
  chat: fc.nat(5),
  own: fc.boolean(),
});
// Steps within one list happen concurrently.
const script: fc.Arbitrary<Step[][]> = fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), {
  minLength: 5,
  maxLength: 25,
});

/** Acts that rarely happen in a few random runs, done once on purpose. */
const usual: Step[][] = [
  { act: "accept", who: 0, chat: 1 },
  { act: "say", who: 0, chat: 1 },
  { act: "create", who: 4, chat: 0 },
  { act: "assign", who: 0, chat: 2 },
  { act: "close", who: 0, chat: 0 },
].map((one) => [{ ...one, own: false }]);

/**
 * The rules of chats hold at every moment, whatever several people do in any order and
 * concurrently.
 */
export function anything(title: string, address: () => Promise<string | null>, runs: number): void {
  describe(`random actions over ${title}`, () => {
    test("exceed no agent's limit, give no chat to two agents, and keep the order", async () => {
      const seen = new Set<string>();
      await fc.assert(
        fc.asyncProperty(script, async (moments) => {
          const made = await service(await address());
          const people = await cast(made);
          const checkStreams = await listenAll(made, people);
          await begin(made, people);
          for (const moment of moments) {
            const done = await Promise.all(moment.map((one) => take(made, people, one)));
            for (const [index, { status }] of done.entries()) {
              expect([200, 403, 404, 409, 422]).toContain(status);
              if (status === 200) seen.add(moment[index]?.act ?? "");
            }
            await holdsTogether(made);
          }
          await checkStreams();
          await made.options.database.close();
        }),
        { examples: [[usual]], numRuns: runs },
      );
      // Each of these must have happened at least once.
      for (const act of ["create", "assign", "accept", "say", "close"]) expect(seen).toContain(act);
    });
  });
}

interface People {
  readonly users: readonly string[];
  readonly agents: readonly string[];
  readonly tokens: ReadonlyMap<string, string>;
}

async function cast({ ask, agent }: Service): Promise<People> {
  const users = [];
  const agents = [];
  const tokens = new Map<string, string>();
  for (let n = 0; n < 6; n += 1) {
    const { body } = await ask("POST", "users", { name: `User ${n}` });
    users.push(body.user.id);
    tokens.set(body.user.id, body.session.token);
  }
  for (let n = 0; n < 3; n += 1) {
    const login = `agent-${n}`;
    agents.push(await agent({ login, slots: n, rooms: n === 2 ? ["1", "2"] : ["1"] }));
    const { body } = await ask("POST", "agents/login", { login, password: "a long password" });
    tokens.set(body.agent.id, body.session.token);
  }
  return { users, agents, tokens };
}

/**
 * Streams of the app, of a user and of an agent. In the end each has sent all of its events, once
 * and in order.
 */
async function listenAll(
  { options, appId }: Service,
  { users, agents }: People,
): Promise<() => Promise<void>> {
  const [user = "", agent = ""] = [users[0], agents[2]];
  const { kysely } = options.database;
  const open = async (person: ChatPerson | null): Promise<Subscription> => {
    const stream = await options.feed.open({ app: appId, person }, 0);
    if (stream === null) throw new Error("the feed has ended");
    return stream;
  };
  const all = await open(null);
  const users0 = await open({ id: user, kind: "user" });
  const agents2 = await open({ id: agent, kind: "agent" });
  return async () => {
    const log = await kysely.selectFrom("chat_log").selectAll().orderBy("number").execute();
    const chats = await kysely.selectFrom("chat_chats").select(["number", "creator"]).execute();
    const own = new Set(
      chats.filter(({ creator }) => creator === user).map(({ number }) => number),
    );
    expect(await readNumbers(all, log.length)).toEqual(log.map(({ number }) => number));
    const users0Log = log.filter(({ chat }) => chat !== null && own.has(chat));
    expect(await readNumbers(users0, users0Log.length)).toEqual(
      users0Log.map(({ number }) => number),
    );
    // The agent of both rooms may see everything.
    expect(await readNumbers(agents2, log.length)).toEqual(log.map(({ number }) => number));
    for (const stream of [all, users0, agents2]) stream.close();
  };
}

async function readNumbers(stream: Subscription, count: number): Promise<number[]> {
  const numbers: number[] = [];
  while (numbers.length < count) {
    const events = await stream.next(3_000);
    if (events.length === 0) break;
    numbers.push(...events.map(({ number }) => number));
  }
  return numbers;
}

/** One chat that an agent holds, one with an invitation, and one without an agent. */
async function begin({ ask }: Service, { users }: People): Promise<void> {
  // Opens the connections of a pool, so that concurrent calls really run at once.
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
  { ask: askServer, askAs, time, chores }: Service,
  { users, agents, tokens }: People,
  { act, who, chat, own }: Step,
): Promise<Answered> {
  const user = users[who % users.length] ?? "";
  const agent = agents[who % agents.length] ?? "";
  // As the person itself, or as the app's server, which names the person.
  const askBy = (person: string): Service["ask"] =>
    own ? (...asked) => askAs(tokens.get(person) ?? "", asked[0], asked[1], asked[2]) : askServer;
  const listed = await askServer("GET", "chats?length=200");
  // Mostly open chats, because little happens in the others.
  const all: Json[] = listed.body.chats.filter(
    (one: Json) => !one.closed || (who === 0 && chat === 0),
  );
  const id = all[chat % Math.max(1, all.length)]?.id;
  if (act === "create") {
    return askBy(user)("POST", "chats", { room: 1 + (chat % 2), creator: user });
  }
  if (act === "online" || act === "offline") {
    return askServer("PUT", `agents/${agent}`, { online: act === "online" });
  }
  if (act === "slots") return askServer("PUT", `agents/${agent}`, { slots: 2 });
  if (act === "queue") return askServer("PUT", "settings", { queue: { active: chat < 3 } });
  if (act === "time" || act === "silence") {
    time.advance(act === "time" ? 20 : 400);
    await chores();
    return nothing(200);
  }
  if (id === undefined) return nothing(409);
  const { body } = await askServer("GET", `chats/${id}/history`);
  const invited = body.history.findLast(({ trigger }: Json) => trigger === "invitations:new");
  const asked = invited?.data.userId ?? agent;
  const open = (await askServer("GET", `chats/${id}`)).body.chat;
  const sender = who < 3 ? open.creator : agent;
  switch (act) {
    case "assign":
      return askServer("GET", `chats/${id}/assign`);
    case "accept":
    case "reject":
      return askBy(asked)("POST", `invitations/${act}`, { chatId: id, userId: asked });
    case "join":
      return askBy(agent)("POST", `chats/${id}/join`, { userId: agent });
    case "return":
      return askBy(open.creator)("POST", `chats/${id}/join`, { userId: open.creator });
    case "leave": {
      const leaves = who < 2 ? open.creator : agent;
      return askBy(leaves)("PUT", `chats/${id}/leave`, { userId: leaves });
    }
    case "transfer":
      return askBy(agents[chat % 3] ?? "")("POST", `chats/${id}/transfer`, { userId: agent });
    case "invite":
      return askBy(agents[chat % 3] ?? "")("POST", "invitations", { chatId: id, userId: agent });
    case "inbox":
      return askBy(agent)("POST", `chats/${id}/toinbox`);
    case "close":
      return askBy(sender)("DELETE", `chats/${id}`);
    case "read": {
      const { messages } = (await askServer("GET", `chats/${id}/messages`)).body;
      const message = messages[chat % Math.max(1, messages.length)];
      if (message === undefined) return nothing(409);
      return askBy(sender)("PUT", `messages/${message.id}/read`, { userId: sender });
    }
    case "write":
      return askBy(sender)("POST", `users/${sender}/activity`, { type: "writing", chatId: id });
    default:
      return askBy(sender)("POST", `chats/${id}/messages`, { sender, message: `from ${who}` });
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
    // Exactly the held chats have a holder, and the holder is in the chat.
    expect([chat.phase, chat.holder !== null]).toEqual([chat.phase, chat.phase === "held"]);
    if (chat.holder !== null) expect(inside(chat.number, chat.holder)).toBe(true);
    if (chat.phase !== "closed" && chat.phase !== "held") expect(agents).toEqual([]);
    // Only an invited chat has an invitation, except a held one that another agent is asked to
    // join.
    if (chat.phase === "invited") expect(chat.invited).not.toBeNull();
    else if (chat.phase !== "held") expect(chat.invited).toBeNull();
    if (chat.invited !== null) {
      expect(chat.due).not.toBeNull();
      expect(inside(chat.number, chat.invited)).toBe(false);
    }
    expect(chat.phase === "queued" && chat.queued === null).toBe(false);
    // No search hangs, because there is no registered address.
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

  // Positions are counted from one in each room, in the order in which the chats were opened.
  const queued = chats.filter(({ phase, queued: since }) => phase !== "closed" && since !== null);
  for (const room of ["1", "2"]) {
    const places = queued.filter((chat) => chat.room === room).map((chat) => chat.queue_position);
    expect(places).toEqual(places.map((_, index) => index + 1));
  }
  // No chat waits while a free agent could take it.
  const candidates = await readCandidates(kysely, appId);
  const tries = await kysely.selectFrom("chat_tries").selectAll().execute();
  for (const chat of chats.filter(({ phase }) => phase === "queued")) {
    const tried = tries.filter((one) => one.chat === chat.number && one.until > options.now());
    const except = new Set(tried.map(({ agent }) => agent));
    const assign = "most-free-slots";
    const wanted = { room: chat.room, lang: chat.lang, except, assign } as const;
    expect(chooseAgent(candidates, wanted)).toBeNull();
  }
  // The messages of a chat are in its log in the same order, and none after it was closed.
  const log = await kysely.selectFrom("chat_log").selectAll().orderBy("number").execute();
  const messages = await kysely.selectFrom("chat_messages").selectAll().orderBy("number").execute();
  for (const chat of chats) {
    const events = log.filter((event) => event.chat === chat.number);
    const ids = events
      .filter((event) => event.trigger_name === "messages:new")
      .map((event): string => JSON.parse(event.data).message.id);
    const stored = messages.filter((message) => message.chat === chat.number);
    expect(ids).toEqual(stored.map(({ id }) => id));
    const end = events.findIndex((event) => event.trigger_name === "chats:close");
    // Former members may still read the messages.
    const after = events.slice(end + 1).filter((event) => event.trigger_name !== "messages:read");
    expect(end === -1 || after.length === 0).toBe(true);
    expect(end !== -1).toBe(chat.phase === "closed");
  }
}
