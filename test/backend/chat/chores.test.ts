import { join } from "node:path";
import { afterAll, expect, onTestFinished, test, vi } from "vitest";
import { createFolder } from "../../fixtures/folder.ts";
import { doChatChores, startChatChores } from "../../../src/backend/chat/chores.ts";
import { openDatabase } from "../../../src/backend/storage/open-database.ts";
import { keepSweeping } from "../../../src/backend/storage/sweeping.ts";
import { service } from "./service.ts";

const directory = createFolder(afterAll);

test("only one of several processes with one database ends an invitation", async () => {
  const address = join(directory, "shared.db");
  const { ask, agent, chat, time, options, eventsOf } = await service(address);
  const others = await Promise.all([1, 2, 3].map(() => openDatabase(address)));
  onTestFinished(async () => {
    await Promise.all(others.map((database) => database.close()));
  });
  for (let n = 0; n < 4; n += 1) await agent();
  const { id } = await chat();
  await ask("GET", `chats/${id}/assign`);
  for (let passed = 1; passed <= 4; passed += 1) {
    time.advance(31);
    await Promise.all(
      [options.database, ...others].map((database) => doChatChores({ ...options, database })),
    );
    const events = await eventsOf(id);
    expect(events.filter((event) => event === "invitations:reject")).toHaveLength(passed);
    expect(events.filter((event) => event === "invitations:new")).toHaveLength(
      Math.min(4, passed + 1),
    );
  }
  expect((await eventsOf(id)).at(-1)).toBe("forever:alone");
});

test("expired chats are closed without a request, webhooks are called, and nothing runs after the end", async () => {
  const made = await service(null);
  const { ask, chat, time, hooks, options } = made;
  const end = startChatChores({
    ...options,
    report: (error) => {
      throw error;
    },
    every: 5,
    sweepEvery: 5,
  });
  onTestFinished(end);
  await ask("POST", "webhooks", { events: "chats:close", target: "https://hook.test/" });
  const { id } = await chat();
  time.advance(901);
  await vi.waitFor(() => {
    const bodies = hooks.calls.map(({ body }) => body ?? "");
    expect(bodies.some((body) => body.includes(id) && body.includes("inactivity"))).toBe(true);
  }, 40_000);
  await end();
  const { creator } = await chat();
  time.advance(901);
  // Other periodic work of the same interval runs a few times.
  let rounds = 0;
  onTestFinished(
    keepSweeping(
      async () => void (rounds += 1),
      5,
      () => undefined,
    ),
  );
  await vi.waitFor(() => expect(rounds).toBeGreaterThan(8), 40_000);
  expect((await ask("GET", `users/${creator}`)).body.user.chats).toHaveLength(1);
});
