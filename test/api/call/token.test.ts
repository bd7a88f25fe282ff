import { expect, test } from "vitest";
import { json } from "../scripted-service.ts";
import { service } from "../service.ts";

test("the first call fetches a token and discovers the addresses once, and later calls do neither", async () => {
  const { service: wire, clients } = await service((_request, response) =>
    json(response, 200, { sessionToken: "s", sessionId: "i" }),
  );
  await clients.chatbot.start();
  await clients.chatbot.start();
  expect(wire.seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
    "POST /v1/auth",
    "GET /v1/apis",
    "POST /bot/v1/conversation",
    "POST /bot/v1/conversation",
  ]);
  expect(wire.seen[0]?.body).toBe('{"secret":"secret-1"}');
  expect(wire.seen[1]?.headers).toMatchObject({
    authorization: "Bearer token-1",
    "x-vendor-key": "key-1",
  });
});

test("fifty concurrent calls share one token", async () => {
  const { service: wire, clients } = await service();
  await Promise.all(Array.from({ length: 50 }, () => clients.auth.current()));
  expect([wire.count("/v1/auth"), wire.count("/v1/apis")]).toEqual([1, 1]);
});

test("a token is refreshed in its last three minutes, and its addresses are discovered anew", async () => {
  const { service: wire, clients, time } = await service();
  await clients.auth.current();
  time.advance(1_019_000);
  expect((await clients.auth.current()).accessToken).toBe("token-1");
  time.advance(1_000);
  const both = await Promise.all([clients.auth.current(), clients.auth.current()]);
  expect(both.map(({ accessToken }) => accessToken)).toEqual(["token-2", "token-2"]);
  expect(wire.count("/v1/refreshToken")).toBe(1);
  expect(wire.count("/v1/apis")).toBe(2);
});

test("a valid token is used while no other can be fetched, until its end", async () => {
  let isDown = false;
  const {
    service: wire,
    clients,
    time,
  } = await service(undefined, {
    retries: 0,
    fetch: (url, init) =>
      isDown && /refreshToken|auth$/.test(url)
        ? Promise.resolve(Response.json({ message: "down" }, { status: 503 }))
        : fetch(url, init),
  });
  await clients.auth.current();
  isDown = true;
  time.advance(1_100_000);
  expect((await clients.auth.current()).accessToken).toBe("token-1");
  isDown = false;
  expect((await clients.auth.current()).accessToken).toBe("token-2");
  expect(wire.count("/v1/apis")).toBe(2);
  isDown = true;
  time.advance(1_200_000);
  await expect(clients.auth.current()).rejects.toMatchObject({ code: "call-failed" });
});

test("an expired token is not refreshed: the flow restarts at /auth", async () => {
  const { service: wire, clients, time } = await service();
  await clients.auth.current();
  time.advance(1_200_000);
  await clients.auth.current();
  expect(wire.count("/v1/refreshToken")).toBe(0);
  expect(wire.count("/v1/auth")).toBe(2);
});

test("a refused call is made once more with a new token, a creating one too", async () => {
  const { service: wire, clients } = await service((request, response) =>
    request.headers.authorization === "Bearer token-1"
      ? json(response, 401, { message: "Unauthorized", errors: [] })
      : json(response, 200, { sessionToken: "s" }),
  );
  expect((await clients.chatbot.start()).sessionToken).toBe("s");
  expect(wire.count("/v1/auth")).toBe(2);
  expect(wire.count("/bot/v1/conversation")).toBe(2);
});

test("a call that stays refused fails after the second token", async () => {
  const { service: wire, clients } = await service((_request, response) =>
    json(response, 403, { Message: "explicit deny" }),
  );
  await expect(clients.chatbot.start()).rejects.toMatchObject({
    code: "call-unauthorized",
    message: "chatbot.start: explicit deny",
  });
  expect(wire.count("/bot/v1/conversation")).toBe(2);
});

test("a failed token is not kept: the next call tries again", async () => {
  let refuse = true;
  const { clients } = await service(undefined, {
    retries: 0,
    fetch: (url, init) =>
      refuse && url.endsWith("/v1/auth")
        ? Promise.resolve(
            Response.json({ errors: [{ code: 500, message: "down" }] }, { status: 500 }),
          )
        : fetch(url, init),
  });
  await expect(clients.auth.current()).rejects.toMatchObject({ code: "call-failed" });
  refuse = false;
  expect((await clients.auth.current()).accessToken).toBe("token-1");
});
