import { describe, expect, it } from "vitest";
import { picture } from "../chromium.ts";
import { recordAnnouncements, log, message, rows, say, useWork } from "./use-work.ts";

const { startChat, site, openDesk } = useWork();

describe("a chat", () => {
  it("is closed once the agent confirms, can still be read, and is in the list of closed chats", async () => {
    const { page, complaints } = await openDesk();
    const guest = await startChat(page, { name: "Ana" });
    await say(page, "Bye");
    await log(page).getByText("Bye").waitFor();
    const close = page.getByRole("button", { name: "Close chat" });
    await close.click();
    const dialog = page.getByRole("dialog", { name: "Close the chat with Ana?" });
    await dialog.waitFor();
    await picture(page, "desk-close");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.textContent))
      .toBe("Close chat");
    expect((await site.house.ask("GET", `chats/${guest.chat}`)).chat.closed).toBe(false);
    await close.click();
    await dialog.getByRole("button", { name: "Close chat" }).click();
    await page.getByText("This chat is closed.").waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("chat-name");
    await log(page).getByText("Sam has closed the chat").waitFor();
    const { history } = await site.house.ask("GET", `chats/${guest.chat}/history`);
    expect(history.at(-1)).toMatchObject({
      trigger: "chats:close",
      data: { userId: "demo-agent" },
    });
    await expect.poll(() => rows(page, "My chats").count()).toBe(0);
    await page.getByRole("button", { name: "Closed", exact: true }).click();
    await rows(page, "Closed").getByText("Ana").waitFor();
    expect(await page.getByLabel("Your message").count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it("is found again after a reload, as are the closed chats of the agent's rooms, page by page", async () => {
    const { page, complaints } = await openDesk();
    const guest = await startChat(page, { name: "Ana" });
    await guest.say("Where is my parcel?");
    await site.house.ask("DELETE", `chats/${guest.chat}`, {
      userId: "demo-agent",
      reason: "solved",
    });
    for (let index = 0; index < 31; index++) {
      const other = await site.house.guest({ name: `Guest ${index}` });
      await site.house.ask("DELETE", `chats/${other.chat}`);
    }
    await page.goto(`${site.house.url}/desk`);
    const closed = rows(page, "Closed");
    await page.getByRole("button", { name: "Closed", exact: true }).click();
    await expect.poll(() => closed.count()).toBe(30);
    await closed.first().getByText("Guest 30").waitFor();
    await page
      .getByRole("region", { name: "Closed" })
      .getByRole("button", { name: "More" })
      .click();
    await expect.poll(() => closed.count()).toBe(32);
    await closed.filter({ hasText: "Ana" }).click();
    await log(page).getByText("Where is my parcel?").waitFor();
    expect(await page.getByLabel("Your message").count()).toBe(0);
    expect(await closed.filter({ hasText: "Ana" }).innerText()).toContain("Solved");
    expect(complaints).toEqual([]);
  });

  it("is closed with a reason, and is among the user's other chats next time", async () => {
    const { page, complaints } = await openDesk();
    const guest = await startChat(page, { name: "Ana" });
    await guest.say("Where is my parcel?");
    await page.getByRole("button", { name: "Close chat" }).click();
    const dialog = page.getByRole("dialog", { name: "Close the chat with Ana?" });
    await dialog.getByLabel("Reason").selectOption("Solved");
    await dialog.getByRole("button", { name: "Close chat" }).click();
    await page.getByText("This chat is closed. Solved").waitFor();
    expect((await site.house.ask("GET", `chats/${guest.chat}`)).chat.closeReason).toBe("solved");
    const { chat } = await site.house.ask("POST", "chats", { room: "1", creator: guest.id });
    await site.house.ask("POST", `chats/${chat.id}/join`, { userId: "demo-agent" });
    await rows(page, "My chats").click();
    const others = page.getByRole("region", { name: "Other chats of this user" });
    await others.getByText("Demo room · Solved").waitFor();
    await picture(page, "desk-others");
    await others.getByRole("link").click();
    await log(page).getByText("Where is my parcel?").waitFor();
    await page.getByText("This chat is closed. Solved").waitFor();
    expect(complaints).toEqual([]);
  });

  it("announces that the user has closed it", async () => {
    const { page } = await openDesk();
    const guest = await startChat(page, { name: "Ana" });
    await message(page).fill("half a sentence");
    const readAnnouncements = await recordAnnouncements(page);
    await site.house.ask("DELETE", `chats/${guest.chat}`, { userId: guest.id });
    await page.getByText("This chat is closed.").waitFor();
    await log(page).getByText("Ana has closed the chat").waitFor();
    await expect.poll(readAnnouncements).toEqual(["The chat with Ana is closed."]);
  });
});
