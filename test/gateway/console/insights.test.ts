import { expect, it } from "vitest";
import { flagged } from "../harness.ts";
import type { InsightsReport } from "../../../src/insights/facts.ts";
import { send } from "../../insights/counting.ts";
import { startConversation } from "../../clients/connectors/client.ts";
import { CONFIG, served } from "./console.ts";
import { EN, servedOwnBot } from "./own-bot.ts";

const counting = { "afterword.yaml": `${CONFIG}insights: { store: file }\n` };
const env = {
  AFTERWORD_ADMIN_TOKEN: "token-of-the-test",
  AFTERWORD_ADMIN_TOKENS: "viewer:view:viewer-token-of-the-test",
};

it("returns the counts to tokens that may view", async () => {
  const { api, running } = await served(counting, env, flagged("no-results"));
  await send(running.url, "reader", { message: "one" });
  await send(running.url, "reader", { message: "two" });
  const read = () => api("insights?instance=bank", { token: "viewer-token-of-the-test" });
  await expect
    .poll(async () => ((await read()).body as { messages: number }).messages, { timeout: 10_000 })
    .toBe(2);
  const { body, status } = await read();
  expect(status).toBe(200);
  expect(body).toMatchObject({
    lines: [
      {
        instance: "bank",
        line: "no-results",
        speaker: "shipped",
        said: 2,
        failed: 1,
        unrecovered: 1,
      },
    ],
    gaps: [],
  });
  expect(await api("insights?instance=shop")).toMatchObject({ body: { messages: 0, lines: [] } });
});

it("refuses invalid days, unknown instances, and callers without a token", async () => {
  const { api } = await served(counting, env);
  const statusOf = async (path: string, token?: string) =>
    (await api(path, token === undefined ? {} : { token })).status;
  expect(await statusOf("insights?from=yesterday")).toBe(422);
  expect(await statusOf("insights?from=2026-11-02&to=2026-11-01")).toBe(422);
  expect(await statusOf("insights?instance=none")).toBe(404);
  expect(await statusOf("insights", "")).toBe(401);
});

it("reports that nothing is counted where the configuration has no insights", async () => {
  const { api } = await served({}, env);
  expect(await api("insights")).toMatchObject({ status: 409 });
});

it("gives questions without an answer only to tokens that may publish", async () => {
  const kept = { "afterword.yaml": `${CONFIG}insights: { questions: true }\n` };
  const tokens =
    "viewer:view:viewer-token-of-the-test,editor:edit:fr:editor-token-of-the-test,publisher:publish:publisher-token-of-the-test";
  const { api, running } = await served(
    kept,
    { ...env, AFTERWORD_ADMIN_TOKENS: tokens },
    flagged("no-results"),
  );
  for (const reader of ["one", "two", "three"]) {
    await send(running.url, reader, { message: "Livrez-vous à Genève ? 0612345678" });
  }
  const read = (token?: string, query = "?questions=10") =>
    api(`insights${query}`, token === undefined ? {} : { token: `${token}-token-of-the-test` });
  const questionsOf = async (token?: string) =>
    ((await read(token)).body as InsightsReport).questions;
  await expect
    .poll(() => questionsOf("publisher"), { timeout: 10_000 })
    .toMatchObject([
      { text: "Livrez-vous à Genève ? […]", language: "fr", conversations: 3, nearest: null },
    ]);
  expect(await questionsOf()).toHaveLength(1);
  expect((await read("viewer")).status).toBe(403);
  expect((await read("editor")).status).toBe(403);
  expect((await read("viewer", "")).body).not.toHaveProperty("questions");
  expect((await read(undefined, "?questions=none")).status).toBe(422);
  expect((await read(undefined, "?questions=10&instance=shop")).body).toMatchObject({
    questions: [],
  });
});

