import { describe, expect, test } from "vitest";
import { bot, chat, content, flagsOf } from "./bot.ts";

const items = [
  content({ id: 1, title: "Start", directCall: "escalationStart", hidden: true }),
  content({ id: 2, title: "Draft", directCall: "draft", published: false }),
  content({ id: 3, title: "Staff", directCall: "staff", userTypes: [7] }),
  content({ id: 4, title: "Bye", directCall: "sys-goodbye", answers: ["See you!"] }),
];

describe("a direct call", () => {
  test("reaches hidden contents, which no question finds", async () => {
    const { ask, turn, get } = await chat(bot(items));
    expect(flagsOf(await ask("start"))).toStrictEqual([["no-results"]]);
    expect(await turn({ directCall: "escalationStart" })).toMatchObject([
      { flags: [], attributes: { title: "Start", DIRECT_CALL: "escalationStart" } },
    ]);
    const { body } = await get("/v1/conversation/history");
    expect(body.map(({ user }: { user: string }) => user)).toStrictEqual(["user", "bot", "bot"]);
  });

  test.each(["draft", "staff", "nowhere", "escalationstart", "__proto__"])(
    "%s has no target: conversation-error-message",
    async (directCall) => {
      const { turn } = await chat(bot(items));
      expect(await turn({ directCall })).toMatchObject([
        { type: "answer", flags: ["conversation-error-message"], options: null },
      ]);
    },
  );

  test("sys-welcome may be a content too, and is a welcome then", async () => {
    const { ask, turn } = await chat(
      bot([content({ id: 1, title: "Hello there", directCall: "sys-welcome" })]),
    );
    expect((await turn({ directCall: "sys-welcome" }))[0].attributes.title).toBe("Hello there");
    expect(flagsOf(await ask(""))).toStrictEqual([["no-question"]]);
  });

  test("sys-welcome is the engine's own while its content can't be seen", async () => {
    const away = content({ id: 1, title: "Hello there", directCall: "sys-welcome", expires: 1 });
    const { turn } = await chat(bot([away], { customized: { welcome: 1 } }));
    expect(flagsOf(await turn({ directCall: "sys-welcome" }))).toStrictEqual([["welcome"]]);
  });

  test("sys-no-results answers no question, nor does a content of that name", async () => {
    const own = content({ id: 1, title: "Nothing here", directCall: "sys-no-results" });
    const { ask, turn, get } = await chat(bot([own], { customized: { "no-results": 1 } }));
    await ask("zebra");
    expect((await turn({ directCall: "sys-no-results" }))[0].attributes.title).toBe("Nothing here");
    const { body } = await get("/v1/conversation/variables");
    expect(body.sys_unanswered_consecutive.value).toBe("1");
  });

  test("sys-goodbye can be a content", async () => {
    const { turn } = await chat(bot(items));
    expect((await turn({ directCall: "sys-goodbye" }))[0].message).toBe("See you!");
    const without = await chat(bot(items.slice(0, 3)));
    expect(flagsOf(await without.turn({ directCall: "sys-goodbye" }))).toStrictEqual([
      ["conversation-error-message"],
    ]);
  });

  test("sys-no-results is the engine's, and counts nothing", async () => {
    const { turn, get } = await chat(bot(items));
    expect(flagsOf(await turn({ directCall: "sys-no-results" }))).toStrictEqual([["no-results"]]);
    const { body } = await get("/v1/conversation/variables");
    expect(body.sys_unanswered_consecutive.value).toBe("0");
  });

  test("reaches only what the user type may see", async () => {
    const { turn } = await chat(bot(items), { headers: { "x-inbenta-user-type": "7" } });
    expect((await turn({ directCall: "staff" }))[0].attributes.title).toBe("Staff");
  });
});
