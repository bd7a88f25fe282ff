import { parse } from "csv-parse/sync";
import { describe, expect, test } from "vitest";
import type { FigureGroup } from "../../../../src/api/chat/answers-figures.ts";
import { tieApp } from "../../../../src/backend/chat/agents/apps.ts";
import { createReply } from "../../../../src/backend/ticketing/replies.ts";
import {
  createSurvey,
  startSurvey,
  submitSurvey,
} from "../../../../src/backend/ticketing/surveys.ts";
import type { TicketingOptions } from "../../../../src/backend/ticketing/context.ts";
import type { Json } from "../../client.ts";
import { type Answered, type Service, service } from "../service.ts";

/** Tests the figures of chats and tickets. */
export function figures(title: string, address: () => Promise<string | null>): void {
  describe(`figures over ${title}`, () => {
    test("are for agents with the right SUPERVISE, until it is taken away, and never for the secret", async () => {
      const made = await house(address);
      const { lead, ask, askAs } = made;
      const { token } = await signIn(made);
      const user = await ask("POST", "users", { name: "Eve" });
      const see = () => askAs(token, "GET", "figures/chats");
      expect((await see()).status).toBe(200);
      await ask("PUT", `agents/${lead}`, { rights: { SUPERVISE: false } });
      expect(refusal(await see())).toEqual([403, "This agent does not have the right SUPERVISE."]);
      const others = [
        await ask("GET", "figures/chats"),
        await askAs(user.body.session.token, "GET", "figures/chats"),
      ];
      for (const other of others) {
        expect(refusal(other)).toEqual([403, "This needs an agent's token."]);
      }
    });

    test("of tickets and surveys need the right TICKET_VIEW and a project too", async () => {
      const made = await house(address);
      const { lead, ask, options, appId } = made;
      const see = await viewer(made);
      const ofTickets = ["tickets", "tickets-by-queue", "waiting-by-queue", "surveys"];
      for (const table of ofTickets) expect((await see(table)).rows).toBeDefined();
      await ask("PUT", `agents/${lead}`, { rights: { TICKET_VIEW: false } });
      for (const table of ofTickets) {
        const without = [403, "This agent does not have the right TICKET_VIEW."];
        expect(refusal(await see.answer(table))).toEqual(without);
      }
      expect((await see("waiting")).rows).toEqual([]);
      await ask("PUT", `agents/${lead}`, { rights: { TICKET_VIEW: true } });
      await tieApp(options, appId, null);
      expect(refusal(await see.answer("tickets"))[0]).toBe(403);
    });

    test("refuse an unknown table, period, zone and format with a sentence", async () => {
      const see = await viewer(await house(address));
      const bad = [
        ["nothing", 404, /There is no table/],
        ["chats?period=month", 422, /^period: must be among today, week, quarter$/],
        ["chats?timeZone=Mars/Olympus", 422, /^timeZone: must be a time zone's name/],
        ["chats?timeZone=%2B01:00", 422, /^timeZone: /],
        ["chats?timeZone=", 422, /^timeZone: /],
        [`chats?timeZone=${"A".repeat(100)}`, 422, /^timeZone: /],
        ["chats?format=xlsx", 422, /^format: must be json or csv$/],
      ] as const;
      for (const [path, status, message] of bad) {
        const [given, text] = refusal(await see.answer(path));
        expect([path, given]).toEqual([path, status]);
        expect(text).toMatch(message);
      }
    });

    test("show who waits in the rooms of the lead, since when, and which agents have how many chats", async () => {
      const made = await house(address);
      const { ask, agent, chat, time, user } = made;
      const see = await viewer(made);
      const kim = await agent({ name: "Kim Ochoa", nickname: "Kim", slots: 5 });
      await agent({ name: "Away", rooms: ["9"] });
      const start = time.now() / 1000;
      const first = await chat({ creator: await user({ name: "Ana" }) });
      time.advance(60);
      const second = await chat({ creator: await user({ name: "Bo" }) });
      await ask("POST", `chats/${second.id}/join`, { userId: kim });
      await ask("POST", `chats/${second.id}/messages`, { sender: kim, message: "Hello" });
      // Kim spoke last, so nobody waits there.
      expect((await see("waiting")).rows).toHaveLength(1);
      time.advance(60);
      await ask("POST", `chats/${second.id}/messages`, { sender: second.creator, message: "Hi" });
      await chat({ room: 9 });
      const { id: closed } = await chat();
      await ask("DELETE", `chats/${closed}`);
      const ticket = await newTicket(made, "Ti");
      // Open without an assignee, so it waits like a new one.
      const given = await newTicket(made, "Su");
      const { kysely } = made.options.database;
      await kysely.updateTable("tickets").set({ status: 2 }).where("id", "=", given).execute();
      expect((await see("waiting")).rows).toEqual([
        { id: first.id, name: "Ana", kind: "first", room: "Help", agent: "", since: start },
        {
          id: second.id,
          name: "Bo",
          kind: "reply",
          room: "Help",
          agent: "Kim",
          since: start + 120,
        },
        {
          id: String(ticket),
          name: "Ti",
          kind: "ticket",
          room: "Default",
          agent: "",
          since: start + 120,
        },
        {
          id: String(given),
          name: "Su",
          kind: "ticket",
          room: "Default",
          agent: "",
          since: start + 120,
        },
      ]);
      expect((await see("waiting-by-room")).rows).toEqual([
        { id: "1", name: "Help", first: 1, reply: 1, since: start },
        { id: "2", name: "2", first: 0, reply: 0, since: null },
      ]);
      expect((await see("waiting-by-queue")).rows).toEqual([
        { id: "1", name: "Default", first: 2, reply: 0, since: start + 120 },
      ]);
      const loads = (await see("agents")).rows.map(({ name, load, slots }: Json) => [
        name,
        load,
        slots,
      ]);
      expect(loads).toEqual([
        ["Kim", 1, 5],
        ["Lee", 0, 1],
      ]);
    });

    test("agree with a recount of what happened, across a change of the clocks", async () => {
      const made = await house(address);
      const agents = [
        await made.agent({ name: "Kim", rooms: ["1", "2", "9"], slots: 1000 }),
        await made.agent({ name: "Max", rooms: ["1", "2", "9"], slots: 1000 }),
      ];
      await playChats(made, agents);
      await playTickets(made, agents);
      // The clocks of Madrid went forward on 29 March; those of Kathmandu are 5:45 ahead.
      for (const zone of ["Europe/Madrid", "Asia/Kathmandu", "UTC"]) {
        for (const period of ["today", "week", "quarter"] as const) {
          const see = await viewer(made, `?period=${period}&timeZone=${zone}`);
          const { from, to } = await see("chats");
          const clock = new Intl.DateTimeFormat("en", {
            timeZone: zone,
            timeStyle: "medium",
            hourCycle: "h23",
          });
          expect([zone, period, clock.format(from * 1000)]).toEqual([zone, period, "00:00:00"]);
          expect(to).toBe(Math.floor(made.time.now() / 1000));
          const chats = await recountChats(made, new Set(agents), from);
          const tickets = await recountTickets(made, from);
          const hour = ({ began }: Recounted): string =>
            String(Number(clock.format(began).slice(0, 2)));
          const groupings = {
            chats: [chats, () => ""],
            "chats-by-room": [chats, ({ row }) => row.room],
            "chats-by-agent": [chats, ({ by }) => by],
            "chats-by-hour": [chats, hour],
            "chats-by-reason": [chats, ({ row }) => row.reason ?? ""],
            "chats-by-closing": [chats, ({ row }) => row.close_reason ?? ""],
            tickets: [tickets, () => ""],
            "tickets-by-queue": [tickets, ({ row }) => String(row.queue)],
            "tickets-by-agent": [tickets, ({ by }) => by],
            "tickets-by-hour": [tickets, hour],
          } satisfies Readonly<Record<string, [readonly Recounted[], (one: Recounted) => string]>>;
          for (const [table, [all, by]] of Object.entries(groupings)) {
            const { rows } = await see(table);
            const counted = rows
              .filter(({ count }: FigureGroup) => count > 0)
              .map((row: FigureGroup) => ({ ...row, name: "" }));
            expect([zone, period, table, sorted(counted)]).toEqual([
              zone,
              period,
              table,
              sorted(groupsOf(all, by)),
            ]);
          }
          if (period === "quarter")
            expect([chats.length > 25, tickets.length > 15]).toEqual([true, true]);
        }
      }
      const see = await viewer(made, "?period=quarter");
      const names = async (table: string) =>
        (await see(table)).rows.map(({ name }: FigureGroup) => name).toSorted();
      expect(await names("chats-by-agent")).toEqual(["", "Kim", "Max"]);
      expect(await names("chats-by-room")).toEqual(["2", "Help"]);
      expect(await names("tickets-by-queue")).toEqual(["Default"]);
      expect((await see("chats-by-hour")).rows.map(({ id }: FigureGroup) => id)).toEqual(
        Array.from({ length: 24 }, (_, hour) => String(hour)),
      );
    });

    test("include survey answers to questions with answers from 0 to 10", async () => {
      const made = await house(address);
      const options: TicketingOptions = ticketing(made);
      const item = (id: number, settings: Readonly<Record<string, unknown>>) => ({
        id,
        type: "text",
        subtype: "input",
        settings,
      });
      const survey = await createSurvey(options, "shop", {
        name: "After a chat",
        pages: [{ id: 1, items: [item(3, { label: "=How was it?" }), item(4, {})] }],
        settings: [],
      });
      const submit = async (answers: Record<string, string>): Promise<void> => {
        const { token } = await startSurvey(options, "shop", String(survey), null);
        await submitSurvey(options, "shop", String(survey), token, answers);
      };
      await submit({ 3: "5", 4: "a long text" });
      await submit({ 3: "2", 4: "11" });
      await submit({ 4: "\u0000 and half a pair: \ud800" });
      await submit({ 3: "2" });
      await startSurvey(options, "shop", String(survey), null);
      made.time.advance(1);
      const see = await viewer(made);
      expect((await see("surveys")).rows).toEqual([
        {
          id: `${survey}.3`,
          name: "After a chat",
          question: "=How was it?",
          answers: 3,
          average: 3,
          least: 2,
          most: 5,
        },
      ]);
      const csv = (await see.answer("surveys?format=csv")).body;
      expect(parse(csv, { bom: true, columns: true })).toMatchObject([
        { name: "After a chat", question: "'=How was it?", average: "3" },
      ]);
      made.time.advance(86_400);
      expect((await (await viewer(made))("surveys")).rows).toEqual([]);
    });

    test("are CSV that spreadsheets open directly, without formulas that would run", async () => {
      const made = await house(address);
      const names = [
        '=HYPERLINK("http://x.test")',
        "+1",
        "-1",
        "@SUM(A1)",
        'Zoë "Z", Ñandú\nof Graz',
      ];
      for (const name of names) await made.chat({ creator: await made.user({ name }) });
      const see = await viewer(made);
      const answer = await see.answer("waiting?format=csv");
      expect(answer.headers.get("content-type")).toBe("text/csv; charset=utf-8");
      expect(answer.headers.get("content-disposition")).toContain("waiting.csv");
      const bytes = await see.bytes("waiting?format=csv");
      expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
      const rows: Json[] = parse(bytes, { bom: true, columns: true });
      expect(rows.map(({ name }) => name).toSorted()).toEqual(
        [...names.slice(0, 4).map((name) => `'${name}`), names[4]].toSorted(),
      );
      expect(new Set(rows.map(({ since }) => since))).toEqual(
        new Set([new Date(made.time.now()).toISOString()]),
      );
      const empty: Json[] = parse(await see.bytes("tickets-by-agent?format=csv"), { bom: true });
      expect(empty).toEqual([expect.arrayContaining(["id", "count", "firstMedian"])]);
    });
  });
}

const refusal = ({ status, body }: Answered): [number, string] => [status, body.error?.message];

/** A service with a project, and Lee, who supervises rooms 1 and 2. */
async function house(address: () => Promise<string | null>) {
  const made = await service(await address());
  const rights = { SUPERVISE: true, TICKET_VIEW: true, TICKET_EDIT: true };
  const login = { login: "lee", password: "a long password" };
  const lead = await made.agent({ name: "Lee", rooms: ["1", "2"], rights, ...login });
  await made.ask("PUT", `agents/${lead}`, { rights });
  await tieApp(made.options, made.appId, "shop");
  return { ...made, lead };
}

type House = Awaited<ReturnType<typeof house>>;

async function signIn({ ask }: Service) {
  const login = { login: "lee", password: "a long password" };
  return (await ask("POST", "agents/login", login)).body.session as { token: string };
}

/** Reads tables as the supervisor. */
async function viewer(made: House, query = "") {
  const { token } = await signIn(made);
  const answer = (table: string): Promise<Answered> =>
    made.askAs(token, "GET", `figures/${table}${query}`);
  const read = async (table: string): Promise<Json> => {
    const { status, body } = await answer(table);
    expect([table, status, body.error]).toEqual([table, 200, undefined]);
    return body.figures;
  };
  const headers = { "x-hyper-appId": made.appId, "x-hyper-token": token };
  const bytes = async (table: string): Promise<Buffer> =>
    Buffer.from(
      await (await made.routes.request(`/v1/figures/${table}`, { headers })).arrayBuffer(),
    );
  return Object.assign(read, { answer, bytes });
}

function ticketing({ options }: Service): TicketingOptions {
  // Nothing here calls an address or checks a key.
  return { ...options, hooks: null, access: null as never, wire: "deployed" };
}

/** A new ticket of a new person; its number. */
async function newTicket({ options, time }: Service, name: string): Promise<number> {
  const { kysely } = options.database;
  const owned = () => ({ project: "shop", hash_uuid: crypto.randomUUID(), created: time.now() });
  const person = { name, address: "", address_key: crypto.randomUUID(), extra: "[]", updated: 0 };
  const { id: creator } = await kysely
    .insertInto("users")
    .values({ ...owned(), ...person })
    .returning("id")
    .executeTakeFirstOrThrow();
  const fields = { title: "T", message: "m", prior: "[]", external_id: null, classification: null };
  const { id } = await kysely
    .insertInto("tickets")
    .values({
      ...owned(),
      ...fields,
      creator,
      solver: null,
      source: 3,
      queue: 1,
      status: 1,
      parent: null,
      updated: 0,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** The same numbers for the same seed. */
function dice(seed: number): (most: number) => number {
  let state = seed;
  return (most) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * most);
  };
}

/** Chats over 95 days: some without an answer, some with two agents, some open, some elsewhere. */
async function playChats({ ask, chat, time }: House, agents: readonly string[]): Promise<void> {
  const roll = dice(7);
  for (let at = 0; at < 64; at += 1) {
    time.advance(roll(3 * 86_400));
    const room = [1, 2, 9][roll(3)];
    const one = await chat({ room, reason: ["no-results", "asked", undefined][roll(3)] });
    const say = (sender: unknown) =>
      ask("POST", `chats/${one.id}/messages`, { sender, message: "…" });
    time.advance(roll(100));
    await say(one.creator);
    for (const agent of agents.slice(roll(2), roll(3))) {
      time.advance(roll(900));
      await ask("POST", `chats/${one.id}/join`, { userId: agent });
      if (roll(5) > 0) await say(agent);
      time.advance(roll(900));
      await say(one.creator);
      await say(agent);
    }
    time.advance(roll(900));
    const reason = ["solved", "spam", undefined][roll(3)];
    if (roll(4) > 0) await ask("DELETE", `chats/${one.id}`, { reason });
  }
}

/** Tickets that are answered, solved, opened again, merged, or left. */
async function playTickets(made: House, agents: readonly string[]): Promise<void> {
  const { ask, options, time } = made;
  const roll = dice(11);
  for (const agent of agents) {
    await ask("PUT", `agents/${agent}`, { rights: { TICKET_VIEW: true, TICKET_EDIT: true } });
  }
  const { token } = await signIn(made);
  const { kysely } = options.database;
  let before = 0;
  for (let at = 0; at < 40; at += 1) {
    // Less than the 12 hours that a token lasts, all together.
    time.advance(roll(600));
    const id = await newTicket(made, `P${at}`);
    const work = (path: string, body: object, method = "POST") =>
      made.askAs(token, method, `tickets/${id}${path}`, body);
    const event = { project: "shop", ticket: id, action: "create", at: time.now() };
    const nothing = { field: null, before: null, after: null, actor: null };
    await kysely
      .insertInto("ticket_events")
      .values({ ...event, ...nothing })
      .execute();
    time.advance(roll(200));
    if (roll(3) > 0) await work("", { assignee: agents[roll(2)] }, "PUT");
    if (roll(3) > 0) await work("/replies", { message: "So", ...(roll(2) > 0 && { status: 4 }) });
    time.advance(roll(200));
    if (roll(3) > 0) await work("", { status: 4 }, "PUT");
    if (roll(3) === 0) {
      const person = kysely.selectFrom("tickets").select("creator").where("id", "=", id);
      const { creator } = await person.executeTakeFirstOrThrow();
      const reply = { message: "Not yet", creator: String(creator) };
      const about = { project: "shop", ticket: String(id), reply, idempotencyKey: null };
      await createReply(ticketing(made), about);
      time.advance(roll(200));
      await work("/replies", { message: "Now", ...(roll(2) > 0 && { status: 4 }) });
    }
    if (at % 9 === 8) await work("/merge", { into: before });
    else before = id;
  }
}

interface Recounted {
  readonly row: Json;
  readonly began: number;
  readonly first: number | null;
  readonly ended: number | null;
  /** The figure that it belongs to. */
  readonly by: string;
  readonly isChat: boolean;
}

/** Counts chats of rooms 1 and 2 again, from their events. */
async function recountChats(
  { options }: Service,
  agents: ReadonlySet<string>,
  from: number,
): Promise<readonly Recounted[]> {
  const { kysely } = options.database;
  const rows = await kysely
    .selectFrom("chat_chats")
    .selectAll()
    .where("room", "in", ["1", "2"])
    .execute();
  const log = await kysely.selectFrom("chat_log").selectAll().orderBy("number").execute();
  return rows.flatMap((row) => {
    const events = log.filter(({ chat }) => chat === row.number);
    const entries = events.map(({ trigger_name: trigger, data, at }) => ({
      trigger,
      at,
      data: JSON.parse(data),
    }));
    const answer = entries.find(
      ({ trigger, data }) => trigger === "messages:new" && agents.has(data.message.sender),
    );
    const close = entries.find(({ trigger }) => trigger === "chats:close");
    const began = entries.find(({ trigger }) => trigger === "chats:create")?.at ?? 0;
    if (began < from * 1000) return [];
    const [first, ended] = [answer?.at ?? null, close?.at ?? null];
    return { row, began, first, ended, by: answer?.data.message.sender ?? "", isChat: true };
  });
}

/** Counts tickets again, from their histories. */
async function recountTickets({ options }: Service, from: number): Promise<readonly Recounted[]> {
  const { kysely } = options.database;
  const rows = await kysely.selectFrom("tickets").selectAll().execute();
  const log = await kysely.selectFrom("ticket_events").selectAll().orderBy("id").execute();
  const merged = new Set<number>();
  const all = rows.map((row) => {
    let [began, first, ended] = [0, null as number | null, null as number | null];
    let [solver, state] = ["", 1];
    for (const { action, field, after, at } of log.filter(({ ticket }) => ticket === row.id)) {
      if (action === "create") began = at;
      if (action === "answer") first ??= at;
      if (field === "solver") solver = after ?? "";
      if (field === "merged") merged.add(Number(after?.split("-").at(-1)));
      if (field !== "status") continue;
      const next = Number(after);
      if (next < 4) ended = null;
      else if (state < 4) ended = at;
      state = next;
    }
    return { row, began, first, ended, by: solver, isChat: false };
  });
  return all.filter(({ row, began }) => !merged.has(row.id) && began >= from * 1000);
}

/** Computes a table's groups from the times themselves. */
function groupsOf(
  all: readonly Recounted[],
  by: (one: Recounted) => string,
): readonly FigureGroup[] {
  return [...Map.groupBy(all, by)].map(([id, members]) => {
    const firsts = members.flatMap(({ began, first }) =>
      first === null ? [] : secondsOf(began, first),
    );
    const endings = members.flatMap(({ began, first, ended, isChat }) =>
      ended === null || (isChat && first === null) ? [] : secondsOf(began, ended),
    );
    return {
      id,
      name: "",
      count: members.length,
      answered: firsts.length,
      solved: endings.length,
      lost: members.filter(({ isChat, first, ended }) => isChat && first === null && ended !== null)
        .length,
      firstMedian: notExceededBy(firsts, 0.5),
      firstNinetieth: notExceededBy(firsts, 0.9),
      solvingMedian: notExceededBy(endings, 0.5),
      solvingNinetieth: notExceededBy(endings, 0.9),
    };
  });
}

function secondsOf(from: number, to: number): number {
  return Math.floor((to - from) / 1000);
}

/** The smallest value that at least this share of all values does not exceed. */
function notExceededBy(values: readonly number[], part: number): number | null {
  const candidates = values.toSorted((a, b) => a - b);
  return (
    candidates.find(
      (one) => values.filter((other) => other <= one).length >= part * values.length - 1e-9,
    ) ?? null
  );
}

function sorted<T extends { readonly id: string }>(rows: readonly T[]): readonly T[] {
  return rows.toSorted((one, other) => (one.id < other.id ? -1 : 1));
}