it("dismisses a question for those who may publish, also when it is asked again", async () => {
  const tokens =
    "editor:edit:fr:editor-token-of-the-test,other@shop:publish:publisher-token-of-the-test";
  const { api, running } = await served(
    {
      "afterword.yaml": `${CONFIG}insights: { questions: true }
`,
    },
    { ...env, AFTERWORD_ADMIN_TOKENS: tokens },
    flagged("no-results"),
  );
  const ask = async (readers: readonly string[]): Promise<void> => {
    for (const reader of readers) await send(running.url, reader, { message: "A joke please?" });
  };
  const groups = async (query = "") =>
    ((await api(`insights?questions=10${query}`)).body as InsightsReport).questions ?? [];
  await ask(["one", "two", "three"]);
  await expect.poll(() => groups(), { timeout: 10_000 }).toMatchObject([{ dismissed: false }]);
  const [{ id } = expect.fail("no group")] = await groups();
  const dismiss = async (json: object, one = id, token?: string) =>
    (
      await api(`insights/questions/${one}`, {
        method: "PUT",
        json,
        ...(token !== undefined && { token: `${token}-token-of-the-test` }),
      })
    ).status;
  expect(await dismiss({ dismissed: true }, id, "editor")).toBe(403);
  // The group belongs to an instance that this token does not see.
  expect(await dismiss({ dismissed: true }, id, "publisher")).toBe(404);
  expect(await dismiss({ dismissed: true }, "12")).toBe(404);
  expect(await dismiss({ dismissed: "yes" })).toBe(422);
  expect(await dismiss({ dismissed: true }, "twelve")).toBe(422);
  expect(await groups()).toHaveLength(1);
  expect(await dismiss({ dismissed: true })).toBe(200);
  expect(await groups()).toEqual([]);
  await ask(["four"]);
  await expect
    .poll(() => groups("&dismissed=yes"), { timeout: 10_000 })
    .toMatchObject([{ id, dismissed: true, conversations: 4 }]);
  expect(await groups()).toEqual([]);
  expect(await dismiss({ dismissed: false })).toBe(200);
  expect(await groups()).toMatchObject([{ id, dismissed: false }]);
});

it("erases for those who may publish, only what their token may see, and notes it", async () => {
  const tokens =
    "viewer:view:viewer-token-of-the-test,bank@bank:publish:publisher-token-of-the-test";
  const { api, running, logs } = await served(
    counting,
    { ...env, AFTERWORD_ADMIN_TOKENS: tokens },
    flagged("no-results"),
  );
  await send(running.url, "reader", { message: "one" });
  await send(running.url, "reader", { message: "two" }, undefined, {
    "x-inbenta-key": "shop-key",
  });
  const erase = (query: string, token?: string) =>
    api(`insights${query}`, { method: "DELETE", ...(token && { token }) });
  const messages = async () => ((await api("insights")).body as InsightsReport).messages;
  await expect.poll(messages, { timeout: 10_000 }).toBe(2);
  expect((await erase("", "viewer-token-of-the-test")).status).toBe(403);
  expect((await erase("?instance=none")).status).toBe(404);
  expect((await erase("?demo=perhaps")).status).toBe(422);
  expect((await erase("?instance=shop", "publisher-token-of-the-test")).status).toBe(404);
  expect((await erase("?demo=yes")).body).toEqual({ rows: 0 });
  expect(await messages()).toBe(2);
  const { body } = await erase("", "publisher-token-of-the-test");
  expect((body as { rows: number }).rows).toBeGreaterThan(1);
  const left = (await api("insights")).body as InsightsReport;
  expect(left.messages).toBe(1);
  expect(left.lines.map(({ instance }) => instance)).toEqual(["shop"]);
  await erase("");
  expect(await messages()).toBe(0);
  const { audit } = (await api("audit")).body as {
    audit: readonly { action: string; label: string; details: string }[];
  };
  expect(audit.filter(({ action }) => action === "insights-erase")).toMatchObject([
    { label: "admin", details: expect.stringMatching(/^\*: \d+$/) },
    { label: "bank", details: expect.stringMatching(/^bank: \d+$/) },
    { label: "admin", details: "* demo: 0" },
  ]);
  expect(logs.filter(({ event }) => event === "insights-erased")).toHaveLength(3);
});

it("takes the names out of questions that a form asked for before", async () => {
  const form = `  - id: 4
    title: Register a device
    answer: "<p>With pleasure.</p>"
    form:
      name: device
      fields:
        - { name: owner, question: Whose is it? }
        - { name: kind, type: list, question: Which?, values: [Boiler, Oven] }
        - { name: helper, question: Who helps? }
      finished: Thank you.
      actions: [{ callback: registered, data: {} }]
`;
  const { api, running } = await servedOwnBot(
    { "backend/shop.en.yaml": `${EN}${form}` },
    "insights: { questions: true }\n",
  );
  const { say } = await startConversation(running.url);
  for (const message of ["Register a device", "Ottfried Dimpfelmoser", "Boiler", "Wilhelmina"]) {
    await say({ message });
  }
  for (const message of ["Register a device", "cancel"]) await say({ message });
  await say({ message: "can Ottfried cancel the moon with Wilhelmina in a boiler" });
  const groups = async () =>
    ((await api("insights?questions=10")).body as InsightsReport).questions ?? [];
  await expect
    .poll(async () => (await groups()).map(({ text }) => text), { timeout: 10_000 })
    .toEqual(["can […] cancel the moon with […] in a boiler"]);
});
