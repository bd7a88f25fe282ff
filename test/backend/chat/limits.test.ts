import { expect, test } from "vitest";
import {
  createRateLimits,
  RATE_LIMITS,
  createMemoryCounters,
} from "../../../src/backend/auth/rate-limits.ts";
import { clock } from "../client.ts";
import { service } from "./service.ts";

test("a message has at most 10,000 characters, and an earlier conversation 1,000 lines", async () => {
  const { ask, chat, user } = await service(null);
  const { id, creator: sender } = await chat();
  const say = async (message: unknown) =>
    (await ask("POST", `chats/${id}/messages`, { sender, message })).body;
  expect((await say("x".repeat(10_000))).message.message).toHaveLength(10_000);
  expect((await say("x".repeat(10_001))).error).toEqual({
    code: 422,
    message: "message: is longer than 10,000 characters",
  });
  const begin = async (history: readonly unknown[]) =>
    (await ask("POST", "chats", { room: "1", creator: await user(), history })).body.error;
  const line = { sender: "assistant", message: "x" };
  expect((await begin(Array.from({ length: 1001 }, () => line))).message).toBe(
    "history: has more than 1,000 entries",
  );
  const long = { sender: "assistant", message: "x".repeat(20_000) };
  expect((await begin(Array.from({ length: 30 }, () => long))).message).toBe(
    "history: is longer than 500,000 characters",
  );
});

test("a person sends no more than 120 messages a minute, and the app's server has no limit", async () => {
  const time = clock();
  const limits = createRateLimits({
    counters: createMemoryCounters(),
    now: time.now,
    limits: RATE_LIMITS,
  });
  const { ask, askAs, chat } = await service(null, { limits });
  const { user, session } = (await ask("POST", "users", { name: "Ana" })).body;
  const { id } = await chat({ creator: user.id });
  const path = `chats/${id}/messages`;
  const say = () => askAs(session.token, "POST", path, { message: "x" });
  for (let n = 0; n < 120; n += 1) expect((await say()).status).toBe(200);
  const refused = await say();
  expect([refused.status, refused.body.error.message]).toEqual([
    429,
    expect.stringMatching(/^Too many messages from one person\. Call again in \d+ seconds\.$/),
  ]);
  expect((await ask("POST", path, { sender: user.id, message: "x" })).status).toBe(200);
  time.advance(60_000);
  expect((await say()).status).toBe(200);
});

test("a person uploads no more than 20 files a minute, and the app's server has no limit", async () => {
  const time = clock();
  const limits = createRateLimits({ counters: createMemoryCounters(), now: time.now });
  const { ask, askAs, chat } = await service(null, { limits });
  const { user, session } = (await ask("POST", "users", { name: "Ana" })).body;
  const { id } = await chat({ creator: user.id });
  const file = { name: "a.pdf", content: btoa("%PDF-1.7"), chatId: id };
  const upload = () => askAs(session.token, "POST", "media", file);
  for (let n = 0; n < 20; n += 1) expect((await upload()).status).toBe(200);
  const refused = await upload();
  expect([refused.status, refused.body.error.message]).toEqual([
    429,
    expect.stringMatching(/^Too many uploads from one person\. Call again in \d+ seconds\.$/),
  ]);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await ask("POST", "media", { ...file, senderId: user.id })).status).toBe(200);
  const answer = await askAs(session.token, "POST", `chats/${id}/messages`, { message: "x" });
  expect(answer.status).toBe(200);
  time.advance(60_000);
  expect((await upload()).status).toBe(200);
});
