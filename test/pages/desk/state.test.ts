import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Chat, ChatAgent, ChatEvent, ChatUser } from "../../../src/api/chat/answers.ts";
import { waitAfter } from "../../../src/pages/desk/connection.ts";
import { chatEventOf, chatIdOf } from "../../../src/pages/desk/state/events.ts";
import {
  countAttention,
  concerns,
  mayEditUser,
  findNextUnread,
  queuePositionsOf,
  sectionsOf,
} from "../../../src/pages/desk/state/lists.ts";
import {
  START,
  patch,
  withChat,
  withEvent,
  withHistory,
  withOutgoing,
} from "../../../src/pages/desk/state/state.ts";
import type { Desk, Outgoing } from "../../../src/pages/desk/state/state.ts";
import {
  EMPTY,
  latestOf,
  textOf,
  unreadOf,
  withEvents,
} from "../../../src/pages/desk/state/timeline.ts";
import { changeOf, listExtraFields } from "../../../src/pages/desk/views/chats/user-form.ts";

const me: ChatAgent = {
  id: "sam",
  name: "Sam",
  contact: "",
  externalId: "",
  extraInfo: {},
  chats: [],
  providerId: "x",
  login: "sam",
  rooms: ["1"],
  languages: [],
  slots: 3,
  load: 0,
  online: true,
  status: "online",
  rights: {
    CHAT_EDIT_USER_INFO: true,
    CHAT_EDIT_CANNED_ANSWERS: false,
    TICKET_VIEW: false,
    TICKET_EDIT: false,
    SUPERVISE: false,
  },
  queues: { TICKET_VIEW: [], TICKET_EDIT: [] },
};
const chat = (id: string, more: Partial<Chat> = {}): Chat => ({
  id,
  status: "active",
  room: "1",
  creator: `user-${id}`,
  source: 3,
  lang: "",
  externalId: "",
  inQueue: 0,
  agent: null,
  invitation: null,
  closed: false,
  created: 100,
  ...more,
});
const toMessage = (id: number, sender: string, text: string, more: object = {}): ChatEvent => ({
  id,
  trigger: "messages:new",
  created_at: id,
  data: {
    message: {
      id: `m${id}`,
      chat: "c",
      sender,
      type: "text",
      message: text,
      created: id,
      read: [],
    },
    ...more,
  },
});
const read = (id: number, message: string, userId: string): ChatEvent => ({
  id,
  trigger: "messages:read",
  created_at: id,
  data: { userId, message: { id: message, sender: "x", chat: "c" } },
});
const out = (more: Partial<Outgoing> = {}): Outgoing => ({
  key: "k",
  text: "hi",
  file: null,
  state: "sending",
  reason: "",
  retryable: true,
  unreached: false,
  sentAs: "",
  after: 0,
  ...more,
});
const desk = (...chats: readonly Chat[]): Desk =>
  chats.reduce<Desk>((made, one) => withChat(made, one), { ...START, me });
const mine = (id: string, more: Partial<Chat> = {}): Chat => chat(id, { agent: "sam", ...more });

describe("a timeline", () => {
  test("is the same in whatever order and however often events come", () => {
    const events = [
      toMessage(1, "user", "a"),
      toMessage(2, "sam", "b"),
      read(3, "m1", "sam"),
      toMessage(4, "user", "c"),
      read(5, "m2", "user"),
    ];
    const whole = withEvents(EMPTY, events);
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...events), { maxLength: 20 }),
        fc.shuffledSubarray(events, { minLength: 5 }),
        (some, all) => {
          const made = [...some, ...all].reduce(
            (timeline, event) => withEvents(timeline, [event]),
            EMPTY,
          );
          expect(made.entries).toEqual(whole.entries);
          expect(new Map([...made.reads].toSorted())).toEqual(new Map([...whole.reads].toSorted()));
        },
      ),
    );
    expect(withEvents(whole, events)).toBe(whole);
  });

  test("counts as unread what others said in the chat, not what was said before it", () => {
    const timeline = withEvents(EMPTY, [
      toMessage(1, "user", "imported", { imported: true }),
      toMessage(2, "user", "one"),
      toMessage(3, "sam", "two"),
      toMessage(4, "user", "three"),
      read(5, "m2", "sam"),
      read(6, "m4", "somebody else"),
    ]);
    expect(unreadOf(timeline, "sam").map(({ id }) => id)).toEqual(["m4"]);
    expect(latestOf(timeline)?.message.message).toBe("three");
    expect(latestOf(EMPTY)).toBe(null);
  });

  test("shows objects of a bot as their words, and what it can't read as it is", () => {
    const object = (message: string): string =>
      textOf({
        id: "1",
        chat: "c",
        sender: "assistant",
        type: "object",
        message,
        created: 1,
        read: [],
      });
    expect(object('{"message":"Choose","options":[{"label":"A"},"B",{"title":"C"},7]}')).toBe(
      "Choose\n• A\n• B\n• C",
    );
    for (const other of ["{", "7", '{"other":1}', '["x"]']) expect(object(other)).toBe(other);
  });
});

