import { expect, test } from "vitest";
import {
  addQueuePosition,
  reviseQueuePosition,
  withQueuePosition,
} from "../../src/escalation/queue-position.ts";
import { createChatService } from "../../src/escalation/services/chat-service.ts";
import { decodeRecord, encodeRecord } from "../../src/escalation/stores/stored-record.ts";
import { record } from "./suites/records.ts";

const waiting = {
  name: "waiting",
  chat: { id: "7", user: "u", seen: "" },
  step: 1,
  since: 0,
  queued: true,
} as const;

/** The text for a reader who is second in the queue, composed of two lines. */
function sayPosition(queued: string, wait: string): string | undefined {
  const say = (_: unknown, key: string): string => (key.endsWith("wait-minutes") ? wait : queued);
  const queue = { position: 2, estimate: 300, overtaken: 0 };
  return addQueuePosition({ say, now: () => 0 }, record(), waiting, queue).messages.at(-1)?.text;
}

test("position and waiting time are two sentences, with a blank between where the language has one", () => {
  expect(sayPosition("One is ahead.", "About 5 minutes.")).toBe("One is ahead. About 5 minutes.");
  expect(sayPosition("您前面还有1人在排队。", "预计等待5分钟左右。")).toBe(
    "您前面还有1人在排队。预计等待5分钟左右。",
  );
  expect(sayPosition("お待ちですか？", "5分ほどです。")).toBe("お待ちですか？5分ほどです。");
  expect(sayPosition("มีผู้รอ 1 คน", "ประมาณ 5 นาที")).toBe("มีผู้รอ 1 คน ประมาณ 5 นาที");
  expect(sayPosition("", "About 5 minutes.")).toBe("About 5 minutes.");
});

interface Answered {
  readonly queuePosition: number;
  readonly estimatedWait?: number | null;
  readonly overtaken?: number;
}

/** A reader in a queue. The chat service reports the position, and the test sets the clock. */
async function enterQueue(first: Answered) {
  let [now, answer, asked] = [1000, first, 0];
  const scope = {
    say: (_: unknown, key: string, about?: { readonly count?: number }): string =>
      `${key.replace("escalation.", "")}${about?.count === undefined ? "" : ` ${about.count}`}.`,
    now: () => now,
    chat: createChatService({
      send: async () => {
        asked++;
        const response = Response.json({ queue: answer });
        return { status: 200, headers: response.headers, value: { queue: answer }, response };
      },
      base: "http://127.0.0.1:9",
      appId: "a",
      secret: "s",
    }),
  };
  let reader = await withQueuePosition(scope, record({ phase: waiting }));
  const words = () => reader.messages.map(({ text }) => text);
  return {
    words,
    asked: () => asked,
    /** The text after looking at the record this many seconds later. */
    async after(seconds: number, next: Answered = answer): Promise<string | undefined> {
      [now, answer] = [now + seconds * 1000, next];
      const before = reader.messages.length;
      reader = await reviseQueuePosition(scope, reader);
      // It is stored in between, as every record is.
      reader = decodeRecord(encodeRecord(reader).text) ?? reader;
      return words()[before];
    },
    /** The text for a reader who writes. */
    async write(next: Answered): Promise<string | undefined> {
      answer = next;
      reader = await withQueuePosition(scope, reader);
      return words().at(-1);
    },
  };
}

test("a reader who is overtaken is told so once, with the present position", async () => {
  const reader = await enterQueue({ queuePosition: 1, overtaken: 0 });
  expect(reader.words()).toEqual(["queued-next."]);
  expect(await reader.after(61, { queuePosition: 1, overtaken: 1 })).toBe(
    "overtaken. queued-next.",
  );
  expect(await reader.after(61)).toBeUndefined();
  expect(await reader.after(61, { queuePosition: 1, overtaken: 2 })).toBe(
    "overtaken. queued-next.",
  );
});

test("a longer queue than announced is reported, a shorter one is not", async () => {
  const reader = await enterQueue({ queuePosition: 3 });
  expect(await reader.after(61, { queuePosition: 2 })).toBeUndefined();
  expect(await reader.after(61, { queuePosition: 3 })).toBeUndefined();
  expect(await reader.after(61, { queuePosition: 4 })).toBe("queue-changed. queued 3.");
});

test("an expired waiting time is withdrawn, and no other is given in its place", async () => {
  const reader = await enterQueue({ queuePosition: 2, estimatedWait: 100 });
  expect(reader.words()).toEqual(["queued 1. wait-minutes 2."]);
  // "About two minutes" holds for three.
  expect(await reader.after(170)).toBeUndefined();
  expect(await reader.after(61)).toBe("wait-longer. queued 1.");
  expect(await reader.after(600)).toBeUndefined();
  const overtaken = { queuePosition: 2, estimatedWait: 100, overtaken: 1 };
  expect(await reader.after(61, overtaken)).toBe("overtaken. queued 1.");
  expect(await reader.write(overtaken)).toBe("queued 1.");
});

test("without an estimate no waiting time is given, and none is withdrawn", async () => {
  const reader = await enterQueue({ queuePosition: 1, estimatedWait: null });
  expect(reader.words()).toEqual(["queued-next."]);
  expect(await reader.after(600)).toBeUndefined();
});

test("the position is requested once a minute at most", async () => {
  const reader = await enterQueue({ queuePosition: 1 });
  for (let look = 0; look < 10; look++) await reader.after(10, { queuePosition: 1, overtaken: 1 });
  expect(reader.words()).toEqual(["queued-next.", "overtaken. queued-next."]);
  expect(reader.asked()).toBe(2);
});

test("a reader who writes is told at once what is new", async () => {
  const reader = await enterQueue({ queuePosition: 1, estimatedWait: 50 });
  expect(await reader.write({ queuePosition: 1, estimatedWait: 50, overtaken: 1 })).toBe(
    "overtaken. queued-next. wait-minutes 1.",
  );
});
