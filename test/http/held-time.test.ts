import { expect, it, vi } from "vitest";
import { generous, receive, request, transport, upstream } from "../runtime/node/support.ts";

it("a connection that does not come about is given up, also after tests that held the time", async () => {
  const to = await upstream({ onConnection: (socket) => socket.resume() });
  // Whoever connects first starts undici's clock: with a timer that is held it would stand for
  // every later test of this process.
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  await receive(transport(), request(await upstream()));
  vi.useRealTimers();
  const timeouts = { ...generous, connect: 60 };
  const answer = await receive(transport(), request(`https://127.0.0.1:${to.port}`, { timeouts }));
  expect(answer.failure).toMatchObject({ kind: "timeout", sent: false });
});
