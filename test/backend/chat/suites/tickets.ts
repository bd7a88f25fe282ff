import { describe, expect, onTestFinished, test } from "vitest";
import { tieApp } from "../../../../src/backend/chat/agents/apps.ts";
import { openDatabase } from "../../../../src/backend/storage/open-database.ts";
import { openTicketBackend } from "../ticket-backend.ts";
import type { Json } from "../../client.ts";
import { png } from "../../ticketing/service.ts";

interface Answer {
  readonly status: number;
  readonly body: Json;
}

/** Tests which tickets of their app's project agents see, and that nobody else does. */
export function tickets(title: string, address: () => Promise<string | null>): void {
  describe(`tickets for agents over ${title}`, () => {
    /** A backend with the demo's app and both of its projects. */
    async function setUp() {
      const place = await address();
      const { send, app, server, project } = await openTicketBackend({ database: place });
      const agent = { name: "Kim", login: "kim", password: "a long password" };
      const { id } = (await send("POST", "/v1/agents", server, agent)).body.agent;
      const login = { login: "kim", password: "a long password" };
      const { token } = (await send("POST", "/v1/agents/login", app, login)).body.session;
      return {
        place,
        shop: await project("demo-key"),
        modern: await project("demo-modern"),
        may: (TICKET_VIEW: boolean) =>
          send("PUT", `/v1/agents/${id}`, server, { rights: { TICKET_VIEW } }),
        change: (change: object) => send("PUT", `/v1/agents/${id}`, server, change),
        see: (path = "tickets", headers: object = { "x-hyper-token": token }) =>
          send("GET", `/v1/${path}`, { ...app, ...headers }),
        send,
      };
    }

    const refusal = ({ status, body }: Answer): unknown => [status, body.error?.message];

    test("are shown only with the right TICKET_VIEW, which no agent has at first, until it is taken away", async () => {
      const { see, may, send } = await setUp();
      const without = [403, "This agent does not have the right TICKET_VIEW."];
      expect(refusal(await see())).toEqual(without);
      const { agent } = (await may(true)).body;
      expect(agent.rights.TICKET_VIEW).toBe(true);
      expect(await see()).toMatchObject({ status: 200, body: { tickets: [], hasMore: false } });
      await may(false);
      for (const path of ["tickets", "tickets/1", "tickets/media/1"]) {
        expect(refusal(await see(path))).toEqual(without);
      }
      const user = await send(
        "POST",
        "/v1/users",
        { "x-hyper-appId": "demo-app" },
        { name: "Eve" },
      );
      for (const headers of [
        { "x-hyper-token": user.body.session.token },
        { "x-hyper-secret": "demo-app-secret" },
      ]) {
        expect(refusal(await see("tickets", headers))).toEqual([
          403,
          "This needs an agent's token.",
        ]);
      }
      expect((await see("tickets", {})).status).toBe(401);
      expect((await see("tickets", { "x-hyper-token": "wrong" })).status).toBe(401);
    });

    test("belong to the app's own project, and are not shown without a project", async () => {
      const { see, may, shop, modern, place } = await setUp();
      await may(true);
      const creator = (await modern("POST", "users", { name: "Bo", address: "bo@x.test" })).uuid;
      const file = { name: "a.png", content: png };
      const media = await modern("POST", "media", file);
      const body = { title: "Elsewhere", message: "x", creator, attachments: [media.hash_uuid] };
      const other = await modern("POST", "tickets", body);
      expect((await see()).body.tickets).toEqual([]);
      for (const id of [other.id, other.hash_uuid]) {
        expect((await see(`tickets/${id}`)).status).toBe(404);
      }
      expect((await see(`tickets/media/${media.hash_uuid}`)).status).toBe(404);
      // A file of the project that is attached to nothing yet.
      const loose = await shop("POST", "media", file);
      expect((await see(`tickets/media/${loose.hash_uuid}`)).status).toBe(404);
      if (place === null) return;
      const database = await openDatabase(place);
      onTestFinished(() => database.close());
      expect(await tieApp({ database }, "demo-app", "modern")).toBe(true);
      expect((await see()).body.tickets).toMatchObject([{ title: "Elsewhere" }]);
      expect(await tieApp({ database }, "demo-app", null)).toBe(true);
      expect(refusal(await see())).toEqual([
        403,
        "This app has no project: afterword backend app tie APP PROJECT.",
      ]);
      expect(await tieApp({ database }, "demo-app", "nothing")).toBe(false);
    });

    test("are reported as changed to agents who may read them, and to no others", async () => {
      const { send, app, server, project, listen } = await openTicketBackend({
        database: await address(),
      });
      const shop = await project("demo-key");
      const queue = (await shop("POST", "queues", { name: "Returns" })).uuid;
      const logIn = async (login: string, about: object): Promise<object> => {
        const agent = { name: login, login, password: "a long password", rooms: ["1"], ...about };
        await send("POST", "/v1/agents", server, agent);
        const { token } = (await send("POST", "/v1/agents/login", app, agent)).body.session;
        return { ...app, "x-hyper-token": token };
      };
      const rights = { TICKET_VIEW: true };
      const kim = await logIn("kim", { rights });
      const lee = await logIn("lee", { rights, queues: { TICKET_VIEW: [queue] } });
      const max = await logIn("max", {});
      const streams = await Promise.all([kim, lee, max, server].map((one) => listen(one)));
      const creator = (await shop("POST", "users", { name: "Ana", address: "ana@x.test" })).uuid;
      const { id } = await shop("POST", "tickets", { title: "A", message: "B", creator });
      await shop("PUT", `tickets/${id}`, { queue });
      await shop("PUT", `tickets/${id}`, { queue: 1 });
      await shop("POST", `tickets/${id}/replies`, { message: "C", creator });
      const user = (await send("POST", "/v1/users", server, { name: "Bo" })).body.user;
      await send("POST", "/v1/chats", server, { room: "1", creator: user.id });
      const readEvents = async (read: (count: number) => Promise<readonly Json[]>, count: number) =>
        (await read(count)).map(({ trigger, data }) => [trigger, data.ticketId, data.queue]);
      const change = (of: number): unknown => ["tickets:change", id, of];
      const chat = ["chats:create", undefined, undefined];
      const all = [1, queue, 1, 1, queue, 1].map(change);
      const own = [queue, queue].map(change);
      const [ofKim, ofLee, ofMax, ofServer] = streams;
      if (!ofKim || !ofLee || !ofMax || !ofServer) throw new Error("unreachable: four streams");
      expect(await readEvents(ofKim, 7)).toEqual([...all, chat]);
      expect(await readEvents(ofLee, 3)).toEqual([...own, chat]);
      expect(await readEvents(ofMax, 1)).toEqual([chat]);
      expect(await readEvents(ofServer, 1)).toEqual([chat]);
      // Clients that return receive the missed events.
      for (const [who, expected] of [
        [kim, [...all, chat]],
        [lee, [...own, chat]],
        [max, [chat]],
        [server, [chat]],
      ] as const) {
        const later = await listen({ ...who, "last-event-id": "0" });
        expect(await readEvents(later, expected.length)).toEqual(expected);
      }
    });

    test("have their texts without markup, their transcript, replies and files", async () => {
      const { see, may, shop } = await setUp();
      await may(true);
      const creator = (await shop("POST", "users", { name: "Ana", address: "ana@x.test" })).uuid;
      const solver = (await shop("POST", "users", { name: "Sue", address: "sue@x.test" })).uuid;
      const media = await shop("POST", "media", { name: "hole.png", content: png });
      const made = await shop("POST", "tickets", {
        title: "A <b>hole</b>",
        message: `<p>See &lt;this&gt;</p><img src="att:${media.hash_uuid}"><script>x()</script>`,
        creator,
        history: { messages: [{ user: "assistant", message: "<p>How can <i>I</i> help?</p>" }] },
      });
      const answer = { message: "<p>Sorry</p>", creator: solver };
      await shop("POST", `tickets/${made.id}/replies`, answer);
      const { ticket } = (await see(`tickets/${made.id}`)).body;
      expect(ticket).toMatchObject({
        id: made.id,
        number: made.full_uuid,
        title: "A <b>hole</b>",
        status: 1,
        queue: "Default",
        user: "Ana",
        contact: "ana@x.test",
        message: "See <this>",
        files: [{ type: "image/png", name: "hole.png" }],
        transcript: [{ user: "assistant", message: "How can I help?" }],
        replies: [{ user: "Sue", type: "answer", message: "Sorry", files: [] }],
      });
      const file = await see(ticket.files[0].url.slice(1));
      expect([file.status, file.headers.get("content-type")]).toEqual([200, "image/png"]);
      expect(file.headers.get("content-disposition")).toMatch(/^attachment/);
      expect((await see("tickets/99")).status).toBe(404);
      expect((await see("tickets/..%2f1")).status).toBe(404);
    });

    test("have the conversation in parts where the gateway sent it so, and then not as text too", async () => {
      const { see, may, shop } = await setUp();
      await may(true);
      const creator = (await shop("POST", "users", { name: "Ana", address: "x@no-reply.invalid" }))
        .uuid;
      const transcript = {
        link: "https://crm.test/1",
        dropped: 2,
        lines: [
          { who: "reader", message: "أين <b>طلبي</b>؟", created: 1_700_000_000 },
          { who: "bot", message: "I am looking.", created: 1_700_000_001 },
          { who: "agent", name: "Sam", message: "Hello", created: 1_700_000_002 },
        ],
      };
      const body = { title: "Order", message: "all of it", creator, language: "pt_br", transcript };
      const made = await shop("POST", "tickets", body);
      expect(made.message).toBe("all of it");
      const { ticket } = (await see(`tickets/${made.id}`)).body;
      expect(ticket).toMatchObject({
        language: "pt-BR",
        contact: "",
        message: "",
        link: "https://crm.test/1",
        dropped: 2,
        assignee: null,
        editable: false,
        transcript: [
          { user: "user", name: "", message: "أين <b>طلبي</b>؟", created: 1_700_000_000 },
          { user: "assistant", message: "I am looking." },
          { user: "agent", name: "Sam", message: "Hello" },
        ],
      });
    });

    test("of other queues are hidden from agents whose right is for some, but not from supervisors", async () => {
      const { see, may, shop, change } = await setUp();
      await may(true);
      const creator = (await shop("POST", "users", { name: "Ana", address: "ana@x.test" })).uuid;
      const queue = (await shop("POST", "queues", { name: "Returns" })).uuid;
      const media = await shop("POST", "media", { name: "hole.png", content: png });
      const attachments = [media.hash_uuid];
      const body = { title: "Mine", message: "x", creator };
      const mine = await shop("POST", "tickets", { ...body, queue });
      const other = await shop("POST", "tickets", { ...body, title: "Other", attachments });
      const titles = async (): Promise<readonly string[]> =>
        (await see()).body.tickets.map((one: Json) => one.title);
      expect(await titles()).toHaveLength(2);
      const { agent } = (await change({ queues: { TICKET_VIEW: [queue] } })).body;
      expect(agent.queues).toEqual({ TICKET_VIEW: [queue], TICKET_EDIT: [] });
      expect(await titles()).toEqual(["Mine"]);
      expect((await see()).body.counts).toMatchObject({ new: 1, all: 1, mine: 0 });
      expect((await see(`tickets/${mine.id}`)).body.ticket.others).toEqual([]);
      expect((await see(`tickets/${other.id}`)).status).toBe(404);
      expect((await see(`tickets/media/${media.hash_uuid}`)).status).toBe(404);
      await change({ rights: { SUPERVISE: true } });
      expect(await titles()).toHaveLength(2);
      expect((await see(`tickets/media/${media.hash_uuid}`)).status).toBe(200);
      expect((await change({ queues: { TICKET_VIEW: ["x"] } })).body.error.message).toMatch(
        /^queues/,
      );
    });

    test("are found by number, words of title, name and address, and state, page by page", async () => {
      const { see, may, shop } = await setUp();
      await may(true);
      const creator = (await shop("POST", "users", { name: "Ana Dí", address: "ana@x.test" })).uuid;
      const titles = ["100% wool", "A_B", String.raw`back\slash`, "Über 'quotes'"];
      const made: Json[] = [];
      for (const one of titles) {
        made.push(await shop("POST", "tickets", { title: one, message: "x", creator }));
      }
      await shop("PUT", `tickets/${made[1].id}`, { status: 4 });
      const found = async (query: string): Promise<readonly string[]> =>
        (await see(`tickets?${query}`)).body.tickets.map((one: Json) => one.title).toSorted();
      const search = (text: string) => found(`search=${encodeURIComponent(text)}`);
      expect(await found("")).toEqual(titles.toSorted());
      expect(await search("WOOL")).toEqual(["100% wool"]);
      expect(await search("100% ANA@x")).toEqual(["100% wool"]);
      expect(await search("a_b")).toEqual(["A_B"]);
      expect(await search("back\\s")).toEqual([String.raw`back\slash`]);
      expect(await search("'QUOTES' dí")).toEqual(["Über 'quotes'"]);
      expect(await search("Ana Dí")).toHaveLength(4);
      expect(await search(made[2].full_uuid)).toEqual([String.raw`back\slash`]);
      expect(await search(String(made[3].id))).toContain("Über 'quotes'");
      expect(await search("nothing like it")).toEqual([]);
      expect(await search("\u0000 ' OR 1=1 --")).toEqual([]);
      expect(await found("status=4")).toEqual(["A_B"]);
      expect(await found("view=solved")).toEqual(["A_B"]);
      expect(await found("view=new&search=wool")).toEqual(["100% wool"]);
      expect(await found("view=mine")).toEqual([]);
      const { counts } = (await see("tickets?length=1")).body;
      expect(counts).toEqual({
        new: 3,
        mine: 0,
        open: 0,
        waiting: 0,
        solved: 1,
        all: 4,
        toAnswer: 0,
      });
      expect(await found("status=999999999999")).toEqual([]);
      expect(await search("999999999999999")).toEqual([]);
      expect(await found("status=4&search=wool")).toEqual([]);
      const first = (await see("tickets?length=3")).body;
      const rest = (await see("tickets?length=3&offset=3")).body;
      expect([first.tickets.length, first.hasMore, rest.tickets.length, rest.hasMore]).toEqual([
        3,
        true,
        1,
        false,
      ]);
      expect((await see("tickets?status=new")).body.error.message).toMatch(/^status: /);
      expect((await see("tickets?length=0")).status).toBe(422);
      expect((await see(`tickets?search=${"a".repeat(1000)}`)).status).toBe(422);
    });
  });
}
