import { expect } from "vitest";
import { createClients } from "../../src/index.ts";

/** Reads what write/backend.ts has put into a backend, through the interfaces of this version. */
export async function expectBackend(url: string): Promise<void> {
  const { auth, chat, chatbot, ticketing } = createClients({
    auth: { url, apiKey: "demo-key", secret: "demo-secret" },
    chat: { url, appId: "demo-app", secret: "demo-app-secret" },
  });
  expect((await auth.current()).accessToken).not.toBe("");

  const [ticket] = await all(ticketing.tickets({ external_id: "case-7" }));
  if (ticket === undefined) throw new Error("the ticket is gone");
  expect(ticket).toMatchObject({ title: "A broken analytical engine", external_id: "case-7" });
  const id = String(ticket.id);
  expect((await all(ticketing.replies(id))).map(({ message }) => message)).toEqual([
    "We look at it.",
  ]);
  expect((await all(ticketing.history(id))).length).toBeGreaterThan(1);
  const ada = await ticketing.findUser("ada@example.test");
  expect(ada?.name).toBe("Ada Lovelace");
  const plan = String(ticket.attachments[0]?.id);
  const file = await ticketing.download(plan);
  expect(await file.text()).toBe("the plan");
  expect((await ticketing.queues()).map(({ name }) => name)).toContain("Engines");
  expect(await all(ticketing.webhooks())).toMatchObject([{ item: "ticket" }]);
  const survey = await ticketing.startSurvey("1", id);
  expect(survey.pages).toHaveLength(1);
  const again = await ticketing.createTicket(
    {
      title: "A broken engine",
      message: "<p>It does not turn.</p>",
      creator: String(ada?.id),
      external_id: "case-7",
      attachments: [plan],
      history: { messages: [{ user: "Ada", message: "Hello" }] },
    },
    { idempotencyKey: "case-7" },
  );
  expect(String(again.uuid)).toBe(id);

  const [talk] = await all(chat.chats({ externalId: "chat-of-ada" }));
  if (talk === undefined) throw new Error("the chat is gone");
  const messages = await all(chat.messages(talk.id));
  expect(messages.map(({ message }) => message)).toMatchObject([
    "Is this a person?",
    "It is Sam",
    { name: "plan.txt" },
  ]);
  expect(messages[0]?.read).toEqual(["demo-agent"]);
  const [media] = await all(chat.mediaList({ chatId: talk.id }));
  expect(await (await chat.download(media?.id ?? "")).text()).toBe("the plan");
  expect((await chat.surveys()).map(({ name }) => name)).toEqual(["After the chat"]);
  expect(await chat.webhooks()).toMatchObject([{ events: "messages:new" }]);
  expect((await chat.settings()).invitationTimeout).toBe(3600);
  const { token } = await chat.login("demo-agent", "demo-agent");
  await chat.as(token ?? "").send(talk.id, { message: "Still here" });
  expect((await all(chat.messages(talk.id))).at(-1)?.message).toBe("Still here");

  const conversation = await chatbot.start({ lang: "en" });
  const [answer] = await conversation.send({ message: "Stored engines" });
  expect(answer?.message).toContain("From the database.");
}

async function all<Item>(list: AsyncIterable<Item>): Promise<readonly Item[]> {
  const items: Item[] = [];
  for await (const item of list) items.push(item);
  return items;
}
