// Suite: long
import { expect, test } from "vitest";
import { ask } from "../clients/connectors/http.ts";
import { startConversation, valueAt } from "../clients/connectors/client.ts";
import { npmStart, workspace } from "../runtime/processes/processes.ts";
import { shippedTexts } from "../clients/connectors/texts.ts";
import { freePort } from "../fixtures/free-port.ts";

/** A conversation's history, as texts. */
function texts(history: unknown): readonly string[] {
  if (!Array.isArray(history)) throw new Error(`no history: ${JSON.stringify(history)}`);
  return history.map((item) => String(valueAt(item, "message")));
}

test("kill -9 in the middle of a conversation loses at most the message in flight", async () => {
  const place = await workspace();
  const port = String(await freePort());
  let server = await npmStart(place, { PORT: port });
  const started = await startConversation(server.url, { lang: "fr" });
  const headers = {
    "content-type": "application/json",
    "x-inbenta-key": "demo-key",
    authorization: `Bearer ${started.accessToken}`,
    "x-inbenta-session": `Bearer ${started.session}`,
  };
  const say = async (message: string): Promise<unknown> =>
    (
      await ask(`${started.base}/v1/conversation/message`, {
        headers,
        body: JSON.stringify({ message }),
      })
    ).json();

  const answered: string[] = [];
  for (let round = 0; round < 4; round += 1) {
    // Sends some messages in a row. The process dies while one of them is on its way, each time at
    // another point.
    for (let i = 0; ; i += 1) {
      const message = `bonjour ${round} ${i}`;
      const answering = say(message).catch(() => null);
      if (i === 3 + round) setTimeout(() => server.kill("SIGKILL"), 2 * round);
      const answer = await answering;
      if (answer === null) break;
      expect(valueAt(answer, "answers", 0, "type")).toBe("answer");
      answered.push(message);
    }
    await server.ended;
    server = await npmStart(place, { PORT: port });
  }
  // Session, language and history continue: all answered turns are there, in order, and at most one
  // more per round.
  const history = texts((await ask(`${started.base}/v1/conversation/history`, { headers })).json());
  const greetings = history.filter((text) => text.startsWith("bonjour "));
  const kept = greetings.filter((text) => answered.includes(text));
  expect(kept).toEqual(answered.slice(-kept.length));
  expect(kept.length).toBeGreaterThan(0);
  const inFlight = greetings.filter((text) => !answered.includes(text));
  expect(inFlight.length).toBeLessThanOrEqual(4);
  expect(valueAt(await say("xyzzy"), "answers", 0, "flags")).toEqual(["no-results"]);
  // A turn waits 50 ms for the language. A busy machine may need longer, and then the next turn has
  // it.
  await expect
    .poll(async () => valueAt(await say("xyzzy"), "answers", 0, "message"))
    .toBe(shippedTexts("fr")["no-results"]);
});
