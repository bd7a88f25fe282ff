// Suite: slow
import { describe, expect, test } from "vitest";
import { sqliteFiles } from "../../fixtures/sqlite-files.ts";
import { png, service } from "./service.ts";
import { caseManagement } from "./suites/case-management.ts";
import { lists } from "./suites/lists.ts";
import { webhooks } from "./suites/webhooks.ts";

const file = sqliteFiles();

caseManagement("a SQLite file", file);
lists("a SQLite file", file);
webhooks("a SQLite file", file);

describe("media", () => {
  test.each([
    ["invalid base64", "%%%%"],
    ["spare bits", "iVBORw0KGgp="],
    ["the URL alphabet", "iVBORw0KGgo_"],
    ["nothing", ""],
  ])("is refused for %s", async (_name, content) => {
    const { ask } = await service(null);
    const refused = await ask("POST", "/media", { name: "a.png", content });
    expect([refused.status, refused.body.message]).toEqual([
      422,
      expect.stringContaining("content"),
    ]);
  });

  test.each([
    ["a", "must end in an extension"],
    [".png", "must end in an extension"],
    ["a.exe", ".exe are not accepted"],
    ["a.svg", ".svg are not accepted"],
    ["a.html", ".html are not accepted"],
    ["a.jpg", "is not a .jpg file"],
    [`${"a".repeat(300)}.png`, "longer than 255"],
  ])("is refused for its name %s", async (name, message) => {
    const { ask } = await service(null);
    const refused = await ask("POST", "/media", { name, content: png });
    expect([refused.status, refused.body.message]).toEqual([422, expect.stringContaining(message)]);
  });

  test("may have 7,340,032 bytes, and not one more", async () => {
    const { ask } = await service(null);
    const bytes = Buffer.alloc(7_340_033, 65);
    const upload = (length: number): ReturnType<typeof ask> =>
      ask("POST", "/media", {
        name: "a.txt",
        content: bytes.subarray(0, length).toString("base64"),
      });
    const { body } = await upload(7_340_032);
    expect((await ask("GET", `/media/${body.uuid}`)).body.size).toBe(7_340_032);
    const refused = await upload(7_340_033);
    expect([refused.status, refused.body.message]).toEqual([
      413,
      "content: the file is larger than 7340032 bytes",
    ]);
  });
});

test("the specification's spelling returns UUIDs, which every identifier may be", async () => {
  const { ask } = await service(null, { wire: "seed" });
  const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
  const { body: user } = await ask("POST", "/users", { name: "A", address: "a@example.test" });
  const { body: media } = await ask("POST", "/media", { name: "a.png", content: png });
  expect([user.uuid, media.uuid]).toEqual([
    expect.stringMatching(uuid),
    expect.stringMatching(uuid),
  ]);
  const { body: ticket } = await ask("POST", "/tickets", {
    message: "m",
    creator: user.uuid,
    attachments: [media.uuid],
  });
  expect(ticket).toMatchObject({
    uuid: expect.stringMatching(uuid),
    attachments: [{ hash_uuid: media.uuid }],
  });
  const { body: reply } = await ask("POST", `/tickets/${ticket.uuid}/replies`, {
    message: "r",
    creator: user.uuid,
  });
  expect(reply.uuid).toMatch(uuid);
});
