import { describe, expect, test } from "vitest";
import { openTicketBackend } from "../ticket-backend.ts";
import type { Json } from "../../client.ts";
import { png } from "../../ticketing/service.ts";

interface Answer {
  readonly status: number;
  readonly body: Json;
}

/** Tests agents' work on tickets: answer, assign, mark, merge, and create them from chats. */
export function ticketWork(title: string, address: () => Promise<string | null>): void {
  describe(`work on tickets over ${title}`, () => {
    async function setUp(now: () => number = Date.now) {
      const { send, server, agent, project } = await openTicketBackend({
        database: await address(),
        now,
      });
      const shop = await project("demo-key");
      const ask = (method: string, path: string, body?: unknown) =>
        send(method, `/v1/${path}`, server, body);
      const ana = (await shop("POST", "users", { name: "Ana", address: "ana@x.test" })).uuid;
      const ticket = async (more: object = {}) =>
        shop("POST", "tickets", {
          title: "Parcel",
          message: "Where is it?",
          creator: ana,
          ...more,
        });
      return { ask, shop, agent, ticket, ana };
    }

    const refusal = ({ status, body }: Answer): unknown => [status, body.error?.message];

    test("a ticket that is read while it is answered counts as seen only up to what is shown of it", async () => {
      const { agent, ticket } = await setUp();
      const kim = await agent("Kim");
      for (let round = 0; round < 5; round++) {
        const { id } = await ticket();
        const path = `tickets/${id}`;
        const readOften = () =>
          Array.from({ length: 6 }, async () => {
            const [one, list] = await Promise.all([
              kim.request("GET", path),
              kim.request("GET", "tickets?view=all"),
            ]);
            const line = list.body.tickets.find((other: Json) => other.id === id);
            return [one.body.ticket, line];
          });
        const before = readOften();
        const answer = { message: "Here", status: 3 };
        const { seen } = (await kim.request("POST", `${path}/replies`, answer)).body.ticket;
        const shown = (await Promise.all([...before, ...readOften()])).flat();
        const stale = shown.filter((one) => one.status !== 3 || one.replies?.length === 0);
        expect(stale.map((one) => one.seen)).not.toContain(seen);
      }
    });

    test("an answer is stored once for its agent and assigns the ticket, and the person's reply opens it again", async () => {
      const { shop, agent, ticket, ana } = await setUp();
      const kim = await agent("Kim", { nickname: "Kimmy" });
      const { id } = await ticket();
      const answer = { message: "On <its> way\n\n& soon", status: 3, seen: 1 };
      const sent = await kim.request("POST", `tickets/${id}/replies`, answer, "one");
      const again = await kim.request("POST", `tickets/${id}/replies`, answer, "one");
      expect([sent.status, again.status]).toEqual([200, 200]);
      expect(again.body.ticket).toMatchObject({
        status: 3,
        assignee: { id: kim.id, name: "Kimmy" },
        replies: [{ user: "Kimmy", type: "answer", message: "On <its> way\n\n& soon" }],
      });
      const { data } = await shop("GET", `tickets/${id}/replies`);
      expect(data).toHaveLength(1);
      expect(data[0].message).toBe("On &lt;its&gt; way<br>\n<br>\n&amp; soon");
      const other = await kim.request("POST", `tickets/${id}/replies`, { message: "No" }, "one");
      expect(other.status).toBe(409);
      for (const status of [3, 4]) {
        await shop("POST", `tickets/${id}/replies`, { message: "Thanks", creator: ana });
        const opened = (await kim.request("GET", `tickets/${id}`)).body.ticket;
        expect(opened.status).toBe(2);
        expect(opened.changes.at(-1)).toMatchObject({ field: "status", to: "2", user: "Ana" });
        await kim.request("PUT", `tickets/${id}`, { status });
      }
    });

    test("agents see who else views or answers a ticket, for as long as those report it", async () => {
      let at = Date.now();
      const { agent, ticket } = await setUp(() => at);
      const [kim, lee] = [await agent("Kim", { nickname: "Kimmy" }), await agent("Lee")];
      const [{ id }, other] = [await ticket(), await ticket()];
      const tell = (one: typeof kim, type: string) =>
        one.request("POST", `tickets/${id}/activity`, { type });
      const seenBy = async (one: typeof kim, of = id) =>
        (await one.request("GET", `tickets/${of}`)).body.ticket.present;
      const isKim = { id: kim.id, name: "Kimmy" };
      expect((await tell(kim, "looking")).body).toEqual({ present: [] });
      expect((await tell(lee, "looking")).body).toEqual({
        present: [{ ...isKim, writing: false }],
      });
      expect(await seenBy(kim)).toEqual([{ id: lee.id, name: "Lee", writing: false }]);
      expect(await seenBy(lee, other.id)).toEqual([]);
      await tell(kim, "writing");
      expect(await seenBy(lee)).toEqual([{ ...isKim, writing: true }]);
      // An answer ends its sign of writing at once.
      await kim.request("POST", `tickets/${id}/replies`, { message: "Here" });
      expect(await seenBy(lee)).toEqual([{ ...isKim, writing: false }]);
      await tell(kim, "writing");
      expect(await seenBy(lee)).toEqual([{ ...isKim, writing: true }]);
      // A sign of writing ends before one of looking; both end without any further event.
      at += 10_000;
      expect(await seenBy(lee)).toEqual([{ ...isKim, writing: false }]);
      at += 15_000;
      expect(await seenBy(lee)).toEqual([]);
      await tell(kim, "writing");
      await tell(kim, "left");
      expect(await seenBy(lee)).toEqual([]);
      // Signs are only shown to agents who may read the ticket.
      expect(refusal(await tell(lee, "away"))).toEqual([
        422,
        "type: must be among looking, writing, left",
      ]);
      const away = await agent("Max", { queues: { TICKET_VIEW: [7] } });
      expect(refusal(await tell(away, "looking"))).toEqual([404, `There is no ticket ${id}.`]);
      const blind = await agent("Ned", { rights: {} });
      expect((await tell(blind, "looking")).status).toBe(403);
      expect(await seenBy(lee)).toEqual([]);
    });

    test("the second of two agents who answer at once gets a warning, and may answer after all", async () => {
      const { agent, ticket } = await setUp();
      const [kim, lee] = [await agent("Kim"), await agent("Lee")];
      const { id } = await ticket();
      const { seen } = (await kim.request("GET", `tickets/${id}`)).body.ticket;
      const both = await Promise.all(
        [kim, lee].map((one) =>
          one.request("POST", `tickets/${id}/replies`, { message: `${one.id} here`, seen }, one.id),
        ),
      );
      expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
      const late = both[0]?.status === 409 ? kim : lee;
      const now = (await late.request("GET", `tickets/${id}`)).body.ticket;
      expect(now.replies).toHaveLength(1);
      const next = { message: `${late.id} here`, seen: now.seen };
      const sent = await late.request("POST", `tickets/${id}/replies`, next, late.id);
      expect(sent.body.ticket.replies).toHaveLength(2);
      // A change of another field is no conflict, one of the same is.
      await kim.request("PUT", `tickets/${id}`, { tags: ["late"] });
      const { ticket: before } = (await lee.request("GET", `tickets/${id}`)).body;
      await kim.request("PUT", `tickets/${id}`, { status: 3, seen: before.seen });
      expect(
        (await lee.request("PUT", `tickets/${id}`, { tags: ["b", "a"], seen: before.seen })).status,
      ).toBe(200);
      expect(
        refusal(await lee.request("PUT", `tickets/${id}`, { status: 4, seen: before.seen })),
      ).toEqual([409, "status: another has changed it in the meantime."]);
    });

    test("assigning opens a new ticket, lists it under mine, and needs an agent who may answer", async () => {
      const { agent, ticket, shop } = await setUp();
      const [kim, lee] = [await agent("Kim"), await agent("Lee")];
      const blind = await agent("Bo", { rights: {} });
      const { id } = await ticket();
      const { body } = await kim.request("PUT", `tickets/${id}`, { assignee: lee.id });
      expect(body.ticket).toMatchObject({ status: 2, assignee: { id: lee.id, name: "Lee" } });
      expect(body.ticket.changes).toMatchObject([
        { field: "status", to: "2", user: "Kim" },
        { field: "assignee", to: "Lee", user: "Kim" },
      ]);
      const mine = async (one: typeof kim) => (await one.request("GET", "tickets?view=mine")).body;
      expect((await mine(lee)).tickets).toMatchObject([{ id }]);
      expect((await mine(lee)).counts).toMatchObject({ mine: 1, open: 1, new: 0 });
      expect((await mine(kim)).tickets).toEqual([]);
      expect((await shop("GET", `tickets/${id}`)).solver).not.toBeNull();
      for (const assignee of [blind.id, "nobody"]) {
        expect((await kim.request("PUT", `tickets/${id}`, { assignee })).status).toBe(422);
      }
      const none = await lee.request("PUT", `tickets/${id}`, { assignee: "" });
      expect(none.body.ticket.assignee).toBeNull();
      expect((await kim.request("PUT", `tickets/${id}`, { status: 5 })).status).toBe(422);
      expect((await kim.request("PUT", `tickets/${id}`, { status: 1 })).status).toBe(422);
    });

    test("without TICKET_EDIT for the queue nothing can be changed, and a removed right takes effect at once", async () => {
      const { agent, ticket, ask, shop } = await setUp();
      const kim = await agent("Kim");
      const { id } = await ticket();
      const chat = (await ask("POST", "users", { name: "Bo" })).body.user.id;
      const { id: room } = (await ask("POST", "chats", { room: "1", creator: chat })).body.chat;
      const call = { name: "Cy", title: "A call", message: "Where is it?" };
      const attempts = (): Promise<readonly Answer[]> =>
        Promise.all([
          kim.request("PUT", `tickets/${id}`, { tags: ["a"] }),
          kim.request("POST", `tickets/${id}/replies`, { message: "a" }),
          kim.request("POST", `tickets/${id}/notes`, { message: "a" }),
          kim.request("POST", `tickets/${id}/merge`, { into: id }),
          kim.request("POST", "tickets", { chat: room, queue: 1 }),
          kim.request("POST", "tickets", { ...call, queue: 1 }),
          kim.request("POST", "tickets/media", { name: "a.png", content: png }),
        ]);
      await ask("PUT", `agents/${kim.id}`, { rights: { TICKET_EDIT: false } });
      for (const one of await attempts()) {
        expect(refusal(one)).toEqual([403, "This agent does not have the right TICKET_EDIT."]);
      }
      expect((await kim.request("GET", `tickets/${id}`)).body.ticket.editable).toBe(false);
      const queue = (await shop("POST", "queues", { name: "Returns" })).uuid;
      const queues = { TICKET_EDIT: [queue] };
      await ask("PUT", `agents/${kim.id}`, { rights: { TICKET_EDIT: true }, queues });
      expect((await attempts()).map(({ status }) => status)).toEqual([
        403, 403, 403, 403, 403, 403, 200,
      ]);
      // Without a named queue, a ticket goes into the agent's queue.
      for (const body of [call, { chat: room }]) {
        const made = await kim.request("POST", "tickets", body);
        expect(made.body.ticket).toMatchObject({ queueId: queue, assignee: { id: kim.id } });
      }
      await ask("PUT", `agents/${kim.id}`, { queues: { ...queues, TICKET_VIEW: [1] } });
      expect(refusal(await kim.request("POST", "tickets", { ...call, queue }))).toEqual([
        403,
        `This agent does not have the right TICKET_VIEW for queue ${queue}.`,
      ]);
      await ask("PUT", `agents/${kim.id}`, { queues: { ...queues, TICKET_VIEW: [] } });
      const offered = (await kim.request("GET", "tickets/choices")).body.queues;
      expect(offered.map(({ id: one, editable }: Json) => [one, editable])).toEqual([
        [1, false],
        [queue, true],
      ]);
      const here = await ticket({ queue });
      const noted = await kim.request("POST", `tickets/${here.id}/notes`, { message: "a" });
      expect(noted.status).toBe(200);
      expect((await shop("GET", `tickets/${id}/replies`)).data).toEqual([]);
    });

    test("notes and tags are for agents alone, and an uploaded file is attached to the answer", async () => {
      const { agent, ticket, shop } = await setUp();
      const kim = await agent("Kim");
      const { id } = await ticket();
      for (const _ of [1, 2]) {
        await kim.request("POST", `tickets/${id}/notes`, { message: "A secret note" }, "one");
      }
      await kim.request("PUT", `tickets/${id}`, { tags: ["Late ", "vip", "vip"] });
      const { media } = (
        await kim.request("POST", "tickets/media", { name: "a.png", content: png })
      ).body;
      const answer = { message: "See", attachments: [media.id] };
      const { body } = await kim.request("POST", `tickets/${id}/replies`, answer);
      expect(body.ticket).toMatchObject({
        tags: ["Late", "vip"],
        notes: [{ user: "Kim", message: "A secret note" }],
        replies: [{ files: [{ name: "a.png", type: "image/png" }] }],
      });
      expect((await kim.request("GET", "tickets/choices")).body.tags).toEqual(["Late", "vip"]);
      expect((await kim.request("GET", "tickets?tag=vip")).body.tickets).toHaveLength(1);
      expect((await kim.request("GET", "tickets?tag=v")).body.tickets).toEqual([]);
      expect((await kim.request("PUT", `tickets/${id}`, { tags: ["a,b"] })).status).toBe(422);
      const parts = ["", "/replies"].map((path) => shop("GET", `tickets/${id}${path}`));
      expect(JSON.stringify(await Promise.all(parts))).not.toContain("secret note");
      const wrong = await kim.request("POST", "tickets/media", { name: "a.exe", content: png });
      expect(wrong.status).toBe(422);
    });

    test("a file that an agent may not read is reachable neither by attaching it nor through a duplicate", async () => {
      const { agent, ticket, shop } = await setUp();
      const queue = (await shop("POST", "queues", { name: "Returns" })).uuid;
      const kim = await agent("Kim", { queues: { TICKET_VIEW: [queue] } });
      const lead = await agent("Lead", {
        rights: { SUPERVISE: true, TICKET_VIEW: true, TICKET_EDIT: true },
      });
      const upload = (name: string) => shop("POST", "media", { name, content: png });
      const [secret, fresh, seen] = [
        await upload("a.png"),
        await upload("b.png"),
        await upload("c.png"),
      ];
      const other = await ticket({ title: "A secret", attachments: [secret.hash_uuid] });
      const mine = await ticket({ queue, attachments: [seen.hash_uuid] });
      const attach = async (id: Json): Promise<number> => {
        const answer = { message: "See", attachments: [id] };
        return (await kim.request("POST", `tickets/${mine.id}/replies`, answer)).status;
      };
      // Numbers can be guessed; only the uploader of a file knows its UUID.
      for (const id of [secret.id, String(secret.id), secret.hash_uuid, fresh.id]) {
        expect([id, await attach(id)]).toEqual([id, 422]);
      }
      expect((await kim.request("GET", `tickets/media/${secret.hash_uuid}`)).status).toBe(404);
      expect([await attach(fresh.hash_uuid), await attach(seen.hash_uuid)]).toEqual([200, 200]);
      await lead.request("PUT", `tickets/${other.id}`, { tags: ["fraud", "late"] });
      await lead.request("PUT", `tickets/${mine.id}`, { tags: ["late"] });
      const offered = async (one: typeof kim): Promise<Json> =>
        (await one.request("GET", "tickets/choices")).body.tags;
      expect(await offered(kim)).toEqual(["late"]);
      expect(await offered(lead)).toEqual(["late", "fraud"]);
      const double = await ticket({ queue });
      await lead.request("POST", `tickets/${double.id}/merge`, { into: String(other.id) });
      const { body } = await kim.request("GET", `tickets/${double.id}`);
      expect(body.ticket.mergedInto).toMatchObject({ id: other.id });
      expect(JSON.stringify(body)).not.toContain("A secret");
      expect((await lead.request("GET", `tickets/${double.id}`)).body.ticket.mergedInto.title).toBe(
        "A secret",
      );
      // The words of a duplicate from another queue are shown, but only files that the agent may
      // open.
      await lead.request("POST", `tickets/${other.id}/merge`, { into: String(mine.id) });
      const filesOf = async (one: typeof kim): Promise<Json> => {
        const { ticket: shown } = (await one.request("GET", `tickets/${mine.id}`)).body;
        expect(shown.merged).toMatchObject([{ title: "A secret" }, { id: double.id }]);
        return [shown, ...shown.merged].flatMap(({ files }: Json) => files);
      };
      for (const one of [kim, lead]) {
        for (const { url } of await filesOf(one)) {
          expect((await one.request("GET", url.slice(1))).status).toBe(200);
        }
      }
      const names = async (one: typeof kim): Promise<Json> =>
        (await filesOf(one)).map(({ name }: Json) => name);
      expect(await names(kim)).toEqual(["c.png"]);
      expect(await names(lead)).toEqual(["c.png", "a.png"]);
    });

    test("a merged duplicate is shown with the other ticket, takes no answer, and passes replies on", async () => {
      const { agent, ticket, shop } = await setUp();
      const kim = await agent("Kim");
      const bo = (await shop("POST", "users", { name: "Bo", address: "bo@x.test" })).uuid;
      const [first, second, third] = [
        await ticket(),
        await ticket({ creator: bo }),
        await ticket(),
      ];
      await kim.request("POST", `tickets/${second.id}/replies`, { message: "From the double" });
      await kim.request("PUT", `tickets/${first.id}`, { status: 4 });
      const merge = (from: Json, into: Json) =>
        kim.request("POST", `tickets/${from.id}/merge`, { into: String(into.id) });
      const { body } = await merge(second, first);
      expect(body.ticket).toMatchObject({
        id: first.id,
        status: 2,
        merged: [
          { id: second.id, user: "Bo", replies: [{ message: "From the double" }], status: 5 },
        ],
      });
      const double = (await kim.request("GET", `tickets/${second.id}`)).body.ticket;
      expect(double).toMatchObject({ status: 5, mergedInto: { id: first.id } });
      expect(
        refusal(await kim.request("POST", `tickets/${second.id}/replies`, { message: "x" })),
      ).toEqual([409, "The ticket has been merged into another one."]);
      // The person's answer to the duplicate arrives in the other ticket, as theirs, and opens it.
      await kim.request("PUT", `tickets/${first.id}`, { status: 4 });
      await shop("POST", `tickets/${second.id}/replies`, { message: "Still here", creator: bo });
      const now = (await kim.request("GET", `tickets/${first.id}`)).body.ticket;
      expect(now).toMatchObject({ status: 2, replies: [{ type: "reply", message: "Still here" }] });
      expect((await merge(second, third)).status).toBe(409);
      expect((await merge(third, second)).status).toBe(409);
      expect((await merge(third, third)).status).toBe(422);
      // A second merge moves everything on.
      const moved = (await merge(first, third)).body.ticket;
      expect(moved.merged.map(({ id }: Json) => id)).toEqual([first.id, second.id]);
      // It has an assignee now, so it is no longer new, and it has none of the duplicates' states.
      expect(moved).toMatchObject({ status: 2, assignee: { id: kim.id } });
      expect(moved.changes.map(({ field, to }: Json) => [field, to])).toEqual([
        ["status", "2"],
        ["assignee", "Kim"],
        ["merged", moved.merged[0].number],
      ]);
      await shop("POST", `tickets/${second.id}/replies`, { message: "And now?", creator: bo });
      expect((await kim.request("GET", `tickets/${third.id}`)).body.ticket.replies).toHaveLength(1);
    });

    test("a call becomes one ticket with its transcript, for the person with that address", async () => {
      const { agent, shop } = await setUp();
      const kim = await agent("Kim");
      const call = {
        name: " Ana  García ",
        contact: "Ana <ANA@x.test>",
        title: " The lamp ",
        message: "It <b>flickers</b>\n& hums",
        language: "es-MX",
      };
      const [one, again] = await Promise.all(
        [1, 2].map(() => kim.request("POST", "tickets", call, "1")),
      );
      const { ticket } = one?.body ?? {};
      expect(again?.body.ticket.id).toBe(ticket.id);
      expect(ticket).toMatchObject({
        title: "The lamp",
        // These are the agent's words about the person's, and are marked as such.
        message: "It <b>flickers</b>\n& hums",
        author: "Kim",
        status: 2,
        language: "es-MX",
        // The name that the person has already.
        user: "Ana",
        contact: "ana@x.test",
        queueId: 1,
        assignee: { id: kim.id },
      });
      expect(refusal(await kim.request("POST", "tickets", { ...call, title: "x" }, "1"))).toEqual([
        409,
        "Idempotency-Key: was used for another request: take a new key",
      ]);
      const found = (await kim.request("GET", "tickets?search=flickers")).body.tickets;
      expect(found.map(({ id }: Json) => id)).toEqual([ticket.id]);
      // An agent who records another call finds the person by name or address.
      const known = [{ name: "Ana", contact: "ana@x.test", person: "" }];
      for (const words of ["an", "ana@x"]) {
        const { people } = (await kim.request("GET", `tickets/people?search=${words}`)).body;
        expect(people).toEqual(known);
      }
      const none = await kim.request("GET", "tickets/people?search=");
      expect(none.body.people).toEqual([]);
      const lee = await agent("Lee");
      const given = { ...call, title: "Another", assignee: lee.id };
      expect((await kim.request("POST", "tickets", given)).body.ticket).toMatchObject({
        author: "Kim",
        assignee: { id: lee.id },
      });
      // A person without an address counts as a separate person.
      const { contact: _, ...bare } = call;
      const [nobody, other] = [
        (await kim.request("POST", "tickets", bare, "2")).body.ticket,
        (await kim.request("POST", "tickets", bare)).body.ticket,
      ];
      expect(nobody).toMatchObject({ user: "Ana García", contact: "", others: [] });
      expect(other).toMatchObject({ user: "Ana García", contact: "", others: [] });
      expect((await kim.request("POST", "tickets", bare, "2")).body.ticket.id).toBe(nobody.id);
      expect((await shop("GET", "users?address=ana@x.test")).data).toHaveLength(1);
      for (const [field, wrong] of [
        ["title", { ...call, title: " " }],
        ["message", { ...call, message: "" }],
        ["name", { ...bare, name: "" }],
        ["name", { ...call, name: "123" }],
        ["contact", { ...call, contact: "ana at x" }],
        ["contact", { ...call, contact: "chat-1@no-reply.invalid" }],
        ["queue", { ...call, queue: 99 }],
        ["assignee", { ...call, assignee: "no-one" }],
      ] as const) {
        const { status, body } = await kim.request("POST", "tickets", wrong);
        expect([status, body.error?.message]).toEqual([422, expect.stringMatching(`^${field}: `)]);
      }
    });

    test("a chat becomes one ticket with its messages and files, linked both ways", async () => {
      const { agent, ask, shop } = await setUp();
      const kim = await agent("Kim");
      const about = { name: "Ana", contact: "Ana@X.test" };
      const user = (await ask("POST", "users", about)).body.user.id;
      const opened = { room: "1", creator: user, lang: "fr", question: "Où est mon colis ?" };
      const { id: chat } = (await ask("POST", "chats", opened)).body.chat;
      await ask("POST", `chats/${chat}/join`, { userId: kim.id });
      await ask("POST", `chats/${chat}/messages`, { sender: user, message: "<b>?" });
      await ask("POST", `chats/${chat}/messages`, { sender: kim.id, message: "Je regarde" });
      const file = { name: "a.png", content: png, chatId: chat, senderId: user };
      expect((await ask("POST", "media", file)).status).toBe(200);
      const [one, two] = await Promise.all(
        [1, 2].map(() => kim.request("POST", "tickets", { chat })),
      );
      expect(one?.body.ticket.id).toBe(two?.body.ticket.id);
      const { ticket } = one?.body ?? {};
      expect(ticket).toMatchObject({
        title: "Où est mon colis ?",
        status: 2,
        language: "fr",
        user: "Ana",
        contact: "ana@x.test",
        assignee: { id: kim.id },
        transcript: [
          { user: "user", message: "<b>?" },
          { user: "agent", name: "Kim", message: "Je regarde" },
          { user: "user", message: "a.png" },
        ],
        files: [{ name: "a.png" }],
        chats: [{ id: chat, closed: false }],
      });
      const linked = (await kim.request("GET", `chats/${chat}/tickets`)).body.tickets;
      expect(linked).toMatchObject([{ id: ticket.id, number: ticket.number }]);
      expect((await shop("GET", `tickets/${ticket.id}`)).message).toContain("&lt;b&gt;?");
      expect((await shop("GET", "users?address=ana@x.test")).data).toHaveLength(1);
      const lee = await agent("Lee", { rooms: [] });
      expect((await lee.request("POST", "tickets", { chat })).status).toBe(404);
      expect((await lee.request("GET", `chats/${chat}/tickets`)).status).toBe(404);
      expect((await lee.request("GET", `tickets/${ticket.id}`)).body.ticket.chats).toEqual([]);
    });
  });
}
