import { describe, expect, it } from "vitest";
import { picture } from "../chromium.ts";
import { logIn } from "./desk-house.ts";
import { log, message, useWork } from "./use-work.ts";

const { startChat, site, visit, openDesk } = useWork();

describe("an agent's status", () => {
  it("busy or away: nothing is offered any more, and what is open goes on", async () => {
    const { page, complaints } = await openDesk();
    const guest = await startChat(page);
    const status = page.getByRole("combobox", { name: "Status" });
    const free = async (): Promise<object> =>
      (await site.house.ask("GET", "agents/available?roomIds=1")).agents;
    await expect.poll(() => status.inputValue()).toBe("online");
    for (const one of ["Busy", "Away"]) {
      await status.selectOption(one);
      await expect.poll(free).toEqual({ 1: 0 });
      await guest.say(`${one}, and still there?`);
      await log(page).getByText(`${one}, and still there?`).waitFor();
    }
    await page.reload();
    await expect.poll(() => status.inputValue()).toBe("away");
    await status.selectOption("Online");
    await expect.poll(free).toEqual({ 1: 1 });
    // The app's server decides.
    await site.house.ask("PUT", "agents/demo-agent", { online: false });
    await page.reload();
    await expect.poll(() => status.inputValue()).toBe("offline");
    await status.selectOption("Busy");
    await expect
      .poll(async () => (await site.house.ask("GET", "agents/demo-agent")).agent)
      .toMatchObject({ online: true, status: "busy" });
    await site.house.ask("PUT", "agents/demo-agent", { status: "online" });
    expect(
      complaints.filter((one) => !one.includes("ERR_ABORTED") && !one.startsWith("failed:")),
    ).toEqual([]);
  });
});

describe("the whole desk", () => {
  it("takes a double click on Accept as one, and reports no conflict", async () => {
    const { page, complaints } = await openDesk();
    const guest = await site.house.guest({ name: "Ana" });
    await guest.assign();
    await page.getByRole("button", { name: "Accept: Ana" }).dblclick();
    await message(page).waitFor();
    await page.getByText("Sam has joined").waitFor();
    await expect.poll(() => page.locator(".row", { hasText: "Ana" }).count()).toBe(1);
    expect(await page.getByText("has changed in the meantime").count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it("is reached by keys while somebody writes, which a sheet lists", async () => {
    const { page, complaints } = await openDesk();
    await startChat(page, { name: "Ana" });
    await startChat(page, { name: "Bob" });
    const open = (): Promise<string> => page.locator("#chat-name").innerText();
    await expect.poll(open).toBe("Bob");
    await message(page).fill("half a sent");
    await page.keyboard.press("Alt+k");
    await expect.poll(open).toBe("Ana");
    // As fast as an agent can be: the search is clicked as soon as the chat appears.
    const searching = page.evaluate(async () => {
      const key = new KeyboardEvent("keydown", { code: "KeyS", altKey: true, bubbles: true });
      await new Promise<void>((resolve) => {
        const observer = new MutationObserver(() => {
          if (document.querySelector("#chat-name")?.textContent !== "Bob") return;
          observer.disconnect();
          document.dispatchEvent(key);
          resolve();
        });
        observer.observe(document.body, { subtree: true, childList: true, characterData: true });
      });
      // Work of the page after painting.
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      return document.activeElement?.id;
    });
    await page.keyboard.press("Alt+j");
    await expect.poll(open).toBe("Bob");
    expect(await searching).toBe("search");
    await expect.poll(() => message(page).inputValue()).toBe("half a sent");
    await page.keyboard.press("?");
    await expect.poll(() => page.locator("#search").inputValue()).toBe("?");
    await page.keyboard.press("Alt+m");
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("message");
    const sheet = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await log(page).focus();
    await page.keyboard.press("?");
    await sheet.getByText("Alt+J").waitFor();
    await picture(page, "desk-keys");
    await page.keyboard.press("Escape");
    await sheet.waitFor({ state: "detached" });
    expect(complaints).toEqual([]);
  });

  it("has a view of the team: which agent has how many chats, and who waits", async () => {
    const { page, complaints } = await openDesk();
    await startChat(page, { name: "Ana" });
    await site.house.agent("bea", { slots: 2, online: true });
    await site.house.guest({ name: "Carl" });
    await page.getByRole("button", { name: "Take: Carl" }).waitFor();
    await page.getByRole("button", { name: "Team" }).click();
    const sheet = page.getByRole("dialog", { name: "Team" });
    const lines = (): Promise<readonly string[]> => sheet.getByRole("listitem").allInnerTexts();
    await expect
      .poll(lines)
      .toEqual([
        "Sam Online · Chats: 1 of 3",
        "bea Online · Chats: 0 of 2",
        expect.stringContaining("Carl"),
      ]);
    await picture(page, "desk-team");
    await sheet.getByRole("link", { name: "Carl" }).click();
    await expect.poll(() => page.locator("#chat-name").innerText()).toBe("Carl");
    await sheet.waitFor({ state: "detached" });
    expect(complaints).toEqual([]);
  });
});

describe("alerts", () => {
  it("come by sound and by the system once both are wanted, after a reload too, and never before", async () => {
    const { page } = await visit({ permissions: ["notifications"] });
    await page.addInitScript(() => {
      const shown: string[] = [];
      Object.assign(globalThis, { shown });
      document.hasFocus = () => false;
      const play = (): void => void shown.push("sound");
      Object.assign(OscillatorNode.prototype, { start: () => undefined, stop: play });
      class Shown extends EventTarget {
        static permission = "granted";
        static requestPermission = (): Promise<string> => Promise.resolve("granted");
        constructor(_: string, { body }: { body: string }) {
          super();
          shown.push(body);
        }
      }
      Object.assign(globalThis, { Notification: Shown });
    });
    await page.reload();
    await logIn(page);
    const shown = (): Promise<string[]> => page.evaluate("globalThis.shown");
    const guest = await startChat(page, { name: "Ana" });
    await guest.say("Quiet");
    await log(page).getByText("Quiet").waitFor();
    expect(await shown()).toEqual([]);
    await page.getByRole("button", { name: "Alerts" }).click();
    await page.getByLabel("Play a sound").check();
    await expect.poll(shown).toEqual(["sound", "sound"]);
    await page.getByLabel("Show system notifications").check();
    await picture(page, "desk-alerts");
    await page.keyboard.press("Escape");
    await page.reload();
    await message(page).waitFor();
    await page.getByText("Connected").waitFor();
    await guest.say("Hello?");
    await log(page).getByText("Hello?").waitFor();
    await expect.poll(shown).toEqual(["sound", "sound", "New message from Ana: Hello?"]);
    const second = await site.house.guest({ name: "Bob" });
    await second.assign();
    await expect.poll(shown).toContain("Invitation: Bob would like to chat.");
  });
});
