import { describe, expect, test } from "vitest";
import type { Json } from "../../client.ts";
import type { ServiceOptions } from "../service.ts";
import { hour, png, service } from "../service.ts";

/** Tests case management on any store. `address` creates a database for each call. */
export function caseManagement(
  title: string,
  address: () => Promise<string | null>,
  options: ServiceOptions = {},
): void {
  describe(`case management over ${title}`, () => {
    test("a user is created once for each address, and found by it", async () => {
      const { ask } = await service(await address(), options);
      const made = await ask("POST", "/users", { name: "Ana", address: "Ana.B@example.test" });
      expect(made.body).toEqual({ uuid: 1, hash_uuid: expect.stringMatching(/^[0-9a-f]{8}-/) });
      const again = await ask("POST", "/users", { name: "Ana", address: "ana.b@EXAMPLE.test" });
      expect(again).toMatchObject({
        status: 409,
        body: { uuid: 1, message: "address: belongs to a user already" },
      });
      const found = await ask("GET", "/users?address=ana.b@example.test");
      expect(found.body).toMatchObject({
        data: [{ id: 1, name: "Ana", address: "Ana.B@example.test" }],
      });
      expect((await ask("GET", "/users?address=nobody@example.test")).body).toEqual({
        data: [],
        hasMore: false,
      });
      const open = await ask("GET", "/users/public?address=ana.b@example.test");
      expect(open.body.data).toEqual([
        { name: "Ana", address: "Ana.B@example.test", hash_uuid: made.body.hash_uuid },
      ]);
    });

    test("composed and decomposed letters are one address", async () => {
      const { ask } = await service(await address(), options);
      const [composed, decomposed] = ["NFC", "NFD"].map((form) =>
        "josé-n@example.com".normalize(form),
      );
      expect((await ask("POST", "/users", { name: "José", address: decomposed })).status).toBe(200);
      const again = await ask("POST", "/users", { name: "José", address: composed });
      expect(again).toMatchObject({ status: 409, body: { uuid: 1 } });
      const query = encodeURIComponent(composed ?? "");
      expect((await ask("GET", `/users?address=${query}`)).body.data).toHaveLength(1);
    });

    test("a user can be changed, with further fields one by one, but not to another's address", async () => {
      const { ask } = await service(await address(), options);
      await ask("POST", "/users", {
        name: "Ana",
        address: "a@example.test",
        extra: [{ id: 1, content: "x" }],
      });
      await ask("POST", "/users", { name: "Bo", address: "b@example.test" });
      const changed = await ask("PUT", "/users/1", {
        extra: [{ id: "2", content: "y" }],
        name: "Anna",
      });
      expect(changed.body).toMatchObject({
        name: "Anna",
        extra: [
          { id: 1, content: "x" },
          { id: 2, content: "y" },
        ],
      });
      expect((await ask("PUT", "/users/1", { address: "B@example.test" })).status).toBe(409);
      expect((await ask("PUT", "/users/99", { name: "x" })).status).toBe(404);
    });

    test("a ticket is returned whole, with number, UUID and printable number", async () => {
      const { ask, user, time } = await service(await address(), options);
      const creator = await user();
      const { body } = await ask("POST", "/tickets", {
        title: "Late",
        message: "Where is it?",
        creator,
        source: 3,
        external_id: "chat-7",
        history: {
          messages: [
            { user: "assistant", message: "Hello" },
            { user: "user", message: " " },
          ],
        },
      });
      expect(body).toMatchObject({
        uuid: 1,
        id: 1,
        full_uuid: expect.stringMatching(/^[2-9A-Z]{3}-1$/),
        title: "Late",
        message: "Where is it?",
        creator,
        solver: null,
        source: 3,
        queue: 1,
        status: 1,
        external_id: "chat-7",
        attachments: [],
        history: { messages: [{ user: "assistant", message: "Hello" }] },
        created: time.now() / 1000,
      });
      for (const id of [1, body.hash_uuid, body.hash_uuid.toUpperCase()]) {
        expect((await ask("GET", `/tickets/${id}`)).body.id).toBe(1);
      }
    });

    test.each([
      ["a message", { creator: 1 }, "message"],
      ["a creator", { message: "x" }, "creator"],
      ["a creator that exists", { message: "x", creator: 99 }, "creator: there is no user 99"],
      ["a queue that exists", { message: "x", creator: 1, queue: 9 }, "queue: there is no queue 9"],
      [
        "media that exists",
        { message: "x", creator: 1, attachments: [9] },
        "attachments: there is no media file 9",
      ],
      [
        "media that exists in its text",
        { message: '<img src="att:9">', creator: 1 },
        "there is no media file 9",
      ],
      [
        "a message within the maximum length",
        { message: "x".repeat(500_001), creator: 1 },
        "message: is longer than 500,000 characters",
      ],
      [
        "few attachments",
        { message: "x", creator: 1, attachments: Array(60_000).fill(1) },
        "attachments: has more than 100 entries",
      ],
      ["text for a title", { message: "x", creator: 1, title: {} }, "title"],
      [
        "an id within the maximum length",
        { message: "x", creator: 1, external_id: "x".repeat(256) },
        "external_id",
      ],
    ])("a ticket needs %s, and nothing is stored without it", async (_name, body, message) => {
      const { ask, user } = await service(await address(), options);
      await user();
      const refused = await ask("POST", "/tickets", body);
      expect([refused.status, refused.body.message]).toEqual([
        422,
        expect.stringContaining(message),
      ]);
      expect((await ask("GET", "/tickets")).body.data).toEqual([]);
    });

    test("every body encoding creates the same ticket", async () => {
      const { ask, user } = await service(await address(), options);
      const id = await user();
      const { body: media } = await ask("POST", "/media", { name: "a.png", content: png });
      const bracketed = `title=T&message=M&creator=${id}&source=3&autoclassify=1&attachments[0]=${media.uuid}&history[messages][0][user]=assistant&history[messages][0][message]=Hi`;
      const json = {
        title: "T",
        message: "M",
        creator: String(id),
        source: "3",
        autoclassify: true,
        attachments: [String(media.uuid)],
        history: { messages: [{ user: "assistant", message: "Hi" }] },
      };
      const form = { "content-type": "application/x-www-form-urlencoded" };
      const made = await Promise.all([
        ask("POST", "/tickets", bracketed, form),
        ask("POST", "/tickets", json, { "content-type": "application/json" }),
        ask("POST", "/tickets", json, { "content-type": "application/json,charset=UTF-8" }),
        ask("POST", "/tickets", json, { "content-type": "text/plain" }),
        ask("POST", "/tickets/", json),
      ]);
      for (const { body } of made) {
        expect(body).toMatchObject({
          title: "T",
          source: 3,
          attachments: [{ id: media.uuid, name: "a.png" }],
          history: { messages: [{ user: "assistant", message: "Hi" }] },
        });
      }
    });

    test("an Idempotency-Key makes one ticket of two calls, and is refused with another body", async () => {
      const { ask, user } = await service(await address(), options);
      const body = { message: "x", creator: await user() };
      const key = { "idempotency-key": "k-1" };
      const [first, second] = await Promise.all([
        ask("POST", "/tickets", body, key),
        ask("POST", "/tickets", body, key),
      ]);
      expect(second.body).toEqual(first.body);
      expect((await ask("GET", "/tickets")).body.data).toHaveLength(1);
      expect((await ask("POST", "/tickets", { ...body, message: "y" }, key)).status).toBe(409);
      expect((await ask("POST", "/tickets", body, { "idempotency-key": "k-2" })).body.id).not.toBe(
        first.body.id,
      );
    });

    test("replies state who answers whom, and a creator's reply opens a solved ticket again", async () => {
      const { ask, user, ticket } = await service(await address(), options);
      const { id, creator } = await ticket();
      const solver = await user("Sol");
      await ask("POST", `/tickets/${id}/replies`, { creator: solver, message: "Tomorrow." });
      await ask("PUT", `/tickets/${id}`, { status: 4, solver, actor: solver });
      await ask("POST", `/tickets/${id}/replies`, { creator, message: "It did not come." });
      const replies = await ask("GET", `/tickets/${id}/replies`);
      expect(replies.body.data.map((reply: Json) => [reply.type, reply.message])).toEqual([
        ["answer", "Tomorrow."],
        ["reply", "It did not come."],
      ]);
      expect((await ask("GET", `/tickets/${id}`)).body).toMatchObject({ status: 2, solver });
      const history = await ask("GET", `/tickets/${id}/history`);
      expect(
        history.body.data.map((event: Json) => [
          event.action,
          event.field,
          event.from,
          event.to,
          event.actor,
        ]),
      ).toEqual([
        ["create", null, null, null, creator],
        ["answer", null, null, "1", solver],
        ["update", "status", "1", "4", solver],
        ["update", "solver", null, String(solver), solver],
        ["reply", null, null, "2", creator],
        ["reopen", "status", "4", "2", creator],
      ]);
    });

    test("states follow each other as documented, and a closed ticket cannot be changed", async () => {
      const { ask, ticket } = await service(await address(), options);
      const { id, creator } = await ticket();
      const to = async (status: number): Promise<number> =>
        (await ask("PUT", `/tickets/${id}`, { status })).status;
      expect([
        await to(3),
        await to(2),
        await to(1),
        await to(4),
        await to(3),
        await to(5),
        await to(2),
      ]).toEqual([200, 200, 409, 200, 409, 200, 409]);
      const refused = await ask("PUT", `/tickets/${id}`, { status: 2 });
      expect(refused.body.message).toBe("status: the ticket is closed; nothing may follow");
      expect((await ask("POST", `/tickets/${id}/replies`, { creator, message: "x" })).status).toBe(
        409,
      );
    });

    test("a part of a ticket has its parent's id, and an invalid one is answered 302", async () => {
      const { ask, ticket } = await service(await address(), options);
      const { id, creator } = await ticket();
      const part = await ask("POST", `/tickets/${id}/subtickets`, { message: "part", creator });
      expect(part.body.parent).toBe(id);
      expect((await ask("GET", `/tickets?parent=${id}`)).body.data).toHaveLength(1);
      expect((await ask("POST", `/tickets/${id}/subtickets`, { creator })).status).toBe(302);
      expect((await ask("POST", "/tickets/99/subtickets", { message: "x", creator })).status).toBe(
        404,
      );
    });

    test("a file is attached once, however often a ticket names or shows it", async () => {
      const { ask, user } = await service(await address(), options);
      const creator = await user();
      const { body: file } = await ask("POST", "/media", { name: "a.png", content: png });
      const shown = `<img data-src="x" alt="a > b" src="att:${file.hash_uuid} att:${file.uuid}">`;
      const { status, body } = await ask("POST", "/tickets", {
        creator,
        message: shown.repeat(500),
        attachments: [file.uuid, String(file.uuid), file.hash_uuid],
      });
      expect([status, body.attachments]).toEqual([
        200,
        [expect.objectContaining({ id: file.uuid })],
      ]);
    });

    test("a ticket shows no more than 100 files", async () => {
      const { ask, user } = await service(await address(), options);
      const creator = await user();
      const message = Array.from({ length: 101 }, (_, index) => `<img src=att:${index}>`).join("");
      const { status, body } = await ask("POST", "/tickets", { creator, message });
      expect([status, body.message]).toEqual([422, "attachments: has more than 100 files"]);
    });

    test("a file that is not attached within an hour is gone, with the reason; an attached one stays", async () => {
      const { ask, ticket, time, sweep } = await service(await address(), options);
      const upload = async (): Promise<number> =>
        (await ask("POST", "/media", { name: "a.png", content: png })).body.uuid;
      const [lost, attached, inline, replied] = [
        await upload(),
        await upload(),
        await upload(),
        await upload(),
      ];
      const { body: known } = await ask("GET", `/media/${inline}`);
      const { id, creator } = await ticket({
        attachments: [attached],
        message: `<p>See <img alt="x" src='att:${known.hash_uuid}'></p>`,
      });
      await ask("POST", `/tickets/${id}/replies`, {
        creator,
        message: "x",
        attachments: [String(replied)],
      });
      time.advance(hour - 1);
      await sweep();
      expect((await ask("GET", `/media/${lost}/content`)).status).toBe(200);
      time.advance(1);
      // The rule holds from this second on, whether or not the sweeper has run.
      for (const round of ["before the sweep", "after it"]) {
        const refused = [
          await ask("GET", `/media/${lost}`),
          await ask("GET", `/media/${lost}/content`),
          await ask("POST", "/tickets", { message: "x", creator, attachments: [lost] }),
          await ask("POST", "/tickets", { message: `<img src=att:${lost}>`, creator }),
          await ask("POST", `/tickets/${id}/replies`, {
            message: "x",
            creator,
            attachments: [lost],
          }),
        ];
        for (const { status, body } of refused) {
          expect([round, status, body.message]).toEqual([
            round,
            410,
            expect.stringContaining("not attached within one hour"),
          ]);
        }
        await sweep();
      }
      for (const media of [attached, inline, replied]) {
        expect((await ask("GET", `/media/${media}/content`)).status).toBe(200);
      }
    });

    test("an upload that races with the sweeper is attached whole or refused whole", async () => {
      const { ask, ticket, time, sweep } = await service(await address(), options);
      const { creator } = await ticket();
      for (let round = 0; round < 8; round += 1) {
        const { body } = await ask("POST", "/media", { name: "a.png", content: png });
        time.advance(hour - (round % 2));
        const [made] = await Promise.all([
          ask("POST", "/tickets", { message: "x", creator, attachments: [body.uuid] }),
          sweep(),
        ]);
        const file = await ask("GET", `/media/${body.uuid}/content`);
        expect([made.status, file.status]).toEqual(round % 2 === 0 ? [410, 410] : [200, 200]);
      }
    });

    test("a file is returned unchanged, but never as something that a browser runs", async () => {
      const { ask, database } = await service(await address(), options);
      void database;
      const { body } = await ask("POST", "/media", { name: "C:\\tmp\\a (1)'ü.png", content: png });
      const file = await ask("GET", `/media/${body.uuid}/content`);
      expect(Object.fromEntries(file.headers)).toMatchObject({
        "content-type": "image/png",
        "content-disposition": "attachment; filename*=UTF-8''a%20%281%29%27%C3%BC.png",
        "content-security-policy": "sandbox; default-src 'none'",
        "x-content-type-options": "nosniff",
      });
      expect(file.body).toContain("a picture");
    });

    test("lists are paged, sorted and filtered", async () => {
      const { ask, ticket, user, time } = await service(await address(), options);
      const creator = await user();
      for (let i = 1; i <= 5; i += 1) {
        await ticket({ creator, external_id: `chat-${i % 2}`, source: i });
        time.advance(1);
      }
      await ask("PUT", "/tickets/2", { title: "changed" });
      const ids = async (query: string): Promise<number[]> =>
        (await ask("GET", `/tickets?${query}`)).body.data.map((one: Json) => one.id);
      expect(await ids("length=2")).toEqual([1, 2]);
      expect((await ask("GET", "/tickets?length=2")).body.hasMore).toBe(true);
      expect((await ask("GET", "/tickets?length=2&offset=4")).body).toMatchObject({
        hasMore: false,
        data: [{ id: 5 }],
      });
      expect(await ids("sort=-last_update&length=2")).toEqual([2, 5]);
      expect(await ids("external_id=chat-1")).toEqual([1, 3, 5]);
      expect(await ids("external_id=chat-1&source=3")).toEqual([3]);
      expect(await ids(`creator=${creator}`)).toHaveLength(5);
      expect(await ids("creator=99")).toEqual([]);
      for (const query of ["length=0", "length=201", "length=x", "sort=title", "status=open"]) {
        expect([query, (await ask("GET", `/tickets?${query}`)).status]).toEqual([query, 422]);
      }
    });

    test("IQL finds by fields, times, emptiness, AND, OR and parentheses", async () => {
      const { ask, ticket, time } = await service(await address(), options);
      await ticket({ title: 'Say "hi"', source: 1 });
      time.advance(10);
      const second = await ticket({ source: 2, external_id: "a' OR 1=1 --" });
      time.advance(10);
      await ticket({ title: "third", source: 3, classification: 7 });
      await ask("PUT", "/tickets/3", { status: 3 });
      const ids = async (iql: string): Promise<number[]> =>
        (await ask("GET", `/tickets?iql=${encodeURIComponent(iql)}`)).body.data?.map(
          (one: Json) => one.id,
        );
      expect(await ids("source IS 2")).toEqual([2]);
      expect(await ids("source is not 2")).toEqual([1, 3]);
      expect(await ids('title IS "Say \\"hi\\""')).toEqual([1]);
      expect(await ids('title IS "Say ""hi"""')).toEqual([1]);
      expect(await ids("title IS EMPTY")).toEqual([2]);
      expect(await ids("title IS NOT EMPTY AND status IS NOT 3")).toEqual([1]);
      expect(await ids("classification IS EMPTY")).toEqual([1, 2]);
      expect(await ids("classification IS NOT 7")).toEqual([1, 2]);
      expect(await ids("source IS 1 OR source IS 2 AND title IS NOT EMPTY")).toEqual([1]);
      expect(await ids("(source IS 1 OR source IS 2) AND external_id IS NOT EMPTY")).toEqual([2]);
      expect(await ids(`created > ${second.created}`)).toEqual([3]);
      expect(await ids(`created >= ${second.created}`)).toEqual([2, 3]);
      expect(await ids(`created < ${second.created}`)).toEqual([1]);
      expect(await ids(`created <= ${second.created}`)).toEqual([1, 2]);
      expect(await ids(`created IS ${second.created}`)).toEqual([2]);
      expect(await ids(`created IS NOT ${second.created}`)).toEqual([1, 3]);
      expect(await ids('created > "2025-01-01"')).toEqual([1, 2, 3]);
      expect(await ids(`external_id IS "a' OR 1=1 --"`)).toEqual([2]);
      expect(await ids("status IS 1 OR 1=1")).toBeUndefined();
    });

    test.each([
      ["", "character 1: expected a field or an opening parenthesis at the end"],
      ["status", "character 7: expected an operator at the end"],
      ["status IS", "character 10: expected a number or a quoted text at the end"],
      ["status IS open", "character 11: expected a number or a quoted text, not open"],
      ["status = 1", "character 8: cannot be read from here"],
      ["state IS 1", "character 1: there is no field state"],
      ["status IS 1 status IS 2", "character 13: expected AND or OR, not status"],
      ["(status IS 1", "character 13: expected a closing parenthesis at the end"],
      ['status IS "x"', "character 1: status is compared with a number"],
      ['created > "soon"', "character 1: created is compared with Unix seconds or a date"],
      ["status IS 'x", "character 11: cannot be read from here"],
      [`${"(".repeat(60)}status IS 1${")".repeat(60)}`, "character 51: is nested too deeply"],
      ["__proto__ IS 1", "character 1: there is no field __proto__"],
      [`status IS ${"1".repeat(5000)}`, "character 4001: is longer than 4000 characters"],
    ])("wrong IQL is refused with the place of the mistake: %s", async (iql, message) => {
      const { ask } = await service(await address(), options);
      const refused = await ask("GET", `/tickets?iql=${encodeURIComponent(iql)}`);
      expect([refused.status, refused.body.message]).toEqual([
        422,
        expect.stringContaining(`iql: ${message}`),
      ]);
    });

    test("IQL stands alone but for paging and sorting", async () => {
      const { ask } = await service(await address(), options);
      expect((await ask("GET", "/tickets?iql=status%20IS%201&queue=1")).status).toBe(422);
      expect((await ask("GET", "/tickets?iql=status%20IS%201&length=1&sort=-id")).status).toBe(200);
    });

    test("queues have numbers of the project's own, and hours", async () => {
      const { ask, askOther } = await service(await address(), options);
      const made = await Promise.all(
        ["One", "Two", "Three"].map((name) => ask("POST", "/queues", { name })),
      );
      expect(made.map(({ body }) => body.uuid).toSorted()).toEqual([2, 3, 4]);
      expect((await ask("GET", "/queues")).body.data[0]).toEqual({ id: 1, name: "Default" });
      expect((await askOther("POST", "/queues", { name: "Theirs" })).body.uuid).toBe(2);
      expect((await ask("GET", "/settings/work-timetable")).body).toEqual({
        weeks: [],
        holidays: [],
      });
      const hours = {
        weeks: [{ queueId: 1, Monday: [{ from: "09:00", to: "17:30" }] }],
        holidays: [{ queueId: 1, days: ["2026-12-25"] }],
      };
      await ask("PUT", "/settings/work-timetable", hours);
      expect((await ask("GET", "/settings/work-timetable")).body).toMatchObject({
        weeks: [{ queueId: 1, Monday: [{ from: "09:00", to: "17:30" }], Sunday: [] }],
        holidays: [{ queueId: 1, days: ["2026-12-25"] }],
      });
      for (const span of [
        { from: "17:00", to: "09:00" },
        { from: "9", to: "10" },
      ]) {
        const refused = await ask("PUT", "/settings/work-timetable", {
          weeks: [{ queueId: 1, Monday: [span] }],
        });
        expect(refused.status).toBe(422);
      }
    });

    test("a survey is begun about a ticket and handed in once", async () => {
      const { ask, ticket } = await service(await address(), options);
      const { id } = await ticket();
      const definition = {
        name: "After",
        pages: [
          {
            id: 1,
            items: [
              { id: 1, type: "text", subtype: "header" },
              { id: 7, type: "text", subtype: "input" },
            ],
          },
        ],
        settings: [{ subtype: "thankyoupage", value: { message: "Thanks" } }],
      };
      const { body: made } = await ask("POST", "/surveys", definition);
      const started = await ask(
        "POST",
        `/surveys/${made.uuid}/start`,
        `sourceType=ticket&sourceId=${id}`,
      );
      const { token, pages, settings } = started.body.response;
      expect([pages.length, settings.length]).toEqual([1, 1]);
      const submit = (body: unknown): ReturnType<typeof ask> =>
        ask("POST", `/surveys/${made.uuid}/submit`, body);
      expect((await submit({ token, field_answers: { 1: "header" } })).status).toBe(422);
      expect((await submit({ token: "guess", field_answers: {} })).status).toBe(404);
      expect((await submit(`token=${token}&field_answers[7]=fine`)).body).toEqual({
        success: true,
      });
      expect((await submit({ token, field_answers: { 7: "again" } })).status).toBe(409);
      expect(
        (await ask("POST", "/surveys/99/start", { sourceType: "ticket", sourceId: id })).status,
      ).toBe(404);
      expect(
        (await ask("POST", `/surveys/${made.uuid}/start`, { sourceType: "ticket", sourceId: 99 }))
          .status,
      ).toBe(404);
    });

    test("a project never sees the data of another, whatever it asks for", async () => {
      const { ask, askOther, ticket } = await service(await address(), options);
      const { id, hash_uuid: hash, creator } = await ticket();
      const { body: media } = await ask("POST", "/media", { name: "a.png", content: png });
      await ask("POST", "/webhooks", { item: "ticket", url: "https://hook.example/", secret: "s" });
      for (const path of ["/users", "/tickets", "/webhooks", "/tickets?iql=status%20IS%201"]) {
        expect([path, (await askOther("GET", path)).body.data]).toEqual([path, []]);
      }
      const theirs: readonly (readonly [string, string, unknown?])[] = [
        ["GET", `/users/${creator}`],
        ["PUT", `/users/${creator}`, { name: "x" }],
        ["GET", `/tickets/${id}`],
        ["GET", `/tickets/${hash}`],
        ["PUT", `/tickets/${id}`, { title: "x" }],
        ["GET", `/tickets/${id}/replies`],
        ["POST", `/tickets/${id}/replies`, { message: "x", creator }],
        ["GET", `/tickets/${id}/history`],
        ["POST", `/tickets/${id}/subtickets`, { message: "x", creator }],
        ["GET", `/media/${media.uuid}`],
        ["GET", `/media/${media.uuid}/content`],
        ["DELETE", "/webhooks/1"],
        ["PUT", "/webhooks/1", { item: "ticket", url: "https://hook.example/", secret: "s" }],
      ];
      for (const [method, path, body] of theirs) {
        expect([method, path, (await askOther(method, path, body)).status]).toEqual([
          method,
          path,
          404,
        ]);
      }
      expect((await askOther("POST", "/tickets", { message: "x", creator })).status).toBe(422);
      const own = await askOther("POST", "/users", { name: "x", address: "x@example.test" });
      const stolen = { message: "x", creator: own.body.uuid, attachments: [media.uuid] };
      expect((await askOther("POST", "/tickets", stolen)).status).toBe(422);
    });

    test("texts are returned as they were typed, without the characters that no database can hold", async () => {
      const { ask, ticket } = await service(await address(), options);
      const typed = "'; DROP TABLE tickets; -- \u{1f600} \u202e مرحبا \\u0000";
      const { id } = await ticket({ title: typed, message: `a\0b\ud800c` });
      const { body } = await ask("GET", `/tickets/${id}`);
      expect([body.title, body.message]).toEqual([typed, "a\ufffdb\ufffdc"]);
    });

    test("typed clients cover all operations", async () => {
      const { clients, ticket } = await service(await address(), options);
      const { ticketing } = clients;
      expect(await ticketing.findUser("c@example.test")).toBe(null);
      const { uuid: creator } = await ticketing.createUser({
        name: "C",
        address: "c@example.test",
      });
      expect(await ticketing.findUser("c@example.test")).toMatchObject({ id: creator });
      const bytes = Uint8Array.from(Buffer.from(png, "base64"));
      const file = await ticketing.upload({ name: "a.png", bytes });
      const made = await ticketing.createTicket(
        { message: "m", creator, attachments: [file.uuid] },
        { idempotencyKey: "once" },
      );
      expect(made).toMatchObject({
        fullUuid: expect.stringContaining("-"),
        ticket: { attachments: [{ id: file.uuid }] },
      });
      await ticketing.createReply(made.uuid, { message: "r", creator });
      const download = await ticketing.download(file.uuid);
      expect(new Uint8Array(await download.arrayBuffer())).toEqual(bytes);
      for (let i = 0; i < 6; i += 1) await ticket();
      const listed: number[] = [];
      for await (const one of ticketing.tickets({}, { length: 3 })) listed.push(one.id);
      expect(listed).toEqual([1, 2, 3, 4, 5, 6, 7]);
      const replies = await Array.fromAsync(ticketing.replies(made.uuid));
      expect(replies.map(({ message }) => message)).toEqual(["r"]);
      await ticketing.changeTicket(made.uuid, { status: 5 });
      await expect(
        ticketing.createReply(made.uuid, { message: "r", creator }),
      ).rejects.toMatchObject({
        code: "call-refused",
        status: 409,
      });
      await expect(ticketing.ticket(99)).rejects.toMatchObject({ code: "call-not-found" });
      expect(await ticketing.workTimetable()).toEqual({ weeks: [], holidays: [] });
    });
  });
}