describe("the desk's state", () => {
  test("leaves a chat that is not known as it is", () => {
    const empty = desk();
    expect(withEvent(empty, "c", toMessage(1, "user", "a"), 0)).toBe(empty);
    expect(withHistory(empty, "c", [])).toBe(empty);
    expect(withOutgoing(empty, "c", out())).toBe(empty);
    expect(patch(empty, "c", { mine: true })).toBe(empty);
  });

  test("has a chat of one's own from joining to leaving", () => {
    const event = (id: number, trigger: ChatEvent["trigger"], userId: string): ChatEvent => ({
      id,
      trigger,
      created_at: id,
      data: { chatId: "c", userId },
    });
    const joined = withEvent(desk(chat("c")), "c", event(1, "chats:join", "sam"), 0);
    expect(joined.chats.get("c")?.mine).toBe(true);
    const other = withEvent(joined, "c", event(2, "chats:leave", "bea"), 0);
    expect(other.chats.get("c")?.mine).toBe(true);
    expect(withEvent(other, "c", event(3, "chats:leave", "sam"), 0).chats.get("c")?.mine).toBe(
      false,
    );
  });

  test("believes a sign of writing until it ends, is overtaken by a message, or is old", () => {
    const sign = (id: number, type: string): ChatEvent => ({
      id,
      trigger: "users:activity",
      created_at: id,
      data: { chatId: "c", userId: "user", type },
    });
    const writing = withEvent(desk(mine("c")), "c", sign(1, "writing"), 1_000);
    expect([...(writing.chats.get("c")?.writing ?? [])]).toEqual([["user", 9_000]]);
    for (const end of [sign(2, "not-writing"), toMessage(2, "user", "done")]) {
      expect(withEvent(writing, "c", end, 2_000).chats.get("c")?.writing.size).toBe(0);
    }
  });

  test("shows what is sent once: as what goes out, and then as the message", () => {
    const outgoing = (made: Desk): readonly string[] =>
      made.chats.get("c")?.outgoing.map(({ key }) => key) ?? [];
    const sending = withOutgoing(desk(mine("c")), "c", out());
    expect(outgoing(sending)).toEqual(["k"]);
    // The event may come before the answer, and the answer before the event.
    const afterEvent = withEvent(sending, "c", toMessage(1, "sam", "hi"), 0);
    expect(outgoing(afterEvent)).toEqual([]);
    expect(outgoing(withOutgoing(afterEvent, "c", out({ state: "sent", sentAs: "m1" })))).toEqual(
      [],
    );
    const answered = withOutgoing(sending, "c", out({ state: "sent", sentAs: "m1" }));
    expect(outgoing(answered)).toEqual(["k"]);
    expect(outgoing(withEvent(answered, "c", toMessage(1, "sam", "hi"), 0))).toEqual([]);
    // The same earlier words are another message, and a failed message stays until the agent
    // decides.
    const before = withEvent(desk(mine("c")), "c", toMessage(1, "sam", "hi"), 0);
    expect(outgoing(withOutgoing(before, "c", out({ after: 1 })))).toEqual(["k"]);
    expect(outgoing(withOutgoing(before, "c", out({ state: "failed" })))).toEqual(["k"]);
  });
});

