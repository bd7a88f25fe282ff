import { expect, test } from "vitest";
import { createClients } from "../../src/api/clients.ts";
import { json, scriptedService } from "./scripted-service.ts";

const auth = { url: "http://127.0.0.1:1", apiKey: "key", secret: "secret" };
const chat = { url: "http://127.0.0.1:1", appId: "app" };

test.each([
  ["auth.apiKey", { auth: { ...auth, apiKey: "clé" } }],
  ["auth.apiKey", { auth: { ...auth, apiKey: "k\n" } }],
  ["chat.appId", { auth, chat: { ...chat, appId: "ключ" } }],
  ["chat.secret", { auth, chat: { ...chat, secret: "gehéim" } }],
  ["source", { auth, source: "téléphone" }],
])("%s is refused with what a runtime may send as other bytes: %j", (name, options) => {
  expect(() => createClients(options)).toThrow(
    `${name} is sent in a header. It may have only printable ASCII characters, because runtimes encode others differently.`,
  );
});

test.each(["x key", "x-schlüssel", "", "x:"])("auth.keyHeader is no header's name: %j", (name) => {
  expect(() => createClients({ auth: { ...auth, keyHeader: name } })).toThrow(
    "auth.keyHeader must be the name of a header, such as x-vendor-key.",
  );
});

test("a secret may have any character, because it is sent in a body", async () => {
  const wire = await scriptedService((_request, response) =>
    json(response, 200, { accessToken: "t", expires_in: 1200, apis: {} }),
  );
  const clients = createClients({ auth: { ...auth, url: wire.url, secret: "schlüssel €" } });
  await clients.auth.current();
  expect(wire.seen[0]?.body).toBe('{"secret":"schlüssel €"}');
});
