// Suite: slow
import { expect, test } from "vitest";
import { openedChat, openBed, sayYes, signIn, until } from "./bed.ts";
import { openTrouble } from "./trouble.ts";

/**
 * The name under which the chat sends a file in its message, and the one under which it accepts the
 * name.
 */
const odd = [
  ["a blank", "/media/a%20b", "a%20b"],
  ["a letter beyond ASCII, coded", "/media/caf%C3%A9", "caf%C3%A9"],
  ["a letter beyond ASCII, bare", "/media/café", "caf%C3%A9"],
  ["a sign of percent that codes nothing", "/media/100%", "100%25"],
  ["a query and a fragment behind it", "/media/plain?size=1/2#page/3", "plain"],
  ["a whole address before it", "https://chat.example/v1/media/x%2By", "x%2By"],
] as const;

test.each(odd)("a file whose address has %s is given to the reader", async (_, url, name) => {
  const { sam, chatId, real, service, hear } = await talking();
  await sam.upload(file, { chatId });
  const address = await hear(url);
  expect(address).toMatch(new RegExp(`/media/${name}$`, "u"));
  const response = await fetch(address);
  expect(response.status).toBe(200);
  expect(await response.text()).toBe("%PDF-1.4 W-1404");
  const asked = service.calls.filter(({ call }) => call.startsWith("GET /v1/media/"));
  expect(asked.map(({ call }) => call)).toEqual([`GET /v1/media/${name}`]);
  expect(real()).not.toBe(name);
});

test.each(["/media/%2e%2E", "/media/", "/media/\\ud800"])(
  "a file without a usable name is mentioned, and gets no address: %s",
  async (url) => {
    const { sam, chatId, hear, talk } = await talking();
    await sam.upload(file, { chatId });
    expect(await hear(url)).toBe("");
    await sam.send(chatId, { message: "Did it arrive?" });
    await until(async () =>
      (await talk.say(`and? ${Math.random()}`)).some(({ message }) => message === "Did it arrive?"),
    );
  },
);

const bytes = new TextEncoder().encode("%PDF-1.4 W-1404");
const file = { name: "order.pdf", bytes, type: "application/pdf" };

/** A conversation with the demo agent, in a chat that names its files in another way. */
async function talking() {
  const service = await openTrouble();
  const bed = await openBed({ settings: { identity: { ask: [] } }, chat: service.url });
  service.to(bed.url);
  const { chat } = bed.clients;
  const sam = chat.as(await signIn(chat));
  const talk = await bed.talk();
  await sayYes(talk);
  const opened = await openedChat(chat);
  await sam.accept(opened.id);
  let real = "";
  /** The address of the file that the reader gets; empty if there is none. */
  const hear = async (url: string): Promise<string> => {
    service.disguise({
      path: (path) => path.replace(/^(\/v1\/media\/).+$/u, `$1${real}`),
      body(body, path) {
        if (!path.endsWith("/messages")) return body;
        return body.replaceAll(/"url":"\/media\/([^"]+)"/gu, (_, id: string) => {
          real = id;
          return `"url":"${url}"`;
        });
      },
    });
    const answer = await until(async () => {
      const answers = await talk.say(`where? ${Math.random()}`);
      return answers.find(({ message }) => message.includes("order.pdf"));
    });
    const [, address] = /href="([^"]+)"/u.exec(answer.message) ?? [];
    return address === undefined ? "" : bed.url + address;
  };
  return { service, sam, talk, chatId: opened.id, real: () => real, hear };
}
