// Suite: slow
import { cp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createFolder } from "../../fixtures/folder.ts";
import type { OpenBackend } from "../../../src/backend/node.ts";
import { openStorage } from "../../../src/backend/storage/open-storage.ts";
import { contentDirectory, open } from "../client.ts";
import { chat, flagsOf } from "./bot.ts";
import { webhook } from "./webhook.ts";

let directory: string;
let backend: OpenBackend | undefined;

beforeEach(async () => {
  directory = createFolder();
  await cp(join(contentDirectory, "texts"), join(directory, "texts"), { recursive: true });
});
afterEach(async () => {
  await backend?.close();
});

const write = (contents: readonly object[]): Promise<void> =>
  writeFile(join(directory, "shop.en.yaml"), JSON.stringify({ language: "en", contents }));

const hours = { id: 1, title: "Opening hours", answer: "From nine." };

test("contents that change on the disk answer without a restart, and a broken file changes nothing", async () => {
  await write([hours]);
  const refusals: unknown[] = [];
  const contentRefused = (refusal: unknown): void => void refusals.push(refusal);
  backend = await open({ content: directory, contentRefused });
  const { ask } = await chat(backend.app);
  expect((await ask("opening hours"))[0].message).toBe("From nine.");

  await write([{ ...hours, answer: "From ten." }]);
  await vi.waitFor(
    async () => expect((await ask("opening hours"))[0].message).toBe("From ten."),
    40_000,
  );
  await write([{ ...hours, answer: "From eleven.", id: "one" }]);
  await vi.waitFor(() => expect(refusals).toHaveLength(1), 40_000);
  expect((await ask("opening hours"))[0].message).toBe("From ten.");
});

test("contents that another process writes to the database answer too", async () => {
  await write([hours]);
  const database = join(directory, "data", "backend.db");
  backend = await open({ content: directory, database });
  const { ask } = await chat(backend.app);
  expect(flagsOf(await ask("gift cards"))).toStrictEqual([["no-results"]]);

  const other = await openStorage(database);
  const document = { id: 2, title: "Gift cards", answer: "At the till." };
  const scope = { project: "*", language: "en" };
  await other.contents.upsert(scope, [{ id: 2, document, modified: null }]);
  await other.close();
  await vi.waitFor(
    async () => expect((await ask("gift cards"))[0].message).toBe("At the till."),
    40_000,
  );
});

test("forms call webhooks on the hosts that are named, and no others", async () => {
  const hook = await webhook();
  const fields = [{ name: "email", type: "email", question: "Where to?" }];
  const form = { name: "contact", fields, webhook: hook.url, finished: "Sent." };
  await write([{ id: 1, title: "Contact", answer: "Gladly.", form }]);
  try {
    backend = await open({ content: directory, webhooks: [new URL(hook.url).host] });
    const named = await chat(backend.app);
    await named.ask("contact");
    expect(await named.ask("ada@shop.example")).toMatchObject([{ message: "Sent.", flags: [] }]);
    await backend.close();

    const failures: unknown[] = [];
    const webhookFailed = (failure: unknown): void => void failures.push(failure);
    backend = await open({ content: directory, webhookFailed });
    const other = await chat(backend.app);
    await other.ask("contact");
    expect(flagsOf(await other.ask("ada@shop.example"))).toStrictEqual([["webhook-bad-request"]]);
    expect(failures).toMatchObject([{ form: "contact", content: 1, reason: "refused" }]);
    expect(hook.received).toHaveLength(1);
  } finally {
    await hook.close();
  }
});
