import { describe, expect, test } from "vitest";
import { createClients } from "../../src/api/clients.ts";
import { json } from "./scripted-service.ts";
import { service } from "./service.ts";

const stranger = { id: 1, name: "Bo", address: "bo@example.test", externalId: "bo" };
const ana = { id: 2, name: "Ana", address: "Ana@example.test", externalId: "ana" };

describe("a user who is searched for on a service that ignores the filter", () => {
  test("is not taken for the first of the list in case management", async () => {
    let data = [stranger, ana];
    const { clients } = await service((_, response) =>
      json(response, 200, { data, hasMore: false }),
    );
    expect(await clients.ticketing.findUser("ana@example.test")).toEqual(ana);
    data = [stranger];
    expect(await clients.ticketing.findUser("ana@example.test")).toBeNull();
  });

  test("is not taken for the first of the list in the live chat, which would be renamed", async () => {
    const { service: scripted } = await service(({ method }, response) => {
      if (method === "POST") return json(response, 409, { error: { code: 409, message: "taken" } });
      json(response, 200, { users: [stranger, ana], hasMore: false, agents: { 1: 1 }, user: ana });
    });
    const clients = createClients({
      auth: { url: scripted.url, apiKey: "key-1", secret: "secret-1" },
      chat: { url: scripted.url, appId: "app", secret: "secret" },
      retries: 0,
    });
    expect(await clients.chat.findUser("ana")).toEqual(ana);
    expect(await clients.chat.findUser("cy")).toBeNull();
    const user = { name: "Cy", externalId: "cy" };
    await expect(clients.chat.start({ room: 1, user })).rejects.toMatchObject({ status: 409 });
    expect(scripted.seen.filter(({ method }) => method === "PUT")).toEqual([]);
  });
});
