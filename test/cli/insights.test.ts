import { cp } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { loadConfig } from "../../src/config/load/load.ts";
import { serve } from "../../src/runtime/node/serve.ts";
import { startScriptedUpstream } from "../../src/testing/index.ts";
import { workspace } from "../config/workspace.ts";
import { failing, send } from "../insights/counting.ts";
import { ADMIN } from "../gateway/console/console.ts";
import { servedOwnBot } from "../gateway/console/own-bot.ts";
import { json } from "../gateway/harness.ts";
import { afterword } from "./terminal.ts";

const CONFIG = `version: 1
data: ./data
upstream: { auth: "http://127.0.0.1:9" }
instances: [{ name: shop, language: en, created: 2018-01-01 }]
insights: { store: file }
`;

/** A configuration whose server has answered three times, to one reader or several. */
async function countThree(config = CONFIG, messages = ["one", "two", "three"]): Promise<string> {
  const upstream = await startScriptedUpstream({
    handler: () => ({ headers: json, body: failing }),
  });
  const chatbot = `{ auth: "${upstream.origin}", apis: { chatbot: "${upstream.origin}" } }`;
  const directory = await workspace({
    "afterword.yaml": config.replace(/\{ auth.*/, chatbot),
  });
  const file = join(directory, "afterword.yaml");
  const running = await serve({ config: await loadConfig(file), port: 0, env: {}, log: () => {} });
  for (const message of messages) {
    await send(running.url, config === CONFIG ? "reader" : message, { message });
  }
  await running.close();
  await upstream.close();
  return file;
}

it("shows an owner which line helped the fewest readers", async () => {
  const file = await countThree();
  const { code, out } = await afterword(["insights", "--config", file]);
  expect(out).toMatch(/^3 messages answered/);
  expect(out).toMatch(/shop: no-results +3 +2 \(100 %\)/);
  expect(code).toBe(0);
  const csv = await afterword(["insights", "--config", file, "--format", "csv"]);
  expect(csv.out.split("\r\n")[1]).toBe(
    '"shop","en",,"no-results","shipped","3","0","2","0","0","0","0","0","0","2"',
  );
  const old = await afterword(["insights", "--config", file, "--to", "2020-01-01"]);
  expect(old.out).toMatch(/No line has been said yet/);
  const made = await afterword(["insights", "--config", file, "--format", "json"]);
  expect(JSON.parse(made.out)).toMatchObject({ messages: 3, lines: [{ said: 3, failed: 2 }] });
});

it("erases the counts on request", async () => {
  const file = await countThree();
  expect(await afterword(["insights", "erase", "--config", file])).toMatchObject({ code: 2 });
  const { out } = await afterword(["insights", "erase", "--yes", "--config", file]);
  expect(out).toMatch(/^erased \d rows\n$/);
  const { out: after } = await afterword(["insights", "--config", file]);
  expect(after).toMatch(/^0 messages answered/);
});

it("explains what to do where nothing is counted, and refuses what it cannot read", async () => {
  const off = await workspace({ "afterword.yaml": CONFIG.replace(/insights.*/, "") });
  const config = ["--config", join(off, "afterword.yaml")];
  const without = await afterword(["insights", ...config]);
  expect(without).toMatchObject({
    code: 1,
    error: expect.stringContaining("insights: { store: file }"),
  });
  const fresh = await workspace({ "afterword.yaml": CONFIG });
  const named = ["--config", join(fresh, "afterword.yaml")];
  expect((await afterword(["insights", ...named])).error).toMatch(/nothing has been counted yet/);
  expect((await afterword(["insights", ...named, "--instance", "none"])).error).toMatch(/\(shop\)/);
  expect((await afterword(["insights", ...named, "--from", "today"])).code).toBe(2);
});

it("names a store that does not exist, with its place", async () => {
  const wrong = await workspace({
    "afterword.yaml": CONFIG.replace("store: file", "store: redis://x"),
  });
  const { code, out, error } = await afterword([
    "check",
    "--config",
    join(wrong, "afterword.yaml"),
  ]);
  expect(code).toBe(1);
  expect(out + error).toMatch(/:5:\d+.*file, or an address such as postgres:/);
});

it("shows questions without an answer, for people, programs and spreadsheets", async () => {
  const text = CONFIG.replace("store: file", "store: file, questions: true");
  const file = await countThree(
    text,
    ["one", "two", "three"].map((who) => `${who} gift cards?`),
  );
  const run = (...args: string[]) => afterword(["insights", "--config", file, ...args]);
  const { out } = await run("--questions");
  expect(out).toMatch(/^QUESTION +CONVERSATIONS/);
  expect(out).toMatch(/\n\[…\] gift cards\? +3 /);
  const csv = await run("--questions", "--format", "csv");
  expect(csv.out.split("\r\n")[1]).toMatch(
    /^"\[…\] gift cards\?","shop","en","no-results","shipped","3","3",/,
  );
  const { out: json } = await run("--questions", "--format", "json");
  expect(JSON.parse(json)).toMatchObject({ messages: 3, questions: [{ conversations: 3 }] });
  expect((await run("--questions", "--to", "2020-01-01")).out).toMatch(/^No question/);
  await afterword(["insights", "erase", "--yes", "--config", file]);
  expect((await run("--questions")).out).toMatch(/^No question/);
});

it("shows how often contents of the own bot were the answer, with their titles", async () => {
  const { asked, running, directory, data } = await servedOwnBot({}, "insights: { store: file }\n");
  await asked("delivery times");
  await asked("track my parcel");
  await asked("Where is my order?");
  await asked("Où est ma commande ?", "fr");
  const url = ["--url", running.url];
  const env = { AFTERWORD_ADMIN_TOKEN: ADMIN };
  const read = async () => (await afterword(["insights", ...url], { env })).out;
  await expect.poll(read, { timeout: 10_000 }).toMatch(/^4 messages answered/);
  const fromThere = await read();
  expect(fromThere).toMatch(/\nCONTENT +SAID +NOT HELPED +ANSWERED/);
  expect(fromThere).toMatch(/\nshop: en\/1 +2 /);
  await running.close();
  await cp(join(data, "insights.db"), join(directory, "data", "insights.db"));

  const run = (...args: string[]) =>
    afterword(["insights", "--config", join(directory, "afterword.yaml"), ...args]);
  const { out, error } = await run();
  expect(error).toBe("");
  expect(out).toMatch(/\nshop: en\/1 Where is my order\? +2 +-/);
  expect(out).toMatch(/\nshop: fr\/1 Où est ma commande \? +1 /);
  const { out: csv } = await run("--format", "csv");
  expect(csv).toContain('"shop","en",,"content/1","own","2",');
  const { out: made } = await run("--format", "json", "--instance", "shop");
  expect(JSON.parse(made)).toMatchObject({
    contents: [
      { instance: "shop", language: "en", id: 1, said: 2 },
      { language: "fr", id: 1, said: 1 },
      { language: "en", id: 2, said: 1 },
    ],
  });
});

it("explains how questions are stored, where none are", async () => {
  const file = await countThree();
  const { code, error } = await afterword(["insights", "--questions", "--config", file]);
  expect(code).toBe(1);
  expect(error).toMatch(/no questions are kept: add `questions: true`/);
});

it("reads a running gateway with its token, and erases there", async () => {
  const upstream = await startScriptedUpstream({
    handler: () => ({ headers: json, body: failing }),
  });
  onTestFinished(() => upstream.close());
  const chatbot = `{ auth: "${upstream.origin}", apis: { chatbot: "${upstream.origin}" } }`;
  const directory = await workspace({ "afterword.yaml": CONFIG.replace(/\{ auth.*/, chatbot) });
  const env = { AFTERWORD_ADMIN_TOKEN: "token-of-the-operator" };
  const config = await loadConfig(join(directory, "afterword.yaml"));
  const running = await serve({ config, port: 0, env, log: () => {} });
  onTestFinished(() => running.close());
  const run = (...args: string[]) =>
    afterword(["insights", ...args, "--url", `${running.url}/`], { env });
  for (const message of ["one", "two"]) await send(running.url, "reader", { message });
  await expect.poll(async () => (await run()).out).toMatch(/^2 messages answered/);
  expect((await run()).out).toMatch(/shop: no-results +2 +1 \(100 %\)/);
  expect((await run("--instance", "shop", "--format", "csv")).out).toContain('"no-results"');
  expect((await run("--to", "2020-01-01")).out).toMatch(/No line has been said yet/);
  expect((await run("--questions")).error).toMatch(/no questions are kept/);
  expect(await run("--instance", "none")).toMatchObject({
    code: 1,
    error: expect.stringMatching(/There is no such instance/),
  });
  expect((await run("erase", "--yes")).out).toMatch(/^erased \d rows\n$/);
  expect((await run()).out).toMatch(/^0 messages answered/);

  const wrong = { AFTERWORD_ADMIN_TOKEN: "another" };
  const refused = await afterword(["insights", "--url", running.url], { env: wrong });
  expect(refused).toMatchObject({ code: 1, error: expect.stringMatching(/needs a token/) });
  const without = await afterword(["insights", "--url", running.url]);
  expect(without).toMatchObject({ code: 2, error: expect.stringMatching(/AFTERWORD_ADMIN_TOKEN/) });
  const plain = await afterword(["insights", "--url", "http://gateway.example.com"], { env });
  expect(plain).toMatchObject({ code: 2, error: expect.stringMatching(/must be https/) });
  expect((await run("--config", "afterword.yaml")).code).toBe(2);
  const away = await afterword(["insights", "--url", "http://127.0.0.1:1"], { env });
  expect(away).toMatchObject({ code: 1, error: expect.stringMatching(/no answer: /) });
});
