import { Hono } from "hono";
import { expect, test } from "vitest";
import { countInFlight } from "../../../src/backend/http/middleware.ts";
import { ask, login, open } from "../client.ts";

test("a backend that closes finishes its requests, also those of clients that have gone", async () => {
  const errors: unknown[] = [];
  const backend = await open({ report: (error) => void errors.push(error) });
  const headers = await login(backend.app);
  const creating = Array.from({ length: 50 }, (_, index) =>
    ask(backend.app, "POST", "/ticketing/v1/users", headers, {
      name: "A",
      address: `a${index}@example.test`,
    }),
  );
  await backend.close();
  const answers = await Promise.all(creating);
  expect(answers.map(({ status }) => status)).toEqual(creating.map(() => 200));
  expect(errors).toEqual([]);
});

test("closing waits for the last request, and no longer than the given time", async () => {
  const inFlight = countInFlight();
  await inFlight.idle(10_000);
  const { promise, resolve: finish } = Promise.withResolvers<Response>();
  const app = new Hono().use(inFlight.middleware).get("/", () => promise);
  const work = app.request("/");
  expect(inFlight.count).toBe(1);
  await inFlight.idle(20);
  expect(inFlight.count).toBe(1);
  const waiting = inFlight.idle(10_000);
  finish(new Response());
  await Promise.all([work, waiting]);
  expect(inFlight.count).toBe(0);
});
