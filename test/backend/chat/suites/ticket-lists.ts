import { describe, expect, test } from "vitest";
import type { Json } from "../../client.ts";
import { png } from "../../ticketing/service.ts";
import { openTicketBackend } from "../ticket-backend.ts";

/**
 * Tests changes of several tickets, tags, files and people of new tickets, and explained refusals.
 */
export function ticketLists(title: string, address: () => Promise<string | null>): void {
  describe(`lists of tickets over ${title}`, () => {
    async function setUp() {
      const { send, server, agent, project } = await openTicketBackend({
        database: await address(),
      });
      const shop = await project("demo-key");
      const ask = async (method: string, path: string, body?: unknown): Promise<Json> =>
        (await send(method, `/v1/${path}`, server, body)).body;
      const ana = (await shop("POST", "users", { name: "Ana", address: "ana@x.test" })).uuid;
      const ticket = async (more: object = {}): Promise<number> => {
        const body = { title: "Parcel", message: "Where is it?", creator: ana, ...more };
        return (await shop("POST", "tickets", body)).id;
      };
      return { ask, shop, agent, ticket };
    }

    test("one change of several tickets is applied where it is allowed, and each refusal is named", async () => {
      const { agent, ticket, shop } = await setUp();
      await shop("POST", "queues", { name: "Returns" });
      const max = await agent("Max");
      const kim = await agent("Kim", {
        queues: { TICKET_VIEW: [1, 2], TICKET_EDIT: [1] },
      });
      const [one, two, solved] = [await ticket(), await ticket(), await ticket()];
      const [readOnly, other] = [await ticket({ queue: 2 }), await ticket()];
      const tagged = await max.request("PUT", `tickets/${one}`, { tags: ["billing", "old"] });
      expect(tagged.status).toBe(200);
      const { tickets } = (await kim.request("GET", "tickets?view=all")).body;
      const seen = new Map<number, number>(tickets.map((line: Json) => [line.id, line.seen]));
      expect(seen.get(one)).toBe(tagged.body.ticket.seen);
      await max.request("PUT", `tickets/${other}`, { assignee: max.id });
      await shop("PUT", `tickets/${solved}`, { status: 5 });
      const named = [one, two, solved, readOnly, other, 987_654];
      const body = {
        tickets: named.map((id) => ({ id, seen: seen.get(id) })),
        assignee: kim.id,
        status: 3,
        addTags: ["urgent"],
        removeTags: ["old"],
      };
      const answer = await kim.request("PUT", "tickets", body);
      expect(answer.status).toBe(200);
      expect(
        answer.body.results.map(({ id, refused }: Json) => [
          id,
          refused && [refused.code, refused.reason ?? null, refused.params ?? null],
        ]),
      ).toEqual([
        [one, null],
        [two, null],
        [solved, [409, "state", { from: 5, to: 3 }]],
        [readOnly, [403, "right-queue", { right: "TICKET_EDIT", queue: "Returns" }]],
        [other, [409, "changed", {}]],
        [987_654, [404, null, null]],
      ]);
      const read = async (id: number): Promise<Json> =>
        (await kim.request("GET", `tickets/${id}`)).body.ticket;
      const first = await read(one);
      expect(first).toMatchObject({ status: 3, assignee: { id: kim.id } });
      expect(first.tags).toEqual(["billing", "urgent"]);
      expect(first.changes.filter(({ field }: Json) => field === "tags")).toMatchObject([
        { user: "Max", from: "", to: "billing, old" },
        { user: "Kim", from: "billing, old", to: "billing, urgent" },
      ]);
      expect((await read(two)).tags).toEqual(["urgent"]);
      // Refused tickets are unchanged.
      expect(await read(readOnly)).toMatchObject({ status: 1, tags: [], assignee: null });
      expect(await read(other)).toMatchObject({ status: 2, assignee: { id: max.id } });
      // Called again, it changes nothing more.
      const again = await kim.request("PUT", "tickets", { ...body, tickets: [{ id: one }] });
      expect(again.body.results).toEqual([{ id: one, refused: null }]);
      expect((await read(one)).changes).toHaveLength(first.changes.length);
    });

    test("a ticket that moves to another queue reports its name, and loses an assignee who may not answer there", async () => {
      const { agent, ticket, shop } = await setUp();
      await shop("POST", "queues", { name: "Returns" });
      const kim = await agent("Kim", { queues: { TICKET_VIEW: [1], TICKET_EDIT: [1] } });
      const max = await agent("Max");
      const [hers, his, programs] = [await ticket(), await ticket(), await ticket()];
      const { uuid: program } = await shop("POST", "users", { name: "Bot", address: "b@x.test" });
      await kim.request("PUT", `tickets/${hers}`, { assignee: kim.id });
      await max.request("PUT", `tickets/${his}`, { assignee: max.id });
      await shop("PUT", `tickets/${programs}`, { solver: program, status: 2 });
      const all = [hers, his, programs].map((id) => ({ id }));
      await kim.request("PUT", "tickets", { tickets: all, queue: 2, addTags: ["back"] });
      const read = async (id: number): Promise<Json> =>
        (await max.request("GET", `tickets/${id}`)).body.ticket;
      const moved = await read(hers);
      expect(moved).toMatchObject({ queue: "Returns", assignee: null, status: 2 });
      expect(moved.changes.slice(-3)).toMatchObject([
        { field: "queue", user: "Kim", from: "Default", to: "Returns" },
        { field: "assignee", user: "Kim", from: "Kim", to: "" },
        { field: "tags", to: "back" },
      ]);
      expect((await read(his)).assignee).toMatchObject({ id: max.id });
      expect((await read(programs)).assignee).toMatchObject({ id: null, name: "Bot" });
      // It is in the list of all agents, and in the count of the bar.
      const listed = async (): Promise<Json> => (await max.request("GET", "tickets?view=new")).body;
      const { tickets, counts } = await listed();
      expect([tickets.map(({ id }: Json) => id), counts.new]).toEqual([[hers], 1]);
    });

    test("open tickets of agents who lost a right appear in the list of new ones", async () => {
      const { agent, ask, ticket } = await setUp();
      const [kim, lee, max] = [await agent("Kim"), await agent("Lee"), await agent("Max")];
      const [first, second, third] = [await ticket(), await ticket(), await ticket()];
      await kim.request("PUT", `tickets/${first}`, { assignee: kim.id });
      await lee.request("PUT", `tickets/${second}`, { assignee: lee.id });
      await max.request("PUT", `tickets/${third}`, { assignee: max.id });
      const listed = async (): Promise<readonly number[]> =>
        (await max.request("GET", "tickets?view=new")).body.tickets.map(({ id }: Json) => id);
      expect(await listed()).toEqual([]);
      await ask("PUT", `agents/${kim.id}`, { rights: { TICKET_VIEW: false } });
      await ask("PUT", `agents/${lee.id}`, { rights: { TICKET_EDIT: false } });
      expect((await listed()).toSorted()).toEqual([first, second].toSorted());
    });

    test("an agent without the right changes no ticket, and too many tags are refused with both limits", async () => {
      const { agent, ticket } = await setUp();
      const id = await ticket();
      const kim = await agent("Kim", { rights: { TICKET_VIEW: true } });
      const none = await kim.request("PUT", "tickets", { tickets: [{ id }], addTags: ["x"] });
      expect(none.body.results[0].refused).toMatchObject({
        code: 403,
        reason: "right",
        params: { right: "TICKET_EDIT" },
      });
      const blind = await agent("Ned", { rights: {} });
      expect((await blind.request("PUT", "tickets", { tickets: [{ id }] })).status).toBe(403);
      const max = await agent("Max");
      const tags = Array.from({ length: 20 }, (_, at) => `tag ${at}`);
      await max.request("PUT", `tickets/${id}`, { tags });
      const params = { count: 20, length: 60 };
      const full = await max.request("PUT", "tickets", {
        tickets: [{ id }],
        addTags: ["one more"],
      });
      expect(full.body.results[0].refused).toMatchObject({ code: 422, reason: "tags", params });
      const long = await max.request("PUT", `tickets/${id}`, { tags: ["x".repeat(61)] });
      expect(long.body.error).toMatchObject({ code: 422, reason: "tags", params });
      const comma = await max.request("PUT", "tickets", { tickets: [{ id }], removeTags: ["a,b"] });
      expect(comma.body.error).toMatchObject({ code: 422, reason: "tags", params });
      // The page has no sentence for other fields.
      const title = await max.request("PUT", `tickets/${id}`, { title: "", tags: [] });
      expect(title.body.error).not.toHaveProperty("reason");
    });

    test("a refused merge gives its reason, and a merge that adds tags names them", async () => {
      const { agent, ticket, shop } = await setUp();
      const kim = await agent("Kim");
      const [one, two, closed] = [await ticket(), await ticket(), await ticket()];
      await shop("PUT", `tickets/${closed}`, { status: 5 });
      const merge = async (id: number, into: number): Promise<Json> =>
        (await kim.request("POST", `tickets/${id}/merge`, { into: String(into) })).body;
      const number = async (id: number): Promise<string> =>
        (await kim.request("GET", `tickets/${id}`)).body.ticket.number;
      expect((await merge(one, one)).error).toMatchObject({ code: 422, reason: "self" });
      expect((await merge(one, closed)).error).toMatchObject({
        reason: "closed",
        params: { number: await number(closed) },
      });
      await kim.request("PUT", `tickets/${one}`, { tags: ["double", "hot"] });
      await kim.request("PUT", `tickets/${two}`, { tags: ["hot"] });
      const { ticket: merged } = await merge(one, two);
      expect(merged.tags).toEqual(["double", "hot"]);
      expect(merged.changes.filter(({ field }: Json) => field === "tags").at(-1)).toMatchObject({
        user: "Kim",
        from: "hot",
        to: "double, hot",
      });
      expect((await merge(one, two)).error).toMatchObject({
        reason: "merged",
        params: { number: await number(one) },
      });
    });

    test("a new ticket takes only files that its creator uploaded, and each once", async () => {
      const { agent, ticket, shop } = await setUp();
      const kim = await agent("Kim", { queues: { TICKET_VIEW: [1], TICKET_EDIT: [1] } });
      const upload = async (): Promise<Json> => {
        const body = { name: "bill.png", content: png };
        return (await kim.request("POST", "tickets/media", body)).body.media;
      };
      const file = await upload();
      const made = { name: "Bo", title: "Bill", message: "Too high", attachments: [file.id] };
      const sent = await kim.request("POST", "tickets", made, "one");
      const again = await kim.request("POST", "tickets", made, "one");
      expect(again.body.ticket.id).toBe(sent.body.ticket.id);
      expect(sent.body.ticket.files).toMatchObject([{ name: "bill.png" }]);
      expect((await kim.request("GET", file.url.slice(1))).status).toBe(200);
      await shop("POST", "queues", { name: "Secret" });
      const { hash_uuid: foreign } = await shop("POST", "media", { name: "a.png", content: png });
      await ticket({ queue: 2, message: `<img src="att:${foreign}">` });
      const stolen = await kim.request("POST", "tickets", { ...made, attachments: [foreign] });
      expect([stolen.status, stolen.body.error.message]).toEqual([
        422,
        `attachments: there is no media file ${foreign}`,
      ]);
      expect((await kim.request("GET", "tickets?view=all")).body.tickets).toHaveLength(1);
    });

    test("people of visible chats are offered, and a ticket for one of them belongs to that person", async () => {
      const { ask, agent } = await setUp();
      await ask("POST", "rooms", { id: 2, name: "Sales" });
      const kim = await agent("Kim");
      const meet = async (room: string, about: object): Promise<string> => {
        const { user } = await ask("POST", "users", about);
        await ask("POST", "chats", { room, creator: user.id });
        return user.id;
      };
      const [rosa, mail] = [
        await meet("1", { name: "Rosa Muñoz" }),
        await meet("1", { name: "Rosa Díaz", contact: "rosa@x.test" }),
      ];
      const hidden = await meet("2", { name: "Rosa Secret" });
      await ask("POST", "users", { name: "Rosa Nochat" });
      const offered = async (search: string): Promise<Json> =>
        (await kim.request("GET", `tickets/people?search=${encodeURIComponent(search)}`)).body
          .people;
      expect(await offered("rosa")).toEqual([
        { name: "Rosa Díaz", contact: "rosa@x.test", person: mail },
        { name: "Rosa Muñoz", contact: "", person: rosa },
      ]);
      expect(await offered("munoz")).toHaveLength(1);
      const call = { title: "Call", message: "She called" };
      const made = await kim.request("POST", "tickets", {
        ...call,
        name: "Rosa Muñoz",
        person: rosa,
      });
      expect(made.body.ticket).toMatchObject({ user: "Rosa Muñoz", contact: "" });
      const chats = await kim.request("GET", `chats?person=ticket-${made.body.ticket.id}`);
      expect(chats.body.chats.map(({ creator }: Json) => creator)).toEqual([rosa]);
      // She is offered once, though chats and tickets have her.
      expect(await offered("munoz")).toEqual([{ name: "Rosa Muñoz", contact: "", person: rosa }]);
      await kim.request("POST", "tickets", { ...call, name: "Rosa", contact: "rosa@x.test" });
      expect(await offered("rosa@x.test")).toHaveLength(1);
      for (const person of [hidden, "nobody-at-all"]) {
        const refused = await kim.request("POST", "tickets", { ...call, name: "Rosa", person });
        expect(refused.status).toBe(404);
      }
    });

    test.each([
      ["José García", ["garcia", "GARCÍA", "jose garc", "José"]],
      [
        "Jürgen Strauß, Hauptstraße",
        ["jurgen", "strauss", "STRASSE".replace("S", "hauptS"), "juergen"],
      ],
      ["Mueller-Luedenscheid, Weiss", ["müller", "mueller-lüd", "Müller-Lüdenscheid", "weiß"]],
      ["Işıl Çağlar, İstanbul", ["isil", "ışıl", "IŞIL", "istanbul", "ISTANBUL", "caglar"]],
      ["مُحَمَّد إبراهيم", ["محمد", "ابراهيم", "مُحمد"]],
      ["שָׁלוֹם כֹּהֵן", ["שלום", "כהן"]],
      ["Łukasz Żółć", ["lukasz", "zolc"]],
      ["Søren Ærø", ["soren", "aero"]],
      ["Ἀθηνᾶ Παπαδόπουλος", ["αθηνα", "παπαδοπουλοσ"]],
      ["Ёлкин Йосиф", ["елкин", "иосиф"]],
      ["Nguyễn Văn Đức", ["nguyen", "duc"]],
    ])("%s is found however it is typed", async (name, searches) => {
      const { ask, agent, shop } = await setUp();
      const kim = await agent("Kim");
      const { user } = await ask("POST", "users", { name });
      await ask("POST", "chats", { room: "1", creator: user.id });
      const { uuid: creator } = await shop("POST", "users", { name, address: "who@x.test" });
      await shop("POST", "tickets", { title: "Parcel", message: `About ${name}`, creator });
      const missed = [];
      for (const search of searches) {
        const query = new URLSearchParams({ search }).toString();
        const counts = [
          (await kim.request("GET", `chats?${query}`)).body.chats.length,
          (await kim.request("GET", `tickets?view=all&${query}`)).body.tickets.length,
          (await kim.request("GET", `tickets/people?${query}`)).body.people.length,
        ];
        if (counts.join() !== "1,1,2") missed.push([search, counts]);
      }
      expect(missed).toEqual([]);
    });
  });
}
