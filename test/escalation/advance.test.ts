import { expect, test } from "vitest";
import { DEFAULT_ESCALATION } from "../../src/config/escalation-config.ts";
import { createAdvancer } from "../../src/escalation/advance.ts";
import { createSentIntent, externalIdOf } from "../../src/escalation/records/intents.ts";
import { createRecords } from "../../src/escalation/records/records.ts";
import type { Scope } from "../../src/escalation/records/scope.ts";
import { type ChatService, createChatService } from "../../src/escalation/services/chat-service.ts";
import type { ChatState } from "../../src/escalation/services/chat-answers.ts";
import { createMemoryEscalations } from "../../src/escalation/stores/memory.ts";
import { record } from "./suites/records.ts";

const now = (): number => Date.UTC(2026, 10, 27, 12);
const store = createMemoryEscalations({ now });
const records = createRecords(store, now);
const refused = { kind: "refused", status: 403, problem: "no" } as const;

function scopeWith(chat: Partial<ChatService> = {}): Scope {
  // A chat that does not answer has no agent.
  const unreachable = createChatService({
    send: () => Promise.reject(new Error("no connection")),
    base: "http://127.0.0.1:9",
    appId: "a",
    secret: "s",
  });
  return {
    settings: { ...DEFAULT_ESCALATION, ladder: ["agents", "ticket"] },
    chat: { ...unreachable, ...chat },
    ticket: { find: () => Promise.resolve(refused), create: () => Promise.resolve(refused) },
    room: () => 1,
    say: (_, key) => key,
    now,
    save: (one) => records.save(one),
    load: ({ key, instance }) => records.load(key, instance),
  };
}

test("the reason why no agent is available is given once, also if later steps fail", async () => {
  const reaching = { name: "reaching", step: 0, since: 1, why: "" } as const;
  const begun = await records.save(record({ key: "once", epoch: 1, phase: reaching }));
  const { phase, messages } = await createAdvancer(store, "here", null).advance(scopeWith(), begun);
  expect(phase.name).toBe("bot");
  expect(messages.map(({ text }) => text)).toEqual(["escalation.no-agents", "escalation.not-now"]);
});

test("the reader is not told that no agent is free when one has come back since", async () => {
  const scope = scopeWith({
    availability: () => Promise.resolve({ kind: "ok", value: { agents: 1, queue: false } }),
  });
  // The state that a killed process left behind.
  const reaching = { name: "reaching", step: 1, since: 1, why: "agents" } as const;
  const begun = await records.save(record({ key: "back", epoch: 1, phase: reaching }));
  const { messages } = await createAdvancer(store, "here", null).advance(scope, begun);
  const texts = messages.map(({ text }) => text);
  expect(texts).toEqual(["escalation.unanswered", "escalation.not-now"]);
});

/** A reader who wrote twice between the death of a process and the discovery of its chat. */
async function findChatWithLaterWords(say: ChatService["say"]) {
  const lines = ["a question", "yes", "the first words", "the second words"].map((said) => ({
    who: "reader" as const,
    said,
    at: 1,
  }));
  const ok = <Value>(value: Value) => Promise.resolve({ kind: "ok", value } as const);
  const key = crypto.randomUUID();
  const begun = record({
    key,
    epoch: 1,
    phase: { name: "reaching", step: 0, since: 1, why: "" },
    dropped: 3,
    lines: [...lines, { who: "afterword", said: "Please wait.", at: 1 }],
    intents: [{ ...createSentIntent(record({ key }), "chat", 1, 1), given: 5 }],
  });
  const open = { status: "waiting", agent: null, externalId: externalIdOf(begun, 1) };
  const scope = scopeWith({
    findUser: () => ok({ id: "user", chats: ["chat"] }),
    chat: () => ok(open as ChatState),
    assign: () => ok({ agent: "sam" }),
    messages: () => ok([]),
    say,
  });
  return createAdvancer(store, "here", null).advance(scope, await records.save(begun));
}

test("words that a reader wrote before a killed process's chat was found are sent to it, once", async () => {
  const said = new Map<string, string>();
  const { phase } = await findChatWithLaterWords((_chat, user, text, key) => {
    expect(user).toBe("user");
    said.set(key, text);
    return Promise.resolve({ kind: "ok", value: { id: key } });
  });
  expect(phase.name).toBe("waiting");
  expect([...said.values()]).toEqual(["the first words", "the second words"]);
});

test("a found chat that refuses those words is kept, and the reader is told", async () => {
  const { phase, messages } = await findChatWithLaterWords(() => Promise.resolve(refused));
  expect(phase.name).toBe("waiting");
  expect(messages.map(({ text }) => text)).toEqual([
    "escalation.not-delivered",
    "escalation.connecting",
  ]);
});
