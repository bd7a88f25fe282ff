// Suite: slow
import { describe, expect, test } from "vitest";
import {
  lineOf,
  openedChat,
  openBed,
  optionsOf,
  sayYes,
  signIn,
  toTheOffer,
  until,
} from "./bed.ts";

describe("a gateway that is started again", () => {
  test("knows which conversations a person holds, and what was offered", async () => {
    const bed = await openBed({ settings: { identity: { ask: [] } }, store: "file" });
    await signIn(bed.clients.chat);
    const talk = await bed.talk();
    const [yes] = optionsOf((await toTheOffer(talk)).at(-1));
    await bed.restart();
    const { chat } = bed.clients;
    const sam = chat.as(await signIn(chat));
    const back = { ...talk, url: bed.url };
    const post = async (body: object) => {
      const response = await fetch(`${back.url}/v1/conversation/message`, {
        method: "POST",
        headers: talk.headers,
        body: JSON.stringify(body),
      });
      const { answers } = (await response.json()) as { answers: { message: string }[] };
      return answers.map(({ message }) => message);
    };
    expect(await post({ message: "", option: yes?.value })).toEqual([lineOf("en", "connecting")]);
    const opened = await openedChat(chat, { status: "waiting" });
    await sam.accept(opened.id);
    await bed.restart();
    back.url = bed.url;
    await bed.clients.chat
      .as(await signIn(bed.clients.chat))
      .send(opened.id, { message: "Sam here" });
    expect(await post({ message: "hello?" })).toEqual([lineOf("en", "joined"), "Sam here"]);
  });

  test("keeps retrying a ticket that could not be made", async () => {
    const nowhere = "http://127.0.0.1:9";
    const bed = await openBed({
      store: "file",
      settings: { identity: { ask: [] }, ladder: ["ticket"] },
      ticketing: nowhere,
    });
    const talk = await bed.talk();
    const answers = await sayYes(talk);
    expect(answers.map(({ message }) => message)).toEqual([lineOf("en", "ticket-pending")]);
    const state = await until(async () => {
      const response = await fetch(`${bed.url}/_afterword/escalations`, { headers: bed.asAdmin() });
      const { escalations } = (await response.json()) as {
        escalations: { calls: { attempts: number; state: string; next: string | null }[] }[];
      };
      const [call] = escalations[0]?.calls ?? [];
      return call !== undefined && call.attempts > 1 && call.state !== "sent" && call;
    });
    expect(state.state).toBe("planned");
    expect(state.next).not.toBe(null);
  });
});
