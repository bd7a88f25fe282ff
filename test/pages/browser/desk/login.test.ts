import { beforeEach, describe, expect, it } from "vitest";
import { picture } from "../chromium.ts";
import { logIn } from "./desk-house.ts";
import { log, message, rows, useWork } from "./use-work.ts";

/** Milliseconds by which the house's clock is put forward. */
let ahead = 0;
beforeEach(() => {
  ahead = 0;
});
const { startChat, site, visit, openDesk } = useWork(() => ahead);

describe("logging in at the desk", () => {
  it("takes the demo app from the page, puts the agent online, and complains about nothing", async () => {
    const { page, complaints } = await visit();
    await expect.poll(() => page.getByLabel("App ID").inputValue()).toBe("demo-app");
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("login-login");
    await picture(page, "desk-login");
    await logIn(page);
    const { agent } = await site.house.ask("GET", "agents/demo-agent");
    expect(agent.online).toBe(true);
    await page.getByText("You aren’t in any chats.").waitFor();
    await page.getByText("Nobody is waiting.").waitFor();
    expect(complaints).toEqual([]);
  });

  it("takes the app of the address before the demo app, and names no demo agent then", async () => {
    const { page } = await visit();
    const app = page.getByLabel("App ID");
    await page.goto(`${site.house.url}/desk?app=shop`);
    await expect.poll(() => app.inputValue()).toBe("shop");
    expect(await page.getByText("demo-agent").count()).toBe(0);
  });

  it("has the focus as it appears, so that nothing typed at once is split between its fields", async () => {
    const { page } = await visit();
    await page.addInitScript(() => {
      const observer = new MutationObserver(() => {
        if (document.querySelector("#login-login") === null) return;
        observer.disconnect();
        Object.assign(globalThis, { focused: document.activeElement?.id });
      });
      observer.observe(document, { subtree: true, childList: true });
    });
    await page.reload();
    await page.locator("#login-login").waitFor();
    expect(await page.evaluate("globalThis.focused")).toBe("login-login");
  });

  it("says in words that the password is wrong, the app unknown, and the login locked", async () => {
    const { page } = await visit();
    const problem = page.locator("#login-problem");
    const tryWith = async (app: string, password: string): Promise<void> => {
      await page.getByLabel("App ID").fill(app);
      await page.getByLabel("Login", { exact: true }).fill("demo-agent");
      await page.getByLabel("Password").fill(password);
      await page.getByRole("button", { name: "Log in" }).click();
    };
    await tryWith("demo-app", "wrong");
    await problem.getByText("The login or the password is wrong.").waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("login-password");
    await tryWith("nobody", "wrong");
    await problem.getByText("There is no app with this ID here.").waitFor();
    for (let wrong = 0; wrong < 10; wrong++) {
      const body = { login: "demo-agent", password: "wrong" };
      await site.house.ask("POST", "agents/login", body).catch(() => undefined);
    }
    await tryWith("demo-app", "demo-agent");
    await problem.getByText("Too many wrong passwords.").waitFor();
    await site.house.interrupt();
    await tryWith("demo-app", "demo-agent");
    await problem.getByText("The service can’t be reached.").waitFor();
    await site.house.resume();
    ahead = 61_000;
    await page.getByRole("button", { name: "Log in" }).click();
    await page.getByText("Connected").waitFor();
  });

  it("keeps the token in this tab alone, and in no address", async () => {
    const { page, context } = await visit();
    const addresses: string[] = [];
    page.on("request", (request) => addresses.push(request.url()));
    await logIn(page);
    const guest = await startChat(page);
    await guest.say("Hello");
    await log(page).getByText("Hello").waitFor();
    const kept = await page.evaluate(() => ({
      session: JSON.stringify(Object.entries(sessionStorage)),
      local: Object.keys(localStorage),
    }));
    const token = /\\"token\\":\\"([^\\"]+)/.exec(kept.session)?.[1] ?? "";
    expect(token.length).toBeGreaterThan(20);
    expect([kept.local, await context.cookies()]).toEqual([["desk-alerts"], []]);
    expect(
      addresses.filter((url) => url.includes(token) || /demo-agent.*password/.test(url)),
    ).toEqual([]);
    expect(addresses.some((url) => url.endsWith("/v1/events"))).toBe(true);
  });

  it("ends with the log-out: the token is dead, the agent offline, and nothing is left in the tab", async () => {
    const { page, complaints } = await openDesk();
    await startChat(page, { name: "Ana" });
    await message(page).fill("a draft");
    const token = await page.evaluate(
      () => JSON.parse(sessionStorage.getItem("desk-session") ?? "{}").token,
    );
    await page.getByRole("button", { name: "Log out" }).click();
    await page.getByRole("button", { name: "Log out anyway" }).click();
    await page.getByLabel("Password").waitFor();
    // The title names the current view.
    await expect
      .poll(() => page.evaluate(() => [sessionStorage.length, document.title]))
      .toEqual([0, "Desk"]);
    await expect
      .poll(async () => (await site.house.ask("GET", "agents/demo-agent")).agent.online)
      .toBe(false);
    await expect(site.house.askAs(token, "GET", "chats")).rejects.toThrow("401");
    await expect.poll(() => page.getByText("Ana").count()).toBe(0);
    await page.reload();
    await page.getByLabel("Password").waitFor();
    expect(
      complaints.filter(
        (one) => !/ERR_ABORTED|failed: .*\/(?:events|messages\/|users\/|chats\/)/.test(one),
      ),
    ).toEqual([]);
  });

  it("a question that is asked again at once stays open", async () => {
    const { page } = await openDesk();
    await startChat(page, { name: "Ana" });
    await page.getByRole("button", { name: "Log out", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Log out" });
    await dialog.getByRole("button", { name: "Stay" }).waitFor();
    await page.evaluate(async () => {
      const click = (text: string): void => {
        const buttons = [...document.querySelectorAll("button")];
        buttons.find(({ textContent }) => textContent?.trim() === text)?.click();
      };
      click("Stay");
      while (document.querySelector("dialog") !== null) await Promise.resolve();
      click("Log out");
      // Past the event of the dialog that was closed.
      await new Promise((resolve) => setTimeout(resolve, 100));
    });
    expect(await dialog.count()).toBe(1);
  });

  it("asks before a log-out with open chats: one may stay, or hand them over first", async () => {
    const { page } = await openDesk();
    const guests = [
      await startChat(page, { name: "Ana" }),
      await startChat(page, { name: "Bob" }),
    ] as const;
    const bea = await site.house.agent("bea", { name: "Bea", online: true, slots: 5 });
    const out = page.getByRole("button", { name: "Log out", exact: true });
    const dialog = page.getByRole("dialog", { name: "Log out" });
    await out.click();
    await dialog.getByText("Open chats: 2").waitFor();
    await picture(page, "desk-logout");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await expect.poll(() => out.evaluate((one) => one === document.activeElement)).toBe(true);
    // If the bar has a menu, the focus returns to its button.
    await page.setViewportSize({ width: 390, height: 844 });
    await page.locator(".chat-head .back").click();
    const more = page.locator(".bar-more");
    await more.click();
    await out.click();
    await dialog.getByRole("button", { name: "Stay" }).click();
    await dialog.waitFor({ state: "detached" });
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.className))
      .toBe("bar-more");
    await page.setViewportSize({ width: 1400, height: 850 });
    // The agent must stay for a chat that no other agent takes over.
    const { chat } = guests[1];
    await page.route(`**/${chat}/toinbox`, (route) => route.fulfill({ status: 500, json: {} }));
    await out.click();
    await dialog.getByRole("button", { name: "Hand them over" }).click();
    await page.locator(".problem", { hasText: /\S/ }).first().waitFor();
    await dialog.waitFor({ state: "detached" });
    await expect.poll(() => rows(page, "My chats").count()).toBe(1);
    expect((await site.house.ask("GET", "agents/demo-agent")).agent.online).toBe(true);
    await page.unroute(`**/${chat}/toinbox`);
    await out.click();
    await dialog.getByText("Open chats: 1").waitFor();
    await dialog.getByRole("button", { name: "Hand them over" }).click();
    await page.getByLabel("Password").waitFor();
    for (const guest of guests) {
      const found = (await site.house.ask("GET", `chats/${guest.chat}`)).chat;
      expect([found.closed, found.agent, found.invitation?.userId]).toEqual([false, null, bea]);
    }
    // The previous question is not asked again after the next login.
    await logIn(page);
    expect(await dialog.count()).toBe(0);
  });

  it("can be repeated by another agent in the same tab, who sees nothing of the one before", async () => {
    await site.house.agent("bea");
    const { page } = await openDesk();
    const guest = await startChat(page, { name: "Ana" });
    await message(page).fill("not for Bea");
    await page.getByRole("button", { name: "Log out" }).click();
    await page.getByRole("button", { name: "Log out anyway" }).click();
    await logIn(page, "bea", "a long password");
    await page.goto(`${site.house.url}/desk#chat/${guest.chat}`);
    await page.getByText("Sam answers in this chat.").waitFor();
    await expect.poll(() => page.getByText("not for Bea").count()).toBe(0);
  });
});
