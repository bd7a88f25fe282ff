import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Bed, handOverBed, lineOf, signIn, until } from "../../../escalation/hand-over/bed.ts";
import { openBrowser, picture } from "../chromium.ts";
import { logIn } from "../desk/desk-house.ts";

let bed: Bed;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  bed = await handOverBed({ settings: { identity: { ask: [] }, chat: { poll: 100 } } });
  browser = await openBrowser();
  page = await browser.newPage();
});
afterAll(async () => {
  await page?.close();
  await bed?.close();
});

async function ask(words: string): Promise<void> {
  await page.locator("#message").fill(words);
  await page.locator("#message").press("Enter");
  await page.locator("#log [aria-busy]").waitFor({ state: "detached" });
}

function readTexts(): Promise<readonly string[]> {
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
    await expect.poll(async () => (await readTexts()).at(-1)).toBe(lineOf("en", "offer"));
    await page
      .getByRole("button", { name: lineOf("en", "yes"), exact: true })
      .last()
      .click();
    await until(async () => (await readTexts()).includes(lineOf("en", "connecting")));
    const opened = await until(async () => {
      for await (const one of chat.chats({ status: "waiting" })) return one;
      return null;
    });
    await sam.accept(opened.id);
    await sam.send(opened.id, { message: "<img src=x onerror=alert(1)> Sam here" });
    await until(async () => (await readTexts()).some((text) => text.includes("Sam here")));
    expect(await page.locator("#log img").count()).toBe(0);
    // The agent writes while the page is loaded again: nothing is lost or shown twice.
    const before = await readTexts();
    const kept = await page.evaluate(() => sessionStorage.getItem("afterword.conversation") ?? "");
    const [, last] = /"last":"(\d+)"/.exec(kept) ?? [];
    const listened = page.waitForRequest(
      (one) => one.method() === "GET" && one.url().endsWith("/events"),
    );
    const loaded = page.reload();
    await sam.send(opened.id, { message: "Are you still there?" });
    await loaded;
    // It continues after its last event, whatever was on its way to the page before.
    const behind = Number((await listened).headers()["last-event-id"]);
    expect(behind).toBeGreaterThanOrEqual(Number(last));
    await until(async () =>
      (await readTexts()).some((text) => text.includes("Are you still there?")),
    );
    await ask("Yes, I am");
    await until(async () => {
      for await (const one of sam.messages(opened.id)) if (one.message === "Yes, I am") return true;
      return false;
    });
    await expect.poll(readTexts).toEqual([...before, "Are you still there?"]);
    await sam.close(opened.id);
    await until(async () => (await readTexts()).includes(lineOf("en", "closed")));
  });

  test("shows reader and agent each other's typing, names and read marks", async () => {
    const context = await browser.newContext();
    const desk = await context.newPage();
    await desk.goto(`${bed.url}/desk`);
    await logIn(desk);
    const reader = await context.newPage();
    await reader.goto(bed.url);
    await reader.locator(".answer").first().waitFor();
    const type = async (words: string): Promise<void> => {
      await reader.locator("#message").fill(words);
      await reader.locator("#message").press("Enter");
      await reader.locator("#log [aria-busy]").waitFor({ state: "detached" });
    };
    await type("qwxz zzyx");
    await type("vvkq jjxq plugh");
    const yes = reader.getByRole("button", { name: lineOf("en", "yes"), exact: true }).last();
    await yes.click();
    await desk.getByRole("button", { name: /^Accept/ }).click();
    await desk.locator("#message").pressSequentially("Hel");
    const typing = reader.locator("#typing");
    await typing.getByText("Sam is writing…").waitFor();
    await desk.bringToFront();
    await desk.locator("#message").press("Enter");
    await typing.getByText("Sam is writing…").waitFor({ state: "detached" });
    const answer = reader.locator(".answer").last();
    await answer.getByText("Hel", { exact: true }).waitFor();
    await expect.poll(() => answer.locator(".who").textContent()).toBe("Sam");
    await reader.bringToFront();
    await expect.poll(() => desk.locator(".own .mark").textContent()).toBe("Read");
    await reader.locator("#message").pressSequentially("you ");
    await desk
      .locator(".writing")
      .getByText(/is writing…$/)
      .waitFor();
    await reader.locator("#message").press("Enter");
    await desk.bringToFront();
    await desk.locator(".log").getByText("you", { exact: true }).waitFor();
    await reader.locator(".read-mark").getByText("Read").waitFor({ state: "attached" });
    await reader.bringToFront();
    await type("and on");
    await reader.route("**/conversation/message", (route) => route.abort());
    await type("lost on the way");
    await reader.locator("#log .notice").waitFor();
    await picture(reader, "chat-signs");
    await reader.reload();
    const mark = reader.locator(".read-mark");
    await mark.waitFor({ state: "attached" });
    // What was not sent has not been read.
    expect(await mark.evaluate((one) => one.previousElementSibling?.textContent)).toBe("and on");
    await expect
      .poll(() => reader.evaluate(() => document.body.scrollHeight - innerHeight - scrollY))
      .toBeLessThan(1);
    await desk.bringToFront();
    await reader.close();
    await desk
      .locator(".chat > .notice")
      .getByText(/has left the page$/)
      .waitFor();
    await picture(desk, "desk-signs");
    await context.close();
  });
});
