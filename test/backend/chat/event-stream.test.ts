import { expect, test } from "vitest";
import { service } from "./service.ts";
import type { Service } from "./service.ts";

interface Stream {
  readonly headers: Headers;
  /** Names of the next events. */
  readonly next: (count: number) => Promise<string[]>;
  readonly lastId: () => string;
  readonly end: () => void;
}

async function listen(
  { routes, appId }: Service,
  credentials: Record<string, string>,
  path = "/v1/events",
): Promise<Stream> {
  const stop = new AbortController();
  const response = await routes.request(
    new Request(`http://chat.test${path}`, {
      headers: { "x-hyper-appId": appId, ...credentials },
      signal: stop.signal,
    }),
  );
  expect(response.status).toBe(200);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const events: { id: string; name: string }[] = [];
  let lastId = "";
  return {
    headers: response.headers,
    async next(count) {
      while (events.length < count) {
        const { value = "", done } = (await reader?.read()) ?? { done: true };
        for (const [, id = "", name = ""] of value.matchAll(/^id: (\d+)\nevent: (\S+)$/gm)) {
          events.push({ id, name });
        }
        if (done) break;
      }
      const taken = events.splice(0, count);
      lastId = taken.at(-1)?.id ?? lastId;
      return taken.map(({ name }) => name);
    },
    lastId: () => lastId,
    end: () => stop.abort(),
  };
}

test("a stream sends a person the events of their own chats, and resumes where it broke off", async () => {
  const made = await service(null, { streamEvery: 5 });
  const { ask, chat } = made;
  const { body } = await ask("POST", "users", { name: "Ana" });
  const credentials = { "x-hyper-token": body.session.token };
  const ana = await listen(made, credentials);
  expect(ana.headers.get("content-type")).toMatch(/^text\/event-stream/);
  await chat();
  const { id, creator } = await chat({ creator: body.user.id });
  await ask("POST", `chats/${id}/messages`, { sender: creator, message: "Hi" });
  expect(await ana.next(2)).toEqual(["chats:create", "messages:new"]);
  ana.end();
  await ask("POST", `users/${creator}/activity`, { type: "stop-writing", chatId: id });
  await ask("DELETE", `chats/${id}`);
  const again = await listen(made, { ...credentials, "last-event-id": ana.lastId() });
  expect(await again.next(2)).toEqual(["users:activity", "chats:close"]);
  again.end();
  // The token may stand in the query, because a browser's EventSource sends no headers.
  const query = `token=${body.session.token}`;
  const third = await listen(made, { "last-event-id": "0" }, `/v1/events?${query}`);
  expect(await third.next(1)).toEqual(["chats:create"]);
  third.end();
});

test("a stream sends the app's server every event of the app", async () => {
  const made = await service(null, { streamEvery: 5 });
  const everything = await listen(made, { "x-hyper-secret": made.secret });
  await made.chat();
  await made.chat();
  expect(await everything.next(2)).toEqual(["chats:create", "chats:create"]);
  everything.end();
});
