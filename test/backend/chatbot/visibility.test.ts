import { describe, expect, test } from "vitest";
import type { ContentItem } from "../../../src/backend/content/types.ts";
import { clock } from "../client.ts";
import { bot, chat, content, flagsOf, option } from "./bot.ts";
import type { Chat } from "./bot.ts";

const time = clock();
const hour = 3_600_000;

const cases: readonly (readonly [string, Partial<ContentItem>, boolean])[] = [
  ["published", {}, true],
  ["not published", { published: false }, false],
  ["published from now on", { publishFrom: time.now() }, true],
  ["published in an hour", { publishFrom: time.now() + hour }, false],
  ["expiring in an hour", { expires: time.now() + hour }, true],
  ["expired just now", { expires: time.now() }, false],
  ["for this user type", { userTypes: [3, 5] }, true],
  ["for another user type", { userTypes: [3] }, false],
  ["for this environment", { environments: ["development"] }, true],
  ["for another environment", { environments: ["production", "preproduction"] }, false],
];

describe.each(cases)("a content that is %s", (_name, parts, visible) => {
  const app = bot(
    [
      content({ id: 1, title: "Invoices", directCall: "invoices", ...parts }),
      content({ id: 2, title: "Payment", related: [1], options: [option("Bills", 1)] }),
      content({ id: 3, title: "Shared words", alternatives: ["my invoices please"] }),
    ],
    { now: time.now },
  );
  const begin = (): Promise<Chat> =>
    chat(app, { headers: { "x-inbenta-user-type": "5", "x-inbenta-env": "development" } });

  test(`is ${visible ? "" : "not "}found, related, offered and called`, async () => {
    const { ask, turn } = await begin();
    const titles = (await ask("Invoices")).map(({ attributes }) => attributes.title);
    expect(titles.includes("Invoices")).toBe(visible);
    expect(flagsOf(await turn({ directCall: "invoices" }))).toStrictEqual([
      visible ? [] : ["conversation-error-message"],
    ]);
    const [answer] = await ask("Payment");
    expect(answer.parameters.contents.related?.relatedContents.length).toBe(
      visible ? 1 : undefined,
    );
    expect(answer.options?.length).toBe(visible ? 1 : undefined);
  });
});

test("a content that a reader may not see does not hide the next result", async () => {
  const items = [
    content({ id: 1, title: "Invoices for staff", alternatives: ["invoices"], userTypes: [7] }),
    content({ id: 2, title: "Invoices for everybody" }),
  ];
  const { ask } = await chat(bot(items));
  expect((await ask("invoices"))[0].attributes.title).toBe("Invoices for everybody");
  const staff = await chat(bot(items), { headers: { "x-inbenta-user-type": "7" } });
  expect((await staff.ask("invoices"))[0].attributes.title).toBe("Invoices for staff");
});

test("an option that expires while it is offered cannot be chosen", async () => {
  const moving = clock();
  const { ask, turn } = await chat(
    bot(
      [
        content({ id: 1, title: "Menu", options: [option("Sale", 2), option("Shop", 3)] }),
        content({ id: 2, title: "Everything must go", expires: moving.now() + 60_000 }),
        content({ id: 3, title: "Our shop" }),
      ],
      { now: moving.now },
    ),
  );
  await ask("menu");
  moving.advance(60);
  expect(flagsOf(await turn({ option: 2 }))).toStrictEqual([["no-subset-match"]]);
  expect((await turn({ option: 3 }))[0].attributes.title).toBe("Our shop");
});

test("an expired option does not make the words of another ambiguous", async () => {
  const moving = clock();
  const { ask } = await chat(
    bot(
      [
        content({
          id: 1,
          title: "Menu",
          options: [option("Blue shoes", 2), option("Red shoes", 3)],
        }),
        content({ id: 2, title: "Indigo", expires: moving.now() + 60_000 }),
        content({ id: 3, title: "Scarlet" }),
      ],
      { now: moving.now },
    ),
  );
  await ask("menu");
  expect(flagsOf(await ask("shoes"))).toStrictEqual([["no-subset-match"]]);
  moving.advance(60);
  expect((await ask("shoes"))[0].attributes.title).toBe("Scarlet");
});
