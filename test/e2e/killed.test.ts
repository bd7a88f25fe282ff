import { expect, test } from "vitest";
import { ask } from "./http.ts";
import { startConversation, valueAt } from "./client.ts";
import { npmStart, workspace } from "./processes.ts";

/** What was said in a conversation: its history, as texts. */
function texts(history: unknown): readonly string[] {
  if (!Array.isArray(history)) throw new Error(`no history: ${JSON.stringify(history)}`);
  return history.map((item) => String(valueAt(item, "message")));
}

test("kill -9 in the middle of a conversation loses at most the message in flight", async () => {
  const place = await workspace();
  let server = await npmStart(place, { PORT: "0" });
  const port = String(server.port);
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
    // Six messages in a row; the process dies while one of them is on its way.
    const killed = new Promise<void>((done) => {
      setTimeout(
        () => {
          server.kill("SIGKILL");
          done();
        },
        40 + round * 25,
      );
    });
    for (let i = 0; i < 400; i += 1) {
      const message = `bonjour ${round} ${i}`;
      const answer = await say(message).catch(() => null);
      if (answer === null) break;
      expect(valueAt(answer, "answers", 0, "type")).toBe("answer");
      answered.push(message);
    }
    await killed;
    await server.ended;
    server = await npmStart(place, { PORT: port });
  }
  expect(answered.length).toBeGreaterThan(4);
  // Session, language and history go on: everything that was answered is there, in order, and at most one more each round.
  const history = texts((await ask(`${started.base}/v1/conversation/history`, { headers })).json());
  const said = history.filter((text) => text.startsWith("bonjour "));
  const kept = said.filter((text) => answered.includes(text));
  expect(kept).toEqual(answered.slice(-kept.length));
  expect(kept.length).toBeGreaterThan(0);
  const inFlight = said.filter((text) => !answered.includes(text));
  expect(inFlight.length).toBeLessThanOrEqual(4);
  const next = await say("xyzzy");
  expect(valueAt(next, "answers", 0, "flags")).toEqual(["no-results"]);
  expect(valueAt(next, "answers", 0, "message")).toMatch(/[àéèê’]|Je /u);
});
