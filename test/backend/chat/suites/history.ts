import { describe, expect, test } from "vitest";
import { SEARCHED_SENTENCES } from "../../../matching/searched-sentences.ts";
import { addSearchedTexts } from "../../../../src/backend/storage/search-index.ts";
import type { Json } from "../../client.ts";
import { type Answered, service, type Service } from "../service.ts";
import { openTicketBackend } from "../ticket-backend.ts";

/** Tests how agents find chats and tickets again, on either database. */
export function history(title: string, address: () => Promise<string | null>): void {
  describe(`finding chats over ${title}`, () => {
    async function setUp() {
      const made = await service(await address());
      await made.ask("POST", "rooms", { id: 2, name: "Sales" });
      const agent = async (login: string, more: object = {}) => {
        const id = await made.agent({ name: login, login, slots: 50, ...more });
        const given = { login, password: "a long password" };
        const { token } = (await made.ask("POST", "agents/login", given)).body.session;
        return { id, token };
      };
      return { ...made, agent };
    }

    const say = async ({ ask }: Pick<Service, "ask">, chat: Json, message: string) => {
      const sent = await ask("POST", `chats/${chat.id}/messages`, {
        sender: chat.creator,
        message,
      });
      expect([sent.status, sent.body.error]).toEqual([200, undefined]);
    };

    const idsOf = ({ body }: Answered): readonly string[] => body.chats.map(({ id }: Json) => id);

    const found = async (
      { ask }: Pick<Service, "ask">,
      query: Readonly<Record<string, string>>,
    ): Promise<readonly string[]> => {
      const answer = await ask("GET", `chats?${new URLSearchParams(query).toString()}`);
      expect([answer.status, answer.body.error]).toEqual([200, undefined]);
      return idsOf(answer);
    };

    test("messages of every language are found by words as people type them", async () => {
      const made = await setUp();
      const chats = new Map<string, Json>();
      for (const [language, [text]] of Object.entries(SEARCHED_SENTENCES)) {
        const chat = await made.chat({ lang: language });
        chats.set(language, chat);
        await say(made, chat, text);
      }
      const missed = [];
      for (const [language, [, ...searches]] of Object.entries(SEARCHED_SENTENCES)) {
        for (const search of searches) {
          const ids = await found(made, { search });
          if (!ids.includes(chats.get(language)?.id)) missed.push([language, search]);
        }
      }
      expect(missed).toEqual([]);
      expect(await found(made, { search: "rosse" })).toEqual([]);
      expect(await found(made, { search: "hemdgröße" })).toEqual([]);
    }, 60_000);

    test("a very frequent word is found like any other, alone and with others", async () => {
      const made = await setUp();
      const many = await made.chat();
      await say(made, many, "Parcels, and nothing else");
      const { kysely } = made.options.database;
      const { number } = await kysely
        .selectFrom("chat_chats")
        .select("number")
        .where("id", "=", many.id)
        .executeTakeFirstOrThrow();
      // More than are listed, so that one match is enough.
      for (let from = 0; from < 11_000; from += 1_000) {
        const texts = Array.from({ length: 1_000 }, (_, at) => ({
          kind: "message" as const,
          source: 1_000_000 + from + at,
          subject: number,
          text: "The parcels, ordinary@parcels.example",
        }));
        await addSearchedTexts(kysely, texts);
      }
      const one = await made.chat();
      await say(made, one, "My parcels are green: a rarity");
      const named = await made.chat({ creator: await made.user({ name: "Mara Parcels" }) });
      const other = await made.chat();
      await say(made, other, "subparcels, parcel");
      const [a, b, c] = [many.id, one.id, named.id];
      for (const [search, ids] of [
        ["parcels", [a, b, c]],
        ["PARCELS", [a, b, c]],
        ["parce", [a, b, c, other.id]],
        ["parcels green", [b]],
        ["parcels the", [a]],
        ["parcels mara", [c]],
        ["rarit parcels", [b]],
        ["ordinary@parcels.exam", [a]],
        ["parcels.the", []],
        ["arcels", []],
      ] as const) {
        expect([search, await found(made, { search })]).toEqual([search, ids]);
      }
      expect(await found(made, { search: "parcels", order: "newest", length: "2" })).toEqual([
        c,
        b,
      ]);
      const { body } = await made.ask("GET", "chats?search=parcels&order=newest");
      expect(body.chats.map(({ excerpt }: Json) => excerpt.text.slice(0, 8))).toEqual([
        "",
        "My parce",
        "The parc",
      ]);
    }, 60_000);

    test("every word must occur in the chat, in a note or in the person's details", async () => {
      const made = await setUp();
      const creator = await made.user({
        name: "Mara Díaz",
        contact: "mara.diaz@shop.example",
        externalId: "crm-77",
      });
      const chat = await made.chat({
        creator,
        history: [{ sender: "assistant", message: "Which <b>parcel</b>?" }],
      });
      await say(made, chat, "The green one");
      await made.ask("POST", `chats/${chat.id}/notes`, {
        author: (await made.agent("sam")).id,
        text: "Refund promised",
      });
      const other = await made.chat();
      await say(made, other, "A green parcel, no refund");
      for (const search of [
        "mara parcel",
        "diaz green",
        "mara.diaz@shop.example",
        "MARA.DIAZ@SHOP",
        "crm-77",
        "refund mara",
      ]) {
        expect([search, await found(made, { search })]).toEqual([search, [chat.id]]);
      }
      expect(await found(made, { search: "green parcel", order: "newest" })).toEqual([
        other.id,
        chat.id,
      ]);
      for (const search of ["mara absent", "diaz@shop.test", "parcelgreen", "?!"]) {
        expect([search, await found(made, { search })]).toEqual([search, []]);
      }
      const change = { name: "Mara Smith", contact: "" };
      await made.ask("PUT", `users/${creator}`, change);
      expect(await found(made, { search: "smith" })).toEqual([chat.id]);
      expect(await found(made, { search: "mara.diaz@shop.example" })).toEqual([]);
    });

    test("an answer shows the latest match, or else the last words", async () => {
      const made = await setUp();
      const chat = await made.chat({ creator: await made.user({ name: "Mara" }) });
      await say(made, chat, "First about the Größe of it");
      await say(made, chat, `${"word ".repeat(60)}then the Größe again, ${"and ".repeat(60)}`);
      await say(made, chat, "Bye");
      const line = async (query: string): Promise<Json> =>
        (await made.ask("GET", `chats?${query}`)).body.chats[0];
      const { name, excerpt } = await line("search=grosse");
      expect(name).toBe("Mara");
      expect(excerpt.text.slice(excerpt.at, excerpt.at + excerpt.length)).toBe("Größe");
      expect(excerpt.text).toMatch(/^….*then the Größe again.*…$/);
      expect(excerpt.text.length).toBeLessThan(210);
      expect((await line("search=mara")).excerpt).toEqual({ text: "Bye", at: 0, length: 0 });
      expect((await line("preview=true")).excerpt.text).toBe("Bye");
      expect((await line("status=active")).excerpt).toBeUndefined();
    });

    test("agents find only chats of their rooms, and users find nothing in notes and reasons", async () => {
      const made = await setUp();
      const [kim, lee] = [await made.agent("kim"), await made.agent("lee", { rooms: ["2"] })];
      const { body } = await made.ask("POST", "users", { name: "Ada" });
      const chat = await made.chat({ creator: body.user.id, reason: "no-results" });
      await say(made, chat, "a lamp");
      const note = { author: kim.id, text: "an oddity" };
      await made.ask("POST", `chats/${chat.id}/notes`, note);
      const seen = async (token: string, query: string): Promise<readonly string[]> =>
        idsOf(await made.askAs(token, "GET", `chats?${query}`));
      for (const query of ["search=lamp", "search=oddity", "reason=no-results", "search=ada"]) {
        expect(await seen(kim.token, query)).toEqual([chat.id]);
        expect(await seen(lee.token, query)).toEqual([]);
      }
      const own = body.session.token;
      expect(await seen(own, "search=lamp")).toEqual([chat.id]);
      expect(await seen(own, "search=oddity")).toEqual([]);
      const refused = await made.askAs(own, "GET", "chats?reason=no-results");
      expect(refused.status).toBe(403);
      const { body: stranger } = await made.ask("POST", "users", { name: "Bo" });
      expect(await seen(stranger.session.token, "search=lamp")).toEqual([]);
      expect((await made.askOther("GET", "chats?search=lamp")).body.chats).toEqual([]);
    });

    test("filters by room, agent, language, reason, time and state can be combined", async () => {
      const made = await setUp();
      const kim = await made.agent("kim");
      const start = Math.floor(made.time.now() / 1000);
      const chat = await made.chat({ lang: "pt-BR", reason: "no-results" });
      await made.ask("POST", `chats/${chat.id}/join`, { userId: kim.id });
      await say(made, chat, "sim");
      await made.ask("DELETE", `chats/${chat.id}`, { userId: kim.id, reason: "solved" });
      made.time.advance(3_600);
      const later = await made.chat({ lang: "pt", room: 2 });
      await say(made, later, "sim");
      const both = [later.id, chat.id];
      const first = [chat.id];
      const cases: readonly (readonly [Record<string, string>, readonly string[]])[] = [
        [{}, both],
        [{ lang: "pt" }, both],
        [{ lang: "PT-br" }, first],
        [{ room: "1" }, first],
        [{ agent: kim.id }, first],
        [{ reason: "no-results" }, first],
        [{ reason: "solved" }, first],
        [{ reason: "solved", room: "2" }, []],
        [{ from: String(start + 3_600) }, [later.id]],
        [{ to: String(start + 3_600) }, first],
        [{ from: String(start), to: String(start) }, []],
        [{ status: "closed" }, first],
        [{ status: "unattended" }, [later.id]],
        [{ status: "open" }, [later.id]],
      ];
      for (const [filter, ids] of cases) {
        for (const more of [{}, { search: "sim" }]) {
          const query = { order: "newest", ...filter, ...more };
          expect([query, await found(made, query)]).toEqual([query, ids]);
        }
      }
    });

    test("pages follow each other without doubles or gaps while chats are opened and closed", async () => {
      const made = await setUp();
      const chats: Json[] = [];
      const open = async (): Promise<Json> => {
        const chat = await made.chat();
        await say(made, chat, "page");
        return chat;
      };
      for (let count = 0; count < 5; count++) chats.push(await open());
      const read = async (after: string): Promise<Json> => {
        const query = `chats?search=page&order=newest&length=2&after=${after}`;
        return (await made.ask("GET", query)).body;
      };
      const pages = [await read("")];
      await open();
      await made.ask("DELETE", `chats/${chats[4].id}`);
      while (pages.at(-1).next !== null) pages.push(await read(pages.at(-1).next));
      expect(pages.map(({ hasMore }) => hasMore)).toEqual([true, true, false]);
      const ids = pages.flatMap((page) => page.chats.map(({ id }: Json) => id));
      expect(ids).toEqual(chats.map(({ id }) => id).toReversed());
    });

    test("a person's chats include those of every user with the same e-mail address", async () => {
      const made = await setUp();
      const [kim, lee] = [await made.agent("kim"), await made.agent("lee", { rooms: ["2"] })];
      const of = async (contact: string): Promise<Json> =>
        made.chat({ creator: await made.user({ name: "Ana", contact }) });
      const [one, two] = [await of("Ana@Shop.example"), await of("ana@shop.example")];
      const others = [
        await of("joana@shop.example"),
        await of("ana@shop.example.test"),
        await of(""),
      ];
      const seen = async (token: string, person: string): Promise<readonly string[]> =>
        idsOf(await made.askAs(token, "GET", `chats?person=${person}`));
      expect(await seen(kim.token, one.creator)).toEqual([one.id, two.id]);
      expect(await seen(kim.token, two.creator)).toEqual([one.id, two.id]);
      for (const other of others) expect(await seen(kim.token, other.creator)).toEqual([other.id]);
      expect(await seen(lee.token, one.creator)).toEqual([]);
      const { body } = await made.ask("POST", "users", { name: "Bo", contact: "ana@shop.example" });
      const own = await made.askAs(body.session.token, "GET", `chats?person=${one.creator}`);
      expect(own.status).toBe(403);
      expect((await made.ask("GET", "chats?person=nobody")).status).toBe(404);
    });

    test("bad input is refused with the field's name", async () => {
      const { ask } = await setUp();
      for (const [query, status, words] of [
        [`search=${"x".repeat(201)}`, 422, "search: is longer than 200 characters"],
        [`search=${"a+".repeat(13)}`, 422, "search: has more than 12 words"],
        ["from=5&to=4", 422, "to: must not be before from"],
        ["from=yesterday", 422, "from: must be a whole number"],
        ["status=lost", 422, "status: must be among"],
        ["after=nothing", 404, "nothing"],
        ["length=0", 422, "length: must be from 1 to 200"],
      ] as const) {
        const { status: got, body } = await ask("GET", `chats?${query}`);
        expect([query, got]).toEqual([query, status]);
        expect(body.error.message).toContain(words);
      }
    });

    test("text that cannot be a word of the index is stored and found all the same", async () => {
      const made = await setUp();
      const chat = await made.chat();
      const long = `begin ${"字".repeat(9_000)} end`;
      for (const text of [
        "'\" ' OR 1=1 -- \\ | & ! :* needle",
        "\u0000 ŉ ½ 😀",
        long,
        "x".repeat(9_999),
      ]) {
        await say(made, chat, text);
      }
      for (const search of ["needle", "'needle", '"needle"', "字字字", "end", "x".repeat(200)]) {
        expect([search, await found(made, { search })]).toEqual([search, [chat.id]]);
      }
      expect(await found(made, { search: "😀" })).toEqual([]);
    });
  });

  describe(`finding tickets over ${title}`, () => {
    async function setUp() {
      const { send, server, agent, project } = await openTicketBackend({
        database: await address(),
      });
      const shop = await project("demo-key");
      const ana = (await shop("POST", "users", { name: "Ana Łoś", address: "ana@x.test" })).uuid;
      const ticket = async (more: object = {}): Promise<number> =>
        (
          await shop("POST", "tickets", {
            title: "Parcel",
            message: "Where?",
            creator: ana,
            ...more,
          })
        ).id;
      const chatOf = async (user: object): Promise<Json> => {
        const { id: creator } = (await send("POST", "/v1/users", server, user)).body.user;
        return (await send("POST", "/v1/chats", server, { room: "1", creator })).body.chat;
      };
      return { shop, agent, ticket, ana, chatOf };
    }

    test("a person whom a ticket names is found with their chats and tickets, also without any chat", async () => {
      const { shop, agent, ticket, chatOf } = await setUp();
      const kim = await agent("kim");
      const [one, two] = [await ticket(), await ticket()];
      const { uuid: bo } = await shop("POST", "users", { name: "Bo", address: "bo@x.test" });
      const other = await ticket({ creator: bo });
      const idsOf = ({ body }: Json, list: string): readonly unknown[] =>
        body[list].map(({ id }: Json) => id);
      const seen = async (by: typeof kim, person: string): Promise<Json> => [
        idsOf(await by.request("GET", `chats?person=${person}`), "chats"),
        idsOf(await by.request("GET", `tickets?person=${person}`), "tickets"),
      ];
      expect(await seen(kim, `ticket-${one}`)).toEqual([[], [two, one]]);
      const chat = await chatOf({ name: "Ana", contact: "ANA@x.test" });
      await chatOf({ name: "Eve", contact: "ana@x.test.example" });
      expect(await seen(kim, `ticket-${two}`)).toEqual([[chat.id], [two, one]]);
      expect(await seen(kim, chat.creator)).toEqual([[chat.id], [two, one]]);
      expect(await seen(kim, `ticket-${other}`)).toEqual([[], [other]]);
      // A person without an address is found by the chat of the ticket.
      const nameless = await chatOf({ name: "Li" });
      const made = await kim.request("POST", "tickets", { chat: nameless.id });
      const { id } = made.body.ticket;
      expect(await seen(kim, `ticket-${id}`)).toEqual([[nameless.id], [id]]);
      // A ticket that an agent may not read reveals no name.
      const far = await agent("far", { queues: { TICKET_VIEW: [7] } });
      const blind = await agent("blind", { rights: {} });
      for (const list of ["chats", "tickets"]) {
        const asked = (by: typeof kim, person: string) =>
          by.request("GET", `${list}?person=${person}`);
        expect((await asked(far, `ticket-${one}`)).status).toBe(404);
        expect((await asked(blind, `ticket-${one}`)).status).toBe(403);
        expect((await asked(kim, "ticket-999")).status).toBe(404);
        expect((await asked(kim, "ticket-1%20OR%201=1")).status).toBe(404);
      }
    });

    test("looks at title, text, replies, notes, number and person, and requires every word", async () => {
      const { shop, agent, ticket, ana } = await setUp();
      const kim = await agent("kim");
      const id = await ticket({
        title: "Rückerstattung",
        message: "<p>My <b>blue</b> lamp</p>",
        history: { messages: [{ user: "assistant", message: "Earlier words" }] },
      });
      const other = await ticket({ message: "A blue chair" });
      await shop("POST", `tickets/${id}/replies`, { message: "It <i>flickers</i>", creator: ana });
      await kim.request("POST", `tickets/${id}/replies`, { message: "We are sorry" });
      await kim.request("POST", `tickets/${id}/notes`, { message: "Do not anger" });
      const read = async (query: string): Promise<Json> =>
        (await kim.request("GET", `tickets?${query}`)).body;
      const found = async (search: string): Promise<readonly number[]> =>
        (await read(new URLSearchParams({ search }).toString())).tickets.map((one: Json) => one.id);
      const { number } = (await read("search=flickers")).tickets[0];
      for (const search of [
        "ruckerst",
        "blue lamp",
        "earlier",
        "flickers los",
        "sorry ana@x.test",
        "anger",
        number,
      ]) {
        expect([search, await found(search)]).toEqual([search, [id]]);
      }
      expect(await found("blue ana")).toEqual([id, other]);
      expect(await found("blue sorry chair")).toEqual([]);
      const { excerpt } = (await read("search=flick")).tickets[0];
      expect(excerpt).toEqual({ text: "It flickers", at: 3, length: 8 });
      await kim.request("PUT", `tickets/${id}`, { title: "Changed" });
      expect(await found("ruckerst")).toEqual([]);
      expect(await found("changed")).toEqual([id]);
      await shop("PUT", `users/${ana}`, { name: "Berta" });
      expect(await found("los")).toEqual([]);
      expect(await found("berta chair")).toEqual([other]);
    });

    test("looks only at the agent's queues, with filters, counts and pages", async () => {
      const { agent, ticket } = await setUp();
      const kim = await agent("kim");
      const ids = [await ticket({ language: "fr" }), await ticket(), await ticket()];
      await kim.request("PUT", `tickets/${ids[0]}`, { assignee: kim.id });
      const read = async (query: string): Promise<Json> =>
        (await kim.request("GET", `tickets?${query}`)).body;
      const found = async (query: string): Promise<readonly number[]> =>
        (await read(query)).tickets.map((one: Json) => one.id);
      expect(await found("lang=fr&search=parcel")).toEqual([ids[0]]);
      expect(await found(`agent=${kim.id}&search=parcel`)).toEqual([ids[0]]);
      expect(await found("queue=1&search=parcel")).toHaveLength(3);
      expect(await found("queue=99")).toEqual([]);
      expect(await found("from=1&to=2")).toEqual([]);
      expect((await read("search=parcel&view=open")).counts).toMatchObject({
        new: 2,
        open: 1,
        all: 3,
        toAnswer: 1,
      });
      const first = await read("search=parcel&length=2");
      const second = await read(`search=parcel&length=2&after=${first.next}`);
      expect([first.hasMore, second.hasMore, second.next]).toEqual([true, false, null]);
      const all = [...first.tickets, ...second.tickets].map((one: Json) => one.id);
      expect(new Set(all)).toEqual(new Set(ids));
      const oldest = await read("search=parcel&length=2&order=oldest");
      const newest = await read(`search=parcel&length=2&order=oldest&after=${oldest.next}`);
      const reversed = [...oldest.tickets, ...newest.tickets].map((one: Json) => one.id);
      expect(reversed).toEqual(all.toReversed());
      const few = await agent("lee", { queues: { TICKET_VIEW: [99] } });
      expect((await few.request("GET", "tickets?search=parcel")).body.tickets).toEqual([]);
      for (const query of ["after=here", `search=${"x".repeat(201)}`, "from=9&to=8", "order=up"]) {
        expect((await kim.request("GET", `tickets?${query}`)).status).toBe(422);
      }
    });
  });
}
