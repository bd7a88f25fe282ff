// Suite: all
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import type { Config } from "../../../src/config/config.ts";
import { openBed, sayYes, signIn } from "./bed.ts";
import { createFolder } from "../../fixtures/folder.ts";

const many = 10_000;

test("with 10,000 open conversations the list is short, and each of them is checked in time", async () => {
  const { here } = await held();
  const response = await fetch(`${here.url}/_afterword/escalations`, { headers: here.asAdmin() });
  const { escalations } = (await response.json()) as { escalations: readonly unknown[] };
  expect(escalations).toHaveLength(500);
  for (let round = 0; round < 5; round++) {
    expect(await here.running.gateway.core.escalations?.runRound()).toBe(20);
  }
  const talk = await here.talk();
  expect(await talk.say("What are your opening hours?")).toHaveLength(1);
});

test("with 10,000 open conversations one with a person continues when hand-overs are switched off", async () => {
  const { here, config, talk, words } = await held();
  const instances = config.instances.map((instance) => ({
    ...instance,
    escalation: { ...instance.escalation, mode: "off" as const },
  }));
  here.running.swap({ ...config, instances });
  // A turn waits only 50 ms for the memory, which a busy machine may exceed.
  await expect.poll(() => talk.say("still there?")).toEqual([]);
  expect(await words()).toContain("still there?");
});

/**
 * A conversation that a person holds. Of 10,000 like it, all of which are due, it was silent
 * longest.
 */
async function held() {
  const data = createFolder();
  const seen: Config[] = [];
  const here = await openBed({
    settings: { identity: { ask: [] } },
    data,
    change(config) {
      seen.push(config);
      return config;
    },
  });
  const { chat } = here.clients;
  const sam = chat.as(await signIn(chat));
  const talk = await here.talk();
  await sayYes(talk);
  let id = "";
  for await (const one of chat.chats()) id = one.id;
  await sam.accept(id);
  await talk.say(`hello? ${"I have a long story to tell. ".repeat(200)}`);
  copied(join(data, "state.db"));
  const [config] = seen;
  if (config === undefined) throw new Error("no configuration");
  const words = async (): Promise<readonly unknown[]> => {
    const texts = [];
    for await (const { message } of chat.messages(id)) texts.push(message);
    return texts;
  };
  return { here, config, talk, words };
}

/** Adds copies of the one open record, with other keys. */
function copied(file: string): void {
  const database = new DatabaseSync(file);
  database.exec(`
    WITH RECURSIVE counted (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < ${many - 1})
    INSERT INTO escalations (key, revision, value, event, wake, open, pending, updated)
    SELECT printf('%064x', n), revision, replace(value, key, printf('%064x', n)), printf('%064x', n), 1, open, pending,
      updated + n
    FROM escalations, counted WHERE open = 1`);
  database.close();
}
