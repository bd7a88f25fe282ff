import { randomUUID } from "node:crypto";
import { expect, onTestFinished } from "vitest";
import { startScriptedUpstream } from "../../../src/testing/index.ts";
import { answerIn, textAt } from "../../clients/connectors/client.ts";
import { ask } from "../../clients/connectors/http.ts";
import { type Server, serveProcess, workspace, type Workspace } from "./processes.ts";
import { shippedTexts } from "../../clients/connectors/texts.ts";

/**
 * Gateways in different processes, in front of one vendor, that share the store of `state.store`.
 */
export interface Nodes {
  readonly place: Workspace;
  /** Starts one more gateway. */
  node(env?: Readonly<Record<string, string>>): Promise<Server>;
}

/** @param store the value for `state: { store: … }` */
export async function nodes(store: string): Promise<Nodes> {
  const place = await workspace();
  const chatbot = await startVendor();
  const config = await place.write(
    "nodes.yaml",
    [
      "version: 1",
      "data: ./.afterword",
      "upstream:",
      `  auth: ${new URL(chatbot).origin}`,
      `  apis: { chatbot: "${chatbot}" }`,
      "instances: [{ name: bot, match: {}, language: en, created: 2018-06-01, variables: [name] }]",
      "messages: { use: [shipped] }",
      `state: { store: "${store}" }`,
    ].join("\n"),
  );
  return {
    place,
    node: (env = {}) => serveProcess(["serve", "--config", config, "--port", "0"], { env }),
  };
}

/** Starts a conversation in a language; returns its session. */
export async function begin({ url }: Server, lang: string): Promise<string> {
  const started = await ask(`${url}/v1/conversation`, {
    headers: json,
    body: `{"lang":"${lang}"}`,
  });
  return textAt(started.json(), "sessionToken");
}

/** The reader's text if nothing is found. */
export async function readAnswer({ url }: Server, session: string): Promise<string> {
  const headers = { ...json, "x-inbenta-session": `Bearer ${session}` };
  const body = '{"message":"something nobody knows"}';
  const answer = await ask(`${url}/v1/conversation/message`, { headers, body });
  return answerIn(answer).message;
}

/**
 * Expects that the reader gets it in this language. A busy machine may delay a process for longer
 * than a turn waits for the memory, so a second turn may be needed.
 */
export async function expectAnswer(server: Server, session: string, locale: string): Promise<void> {
  await expect
    .poll(() => readAnswer(server, session), { timeout: 60_000, interval: 100 })
    .toBe(shippedTexts(locale)["no-results"]);
}

/**
 * Compares readers' texts with their languages. A turn waits only 50 ms for the memory, which may
 * be too short on a busy machine: then the engine's own words stay, and the gateway counts a
 * failure. Exactly as many misses as the gateway counted are accepted.
 */
export function holding(
  server: Server,
  key = "no-results",
): (text: string, locale: string) => Promise<void> {
  let missed = 0;
  return async (text, locale) => {
    if (text === shippedTexts(locale)[key]) return;
    missed += 1;
    expect([locale, text]).not.toEqual([locale, shippedTexts("en")[key]]);
    await expect.poll(() => failures(server), { timeout: 60_000 }).toBeGreaterThanOrEqual(missed);
  };
}

/**
 * Returns the result of `work` with every conversation known in time: it is repeated while the
 * gateway counts misses.
 */
export async function remembering<Value>(
  server: Server,
  work: () => Promise<Value>,
): Promise<Value> {
  for (let before = await failures(server); ;) {
    const value = await work();
    const after = await failures(server);
    if (after === before) return value;
    before = after;
  }
}

/** How many failures of the memory a gateway has counted, of all kinds. */
export async function failures({ url }: Server): Promise<number> {
  const { text } = await ask(`${url}/_afterword/metrics`);
  const counted = text.matchAll(/^afterword_memory_failures_total(?:\{.*\})? (\d+)$/gmu);
  return counted.reduce((sum, [, count]) => sum + Number(count), 0);
}

/** The words of the vendor of {@link nodes} when it finds nothing, in every language. */
export const engineWords = "Sorry, we could not find any answers to your question.";

const json = { "content-type": "application/json" };

/** An engine that finds nothing and answers so in English. Returns its chatbot's address. */
async function startVendor(): Promise<string> {
  const message = engineWords;
  const answer = { type: "answer", message, messageList: [message], flags: ["no-results"] };
  const vendor = await startScriptedUpstream({
    handler: ({ target }) => ({
      headers: ["Content-Type", "application/json"],
      body: target.endsWith("/message")
        ? JSON.stringify({ answers: [answer] })
        : JSON.stringify({ sessionId: randomUUID(), sessionToken: randomUUID() }),
    }),
  });
  onTestFinished(() => vendor.close());
  return `${vendor.origin}/prod/chatbot`;
}
