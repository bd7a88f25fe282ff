import { beforeEach, describe, expect, it } from "vitest";
import { picture } from "../chromium.ts";
import { logIn } from "./desk-house.ts";
import { log, message, say, useWork } from "./use-work.ts";

/** Milliseconds by which the house's clock is put forward. */
let ahead = 0;
beforeEach(() => {
  ahead = 0;
});
const { startChat, site, openDesk } = useWork(() => ahead);

describe("the desk after a failure", () => {
  it("a reload keeps the chat, the draft and the login", async () => {
    const { page } = await openDesk();
    const guest = await startChat(page, { name: "Ana" });
    await guest.say("Hello");
    await message(page).fill("I was just about to");
    await page.reload();
    await log(page).getByText("Hello").waitFor();
    await expect.poll(() => message(page).inputValue()).toBe("I was just about to");
    expect(page.url()).toBe(`${site.house.url}/desk#chat/${guest.chat}`);
    await page.getByRole("heading", { name: "Ana" }).waitFor();
  });

  it("a reload keeps what was not sent, in sight, and sends it once, by itself", async () => {
    const { page } = await openDesk();
    const guest = await startChat(page, { name: "Ana" });
    for (let line = 0; line < 30; line++) await guest.say(`line ${line}`);
    await log(page).getByText("line 29").waitFor();
    await page.route("**/messages", (route) =>
      route.request().method() === "POST" ? route.abort() : route.continue(),
    );
    await say(page, "into the void");
    const again = log(page).getByRole("button", { name: "Send again" });
    await again.waitFor();
    await expect
      .poll(() =>
        again.evaluate((button) => {
          const frame = button.closest(".log")?.getBoundingClientRect();
          return button.getBoundingClientRect().bottom <= (frame?.bottom ?? 0);
        }),
      )
      .toBe(true);
    await page.unroute("**/messages");
    await page.reload();
    await log(page).getByText("into the void").waitFor();
    await again.waitFor({ state: "detached" });
    // The button disappears when the message is sent.
    const kept = async () => {
      const { messages } = await site.house.ask("GET", `chats/${guest.chat}/messages?length=200`);
      return messages.filter((one: { message: string }) => one.message === "into the void").length;
    };
    await expect.poll(kept).toBe(1);
    await page.reload();
    await log(page).getByText("into the void").waitFor();
    expect(await log(page).getByText("into the void").count()).toBe(1);
    expect(await kept()).toBe(1);
  });

  it("a log-out in one tab ends the others", async () => {
    const { page, context } = await openDesk();
    const other = await context.newPage();
    await logIn(await other.goto(`${site.house.url}/desk`).then(() => other));
    await page.getByRole("button", { name: "Log out" }).click();
    await other.getByLabel("Password").waitFor();
    await expect.poll(() => other.getByText("Connected").count()).toBe(0);
  });

  it("a reload keeps what was typed in the moment before it", async () => {
    const { page } = await openDesk();
    const guest = await startChat(page, { name: "Ana" });
    await guest.say("Hello");
    await log(page).getByText("Hello").waitFor();
    // At that moment, because no timer runs between the key and the reload.
    await page.evaluate("window.setTimeout = () => 0");
    await message(page).fill("I was just about to");
    await page.reload();
    await log(page).getByText("Hello").waitFor();
    await expect.poll(() => message(page).inputValue()).toBe("I was just about to");
  });

  it("a lost connection is shown and repaired, and nothing that happened meanwhile is missed", async () => {
    const { page } = await openDesk();
    const guest = await startChat(page, { name: "Ana" });
    await guest.say("before");
    await log(page).getByText("before").waitFor();
    await site.house.interrupt();
    await page.getByText("The connection is lost. Trying again…").waitFor();
    await say(page, "into the void");
    await log(page)
      .getByText("Not sent. The service can’t be reached. It is sent as soon")
      .waitFor();
    await page.getByLabel("Your note").fill("noted in vain");
    await page.getByRole("button", { name: "Add note" }).click();
    const problem = page.locator(".problems").getByText("The service can’t be reached.");
    await problem.waitFor();
    await picture(page, "desk-lost");
    await site.house.resume();
    await guest.say("meanwhile");
    const other = await site.house.guest({ name: "Bob" });
    await other.assign();
    // It also retries by itself, and then the button is gone.
    const tried = page.getByRole("button", { name: "Try now" }).click();
    await Promise.race([tried, page.getByText("Connected").waitFor()]);
    await page.getByText("Connected").waitFor();
    expect(await problem.count()).toBe(0);
    expect(await page.getByLabel("Your note").inputValue()).toBe("noted in vain");
    await log(page).getByText("meanwhile").waitFor();
    await page.getByRole("button", { name: "Accept: Bob" }).waitFor();
    // A failed message is sent automatically, after the user's messages meanwhile.
    const all = ["before", "meanwhile", "into the void"];
    await expect
      .poll(async () => {
        const { messages } = await site.house.ask("GET", `chats/${guest.chat}/messages`);
        return messages.map((one: { message: string }) => one.message);
      })
      .toEqual(all);
    await expect.poll(() => log(page).locator(".said .text").allTextContents()).toEqual(all);
    await expect.poll(() => log(page).getByText("Not sent.").count()).toBe(0);
  });

  it("an ended session asks for the login again, over a desk whose draft stays", async () => {
    const { page } = await openDesk();
    const guest = await startChat(page, { name: "Ana" });
    await message(page).fill("a long and careful answer");
    const { token } = await page.evaluate(() =>
      JSON.parse(sessionStorage.getItem("desk-session") ?? "{}"),
    );
    await site.house.askAs(token, "POST", "agents/logout", {});
    await message(page).press("Enter");
    const dialog = page.getByRole("dialog", { name: "Log in" });
    await dialog.getByText("Your session has ended.").waitFor();
    await picture(page, "desk-expired");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    expect(await dialog.isVisible()).toBe(true);
    expect(await dialog.getByLabel("Login", { exact: true }).inputValue()).toBe("demo-agent");
    await dialog.getByLabel("App ID").fill("demo-app");
    await dialog.getByLabel("Password").fill("demo-agent");
    await dialog.getByRole("button", { name: "Log in" }).click();
    await dialog.waitFor({ state: "detached" });
    await expect
      .poll(async () =>
        (await site.house.ask("GET", `chats/${guest.chat}/messages`)).messages.map(
          (one: { message: string }) => one.message,
        ),
      )
      .toEqual(["a long and careful answer"]);
    await log(page).getByText("a long and careful answer").waitFor();
  });

  it("sends what the ended session was about to send, though its refusal comes after the new login", async () => {
    const { page } = await openDesk();
    const guest = await startChat(page, { name: "Ana" });
    const released = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    await page.route("**/messages", async (route) => {
      if (route.request().method() === "POST") {
        held.resolve();
        await released.promise;
      }
      await route.continue();
    });
    await say(page, "on its way");
    await held.promise;
    const { token } = await page.evaluate(() =>
      JSON.parse(sessionStorage.getItem("desk-session") ?? "{}"),
    );
    await site.house.askAs(token, "POST", "agents/logout", {});
    const dialog = page.getByRole("dialog", { name: "Log in" });
    await dialog.getByLabel("App ID").fill("demo-app");
    await dialog.getByLabel("Password").fill("demo-agent");
    await dialog.getByRole("button", { name: "Log in" }).click();
    await dialog.waitFor({ state: "detached" });
    released.resolve();
    const kept = async () => {
      const { messages } = await site.house.ask("GET", `chats/${guest.chat}/messages`);
      return messages.map((one: { message: string }) => one.message);
    };
    await expect.poll(kept).toEqual(["on its way"]);
    expect(await log(page).getByText("on its way").count()).toBe(1);
  });

  it("a draft that was not sent yet survives an ended session too", async () => {
    await site.house.ask("PUT", "settings", { inactivity: 0 });
    const { page } = await openDesk();
    await startChat(page, { name: "Ana" });
    await message(page).fill("not yet");
    ahead = 13 * 3_600_000;
    await site.house.interrupt();
    await site.house.resume();
    const dialog = page.getByRole("dialog", { name: "Log in" });
    await dialog.waitFor();
    await dialog.getByLabel("Password").fill("demo-agent");
    await dialog.getByRole("button", { name: "Log in" }).click();
    await dialog.waitFor({ state: "detached" });
    await expect.poll(() => message(page).inputValue()).toBe("not yet");
  });

  it("a chat that is not there is said to be so", async () => {
    const { page } = await openDesk();
    await page.goto(`${site.house.url}/desk#chat/nothing`);
    await page.getByText("This chat doesn’t exist, or you don’t have access to it.").waitFor();
  });
});
