import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Bed, handOverBed, lineOf, signIn, until } from "../escalation/hand-over/bed.ts";
import { openBrowser } from "./chromium.ts";

let bed: Bed;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  bed = await handOverBed({ settings: { identity: { ask: [] }, chat: { poll: 100 } } });
  browser = await openBrowser();
  page = await browser.newPage();
});
afterAll(async () => {
  await browser?.close();
  await bed?.close();
});

async function ask(words: string): Promise<void> {
  await page.locator("#message").fill(words);
  await page.locator("#message").press("Enter");
  await page.locator("#log [aria-busy]").waitFor({ state: "detached" });
}

function said(): Promise<readonly string[]> {
  return page.locator(".reader .text").allInnerTexts();
}

describe("the chat page", () => {
  test("offers a person and shows what the agent says without being asked", async () => {
    const { chat } = bed.clients;
    const sam = chat.as(await signIn(chat));
    await page.goto(bed.url);
    await page.locator(".answer").first().waitFor();
    await ask("qwxz zzyx");
    await ask("vvkq jjxq plugh");
    expect((await said()).at(-1)).toBe(lineOf("en", "offer"));
    await page
      .getByRole("button", { name: lineOf("en", "yes"), exact: true })
      .last()
      .click();
    await until(async () => (await said()).includes(lineOf("en", "connecting")));
    const opened = await until(async () => {
      for await (const one of chat.chats({ status: "waiting" })) return one;
      return null;
    });
    await sam.accept(opened.id);
    await sam.send(opened.id, { message: "<img src=x onerror=alert(1)> Sam here" });
    await until(async () => (await said()).some((text) => text.includes("Sam here")));
    expect(await page.locator("#log img").count()).toBe(0);
    // The agent writes while the page is loaded again: nothing is lost, and nothing comes twice.
    const before = await said();
    const loaded = page.reload();
    await sam.send(opened.id, { message: "Are you still there?" });
    await loaded;
    await until(async () => (await said()).some((text) => text.includes("Are you still there?")));
    await ask("Yes, I am");
    await until(async () => {
      for await (const one of sam.messages(opened.id)) if (one.message === "Yes, I am") return true;
      return false;
    });
    expect(await said()).toEqual([...before, "Are you still there?"]);
    await sam.close(opened.id);
    await until(async () => (await said()).includes(lineOf("en", "closed")));
  });
});
