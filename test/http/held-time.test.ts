import { expect, it, vi } from "vitest";
import { generous, receive, request, transport, upstream } from "../runtime/node/support.ts";

it("a connection that is never established is given up, also after tests with mocked timers", async () => {
  const to = await upstream({ onConnection: (socket) => socket.resume() });
  // The first connection starts undici's clock. If the timer were mocked then, the clock would not
  // run in later tests of this process.
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  await receive(transport(), request(await upstream()));
  vi.useRealTimers();
  const timeouts = { ...generous, connect: 60 };
  const answer = await receive(transport(), request(`https://127.0.0.1:${to.port}`, { timeouts }));
  expect(answer.failure).toMatchObject({ kind: "timeout", sent: false });
});
