// Suite: slow
import { describe, expect, test } from "vitest";
import type { Json } from "../../backend/client.ts";
import { hour, png, service } from "../../backend/ticketing/service.ts";
import type { Service } from "../../backend/ticketing/service.ts";

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Every spelling that creates something must hold in both wires: `seed` gives out UUIDs, `deployed`
 * numbers beside them.
 */
describe.each(["deployed", "seed"] as const)("case management, wire: %s", (wire) => {
  const open = (): Promise<Service> => service(null, { wire });
  const identifier: unknown = wire === "seed" ? expect.stringMatching(uuid) : expect.any(Number);

  const userOf = async ({ ask }: Service): Promise<Json> =>
    (await ask("POST", "/users", { name: "Ana", address: "ana@example.test" })).body;
  const mediaOf = async ({ ask }: Service): Promise<Json> =>
    (await ask("POST", "/media", { name: "a.png", content: png })).body;

  test("a user is made of a name and an e-mail address, and answered with a UUID", async () => {
    const shop = await open();
    const user = await userOf(shop);
    expect(user).toEqual({ uuid: identifier, hash_uuid: expect.stringMatching(uuid) });
    const { body } = await shop.ask("GET", `/users/${user.uuid}`);
    expect(body).toMatchObject({
      name: "Ana",
      address: "ana@example.test",
      hash_uuid: user.hash_uuid,
    });
    for (const [name, body] of Object.entries({
      name: { address: "b@example.test" },
      address: { name: "Bo" },
    })) {
      const refused = await shop.ask("POST", "/users", body);
      expect([refused.status, refused.body.message]).toEqual([422, expect.stringContaining(name)]);
    }
  });

  test("a ticket needs a message and a creator; title and attachments may be left out", async () => {
    const shop = await open();
    const { uuid: creator } = await userOf(shop);
    const media = await mediaOf(shop);
    const shapes = [
      { message: "m", creator },
      { title: "t", message: "m", creator, attachments: [media.uuid] },
      { title: "t", message: `<img src="att:${media.uuid}">`, creator },
      { message: `<img src="att:${media.hash_uuid}">`, creator, attachments: [] },
    ];
    for (const shape of shapes) {
      const { status, body } = await shop.ask("POST", "/tickets", shape);
      expect([status, body]).toEqual([200, expect.objectContaining({ uuid: identifier })]);
      expect(body.hash_uuid).toMatch(uuid);
      const { body: read } = await shop.ask("GET", `/tickets/${body.uuid}`);
      expect(read).toMatchObject({ message: shape.message, title: shape.title ?? "" });
    }
    for (const shape of [{ message: "m" }, { creator }]) {
      expect((await shop.ask("POST", "/tickets", shape)).status).toBe(422);
    }
  });

  test("the creator of a ticket is a user that exists, by the UUID that creation gave out", async () => {
    const shop = await open();
    const user = await userOf(shop);
    const made = [user.uuid, user.hash_uuid, String(user.uuid).toUpperCase()].map((creator) =>
      shop.ask("POST", "/tickets", { message: "m", creator }),
    );
    const creators = (await Promise.all(made)).map(({ body }) => body.creator);
    expect(new Set(creators).size).toBe(1);
    const nobody = "00000000-0000-4000-8000-000000000000";
    const refused = await shop.ask("POST", "/tickets", { message: "m", creator: nobody });
    expect(refused).toMatchObject({
      status: 422,
      body: { message: expect.stringMatching(nobody) },
    });
  });

  test("media has a name with an extension and its bytes as base64, and is answered with a UUID", async () => {
    const shop = await open();
    const media = await mediaOf(shop);
    expect(media).toEqual({ uuid: identifier, hash_uuid: expect.stringMatching(uuid) });
    const known = await shop.ask("GET", `/media/${media.uuid}`);
    expect(known.body).toMatchObject({
      name: "a.png",
      size: Buffer.from(png, "base64").length,
      attached: false,
    });
    for (const body of [
      { name: "a", content: png },
      { name: "a.png", content: "no base64!" },
      {},
    ]) {
      expect((await shop.ask("POST", "/media", body)).status).toBe(422);
    }
  });

  test("the UUID of media is what attachments and att: name, in tickets and in replies", async () => {
    const shop = await open();
    const { uuid: creator } = await userOf(shop);
    // One after the other: a reply names its files in the order in which they came.
    const files = [];
    for (let file = 1; file <= 4; file++) files.push(await mediaOf(shop));
    const [one, two, three, four] = files.map((file) => file.uuid);
    const { body: ticket } = await shop.ask("POST", "/tickets", {
      message: `<p><img src="att:${two}"></p>`,
      creator,
      attachments: [one],
    });
    const replied = await shop.ask("POST", `/tickets/${ticket.uuid}/replies`, {
      message: `<p><img src="att:${four}"></p>`,
      creator,
      attachments: [three],
    });
    expect([replied.status, replied.body.uuid]).toEqual([200, identifier]);
    const { body: replies } = await shop.ask("GET", `/tickets/${ticket.uuid}/replies`);
    expect(replies.data[0].attachments).toEqual([
      expect.objectContaining({ hash_uuid: files[2].hash_uuid }),
      expect.objectContaining({ hash_uuid: files[3].hash_uuid }),
    ]);
    for (const { uuid } of files) {
      expect((await shop.ask("GET", `/media/${uuid}`)).body.attached).toBe(true);
    }
  });

  test("media that nothing attached is deleted after an hour, and its UUID no longer works", async () => {
    const shop = await open();
    const { uuid: creator } = await userOf(shop);
    const [lost, kept] = [await mediaOf(shop), await mediaOf(shop)];
    await shop.ask("POST", "/tickets", { message: "m", creator, attachments: [kept.uuid] });
    shop.time.advance(hour);
    await shop.sweep();
    expect((await shop.ask("GET", `/media/${lost.uuid}/content`)).status).toBe(410);
    const late = { message: "m", creator, attachments: [lost.uuid] };
    expect((await shop.ask("POST", "/tickets", late)).status).toBe(410);
    expect((await shop.ask("GET", `/media/${kept.uuid}/content`)).status).toBe(200);
    const rows = await shop.database.kysely.selectFrom("media").selectAll().execute();
    const stored = rows.filter((row) => row.hash_uuid === lost.hash_uuid);
    expect(stored.every((row) => row.data === null)).toBe(true);
  });

  test("nobody outside is notified of anything without having asked for it", async () => {
    const shop = await open();
    const { uuid: creator } = await userOf(shop);
    await shop.ask("POST", "/tickets", { message: "m", creator });
    await shop.deliver();
    expect(shop.hooks.calls).toEqual([]);
  });

  test("typed clients create, attach, reply and read with what creation gave out", async () => {
    const { clients } = await open();
    const { ticketing } = clients;
    const user = await ticketing.createUser({ name: "Ana", address: "ana@example.test" });
    expect(user).toEqual({ uuid: identifier, hashUuid: expect.stringMatching(uuid) });
    const file = await ticketing.upload({ name: "a.png", content: png });
    const made = await ticketing.createTicket({
      message: `<img src="att:${file.uuid}">`,
      creator: user.uuid,
      attachments: [file.uuid],
    });
    await ticketing.createReply(made.uuid, { message: "r", creator: user.uuid });
    const ticket = await ticketing.ticket(made.uuid);
    expect(ticket).toMatchObject({ attachments: [{ hash_uuid: file.hashUuid }] });
    const replies = await Array.fromAsync(ticketing.replies(made.uuid));
    expect(replies.map(({ message }) => message)).toEqual(["r"]);
  });
});