describe("the lists", () => {
  const invited = { userId: "sam", type: "assign", expires: 130 } as const;

  test("have each chat where there is something to do about it, oldest first", () => {
    const made = desk(
      mine("own", { created: 300 }),
      mine("older", { created: 200 }),
      chat("asks", { invitation: invited, status: "waiting" }),
      chat("other asked", { invitation: { ...invited, userId: "bea" }, status: "waiting" }),
      chat("waits"),
      chat("another's", { agent: "bea" }),
      chat("over", { closed: true, agent: "sam" }),
    );
    const kept = patch(patch(patch(made, "own", { mine: true }), "older", { mine: true }), "over", {
      mine: true,
    });
    const ids = Object.fromEntries(
      Object.entries(sectionsOf(kept)).map(([name, list]) => [
        name,
        list.map((one: { chat: Chat }) => one.chat.id),
      ]),
    );
    expect(ids).toEqual({
      invitations: ["asks"],
      mine: ["older", "own"],
      waiting: ["other asked", "waits"],
    });
    expect(kept.chats.size).toBe(7);
    expect([...kept.chats.keys()].filter((id) => !concerns(kept, id))).toEqual(["another's"]);
  });

  test("count who waits in each room, and pass by who is not queued", () => {
    const made = desk(
      chat("b", { inQueue: 1, created: 2 }),
      chat("a", { inQueue: 1, created: 1 }),
      chat("other", { inQueue: 1, created: 3, room: 2 }),
      chat("not"),
    );
    expect(Object.fromEntries(queuePositionsOf(made))).toEqual({ a: 1, b: 2, other: 1 });
  });

  test("lead round to the next chat with something to read", () => {
    const ids = ["a", "b", "c"];
    const made = ids.reduce(
      (before, id, index) =>
        patch(before, id, {
          mine: true,
          timeline: withEvents(EMPTY, index === 1 ? [] : [toMessage(index + 1, "user", "x")]),
        }),
      desk(...ids.map((id, index) => mine(id, { created: index }))),
    );
    expect(["a", "b", "c", null].map((selected) => findNextUnread({ ...made, selected }))).toEqual([
      "c",
      "c",
      "a",
      // The chat with the latest words comes first.
      "c",
    ]);
    expect(countAttention(made)).toBe(2);
    expect(findNextUnread(desk())).toBe(null);
  });

  test("let the user be edited with the right, in a chat of one's own that is open", () => {
    const open = patch(desk(mine("c")), "c", { mine: true });
    const may = (made: Desk): boolean => {
      const one = made.chats.get("c");
      return one !== undefined && mayEditUser(made, one);
    };
    expect(may(open)).toBe(true);
    expect(
      may({ ...open, me: { ...me, rights: { ...me.rights, CHAT_EDIT_USER_INFO: false } } }),
    ).toBe(false);
    expect(may(patch(open, "c", { mine: false }))).toBe(false);
    expect(may(patch(open, "c", { chat: mine("c", { closed: true }) }))).toBe(false);
  });
});

describe("the user's form", () => {
  const user: ChatUser = {
    id: "u",
    name: "Ana",
    contact: "",
    externalId: "",
    chats: [],
    providerId: "",
    extraInfo: { plan: "gold", orders: 12, vip: true, none: null, list: [1] },
  };
  const same = {
    name: "Ana",
    contact: "",
    externalId: "",
    extra: { plan: "gold", orders: "12", vip: "true", none: "" },
    newName: "",
    newValue: "",
  };

  test("changes nothing where nothing was changed, and keeps types", () => {
    expect(listExtraFields(user).map(({ name, plain }) => [name, plain])).toEqual([
      ["plan", true],
      ["orders", true],
      ["vip", true],
      ["none", true],
      ["list", false],
    ]);
    expect(changeOf(user, same)).toBe(null);
    expect(changeOf(user, { ...same, name: "Ana María" })).toEqual({ name: "Ana María" });
    const extra = { ...same.extra, orders: "13", vip: "false" };
    expect(changeOf(user, { ...same, extra, newName: " city ", newValue: "León" })).toEqual({
      extraInfo: { plan: "gold", orders: 13, vip: false, none: null, list: [1], city: "León" },
    });
    expect(
      changeOf(user, { ...same, extra: { ...extra, orders: "many", vip: "perhaps" } })?.extraInfo,
    ).toMatchObject({ orders: "many", vip: "perhaps" });
  });

  test("reads a name and an address as they are read from readers, and keeps another contact", () => {
    const typed = { ...same, name: " Ana\u200f  María ", contact: "Ana <ana@Müller.example>" };
    expect(changeOf(user, typed)).toEqual({ name: "Ana María", contact: "ana@müller.example" });
    expect(changeOf(user, { ...same, contact: " +49 40 1234 " })).toEqual({
      contact: "+49 40 1234",
    });
  });
});

describe("the event stream", () => {
  test("gives no event for what is none", () => {
    expect(
      chatEventOf({
        id: "3",
        data: '{"trigger":"chats:join","created_at":5,"data":{"chatId":"c"}}',
      }),
    ).toMatchObject({ id: 3 });
    for (const data of [
      "",
      "{",
      "[]",
      '{"trigger":"x"}',
      '{"trigger":1,"created_at":1,"data":{}}',
    ]) {
      expect(chatEventOf({ id: "3", data })).toBe(null);
    }
    expect(chatIdOf(toMessage(1, "user", "x"))).toBe("c");
    expect(chatIdOf({ id: 1, trigger: "chats:join", created_at: 1, data: {} })).toBe(null);
  });

  test("is tried again soon, then later, and never by all at the same moment", () => {
    expect([0, 1, 2, 3].map((failures) => waitAfter(failures, 1))).toEqual([500, 1000, 2000, 4000]);
    expect([waitAfter(50, 1), waitAfter(50, 0)]).toEqual([15_000, 7_500]);
  });
});
