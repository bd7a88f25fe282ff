import { expect, it } from "vitest";
import type { InsightsAnswer } from "../../../src/api/console-insights.ts";
import { startConversation, textAt } from "../../clients/connectors/client.ts";
import { ask } from "../../clients/connectors/http.ts";
import { EVA, VERA } from "./console.ts";
import { servedOwnBot } from "./own-bot.ts";

/** An embedded backend with insights, after two readers of English and one of French. */
async function servedReaders(settings = "insights: { questions: true }\n") {
  const house = await servedOwnBot({}, settings);
  const { api, asked, running } = house;
  const { accessToken, session, base, say } = await startConversation(running.url, { lang: "en" });
  await say({ message: "track my parcel" });
  await say({ message: "delivery times" });
  const rated = await say({ message: "Where is my order? My number is 0612345678" });
  const code = textAt(
    rated.json(),
    ...["answers", 0, "parameters", "contents", "trackingCode", "rateCode"],
  );
  const rating = { type: "rate", data: { code, value: 5, comment: "" } };
  await ask(`${base}/v1/tracking/events`, {
    headers: {
      "content-type": "application/json",
      "x-inbenta-key": "demo-key",
      authorization: `Bearer ${accessToken}`,
      "x-inbenta-session": `Bearer ${session}`,
    },
    body: JSON.stringify(rating),
  });
  const other = await startConversation(running.url, { lang: "en" });
  await other.say({ message: "delivery times" });
  await other.say({ message: "is the moon a balloon?" });
  await asked("Où est ma commande ?", "fr");
  const read = async (path: string) => (await api(path)).body as InsightsAnswer;
  await expect.poll(async () => (await read("insights")).messages, { timeout: 10_000 }).toBe(6);
  return { ...house, read };
}

it("returns how often contents were the answer in their language, and what readers did next", async () => {
  const { read, api } = await servedReaders();
  const { contents, lines } = await read("insights?contents=all");
  expect(contents).toHaveLength(3);
  expect(contents).toMatchObject([
    { id: 1, language: "en", said: 2, answered: 1, ratedUp: 1, unrecovered: 0 },
    { id: 2, language: "en", said: 2, answered: 1, failed: 1, unrecovered: 1 },
    { id: 1, language: "fr", said: 1, answered: 0, failed: 0 },
  ]);
  expect(lines.map(({ line }) => line).toSorted()).toEqual(["no-results", "related-title"]);
  expect(await read("insights")).not.toHaveProperty("contents");
  expect((await read("insights?contents=fr/1")).contents).toMatchObject([
    { id: 1, language: "fr", said: 1 },
  ]);
  expect((await read("insights?contents=en/3")).contents).toEqual([]);
  expect((await read("insights?contents=all&to=2026-01-01")).contents).toEqual([]);
  expect((await api("insights?contents=all", { token: VERA })).status).toBe(200);
  for (const written of ["1", "en/one", "en/1/2", "/1"]) {
    expect(await api(`insights?contents=${written}`)).toMatchObject({
      status: 422,
      body: {
        errors: [{ message: `\`contents\` is \`all\` or such as \`en/12\`, not "${written}".` }],
      },
    });
  }
});

it("shows the questions that a content answered, redacted, to those who may publish", async () => {
  const { read, api } = await servedReaders();
  const { questions } = await read("insights?contents=en/1&questions=10");
  expect(questions?.map(({ text, asked }) => [text, asked]).toSorted()).toEqual([
    ["Where is my order? My number […]", 1],
    ["track my parcel", 1],
  ]);
  expect(questions?.[0]).toMatchObject({
    language: "en",
    conversations: 1,
    nearest: { id: 1, verdict: "answers" },
    answered: null,
  });
  expect((await read("insights?contents=fr/1&questions=10")).questions).toMatchObject([
    { text: "Où est ma commande ?" },
  ]);
  expect((await read("insights?questions=10")).questions).toMatchObject([
    { text: "is the moon a balloon?" },
  ]);
  const path = "insights?contents=en/1&questions=10";
  expect((await api(path, { token: VERA })).status).toBe(403);
  expect((await api(path, { token: EVA })).status).toBe(403);
});

it("counts contents where no words of questions are kept", async () => {
  const { read } = await servedReaders("insights: {}\n");
  const { contents, questions } = await read("insights?contents=en/2&questions=10");
  expect(contents).toMatchObject([{ id: 2, said: 2, answered: 1, failed: 1 }]);
  expect(questions).toBe(null);
});

it("takes new contents while the store is away", async () => {
  const away = "insights: { store: postgres://afterword@127.0.0.1:1/none }\n";
  const { api } = await servedOwnBot({}, away);
  const fields = { title: "Gift cards", answer: ["<p>They are valid for three years.</p>"] };
  expect(await api("insights")).toMatchObject({ status: 503 });
  expect(await api("draft/contents/en", { json: { fields } })).toMatchObject({
    status: 200,
    body: { id: 4 },
  });
});
