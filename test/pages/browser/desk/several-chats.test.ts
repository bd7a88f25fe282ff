import { beforeEach, describe, expect, it } from "vitest";
import { picture } from "../chromium.ts";
import { recordAnnouncements, log, message, rows, say, useWork } from "./use-work.ts";

/** Milliseconds by which the house's clock is put forward. */
let ahead = 0;
beforeEach(() => {
  ahead = 0;
});
const { startChat, site, openDesk } = useWork(() => ahead);

describe("several chats at once", () => {
  it("count what is unread, in the list and in the title, and lead to the next", async () => {
    const { page, complaints } = await openDesk();
    const ana = await startChat(page, { name: "Ana" });
    const bob = await startChat(page, { name: "Bob" });
    await page.getByRole("heading", { name: "Bob" }).waitFor();
    const readOut = await recordAnnouncements(page);
    await ana.say("one");
    await ana.say("two");
    await rows(page, "My chats").filter({ hasText: "Ana" }).getByText("2 unread").waitFor();
    await expect.poll(() => page.title()).toBe("(2) Bob – Desk");
    await expect.poll(readOut).toContain("New message from Ana: one");
    const icon = page.locator('link[rel="icon"]');
    await expect.poll(() => icon.getAttribute("href")).toContain("circle");
    await bob.say("here");
    await log(page).getByText("here").waitFor();
    await picture(page, "desk-unread");
    await message(page).fill("for Bob");
    await page.getByRole("link", { name: "Next unread chat" }).click();
    await log(page).getByText("two").waitFor();
    await page.getByRole("heading", { name: "Ana" }).waitFor();
    await expect.poll(() => page.title()).toBe("(2) Ana – Desk");
    await page.getByRole("link", { name: "Next unread chat" }).waitFor({ state: "detached" });
    const { messages } = await site.house.ask("GET", `chats/${ana.chat}/messages`);
    await expect.poll(async () => messages.length).toBe(2);
    await expect.poll(() => message(page).inputValue()).toBe("");
    await rows(page, "My chats").filter({ hasText: "Bob" }).click();
    await expect.poll(() => message(page).inputValue()).toBe("for Bob");
    await page.goBack();
    await page.getByRole("heading", { name: "Ana" }).waitFor();
    expect(complaints).toEqual([]);
  });

  it("are found by name, by what was said, and by room; an invitation is never hidden", async () => {
    await site.house.ask("POST", "rooms", { id: "2", name: "Returns" });
    await site.house.ask("PUT", "agents/demo-agent", { rooms: ["1", "2"], slots: 9 });
    const { page } = await openDesk();
    const ana = await startChat(page, { name: "Ana" });
    await ana.say("Where is my parcel?");
    await startChat(page, { name: "Bob" }, { room: "2" });
    const invited = await site.house.guest({ name: "Cleo" });
    await invited.assign();
    await page.getByRole("button", { name: "Accept: Cleo" }).waitFor();
    const mine = rows(page, "My chats");
    const search = page.getByRole("searchbox", { name: "Search chats and tickets" });
    const listed = (list: typeof mine) => (): Promise<readonly string[]> =>
      list.locator("strong").allInnerTexts();
    await expect.poll(listed(mine)).toEqual(["Ana", "Bob"]);
    const names = listed(rows(page, "Chats"));
    await search.fill("where PARCEL");
    await expect.poll(names).toEqual(["Ana"]);
    await search.fill("bo");
    await expect.poll(names).toEqual(["Bob"]);
    await search.fill("nobody");
    await page.getByRole("region", { name: "Chats" }).getByText("Nothing found.").waitFor();
    expect(await page.getByRole("button", { name: "Accept: Cleo" }).count()).toBe(1);
    await search.fill("");
    await page.getByRole("combobox", { name: "Rooms" }).selectOption("Returns");
    await expect.poll(names).toEqual(["Bob"]);
  });

  it("does not count as read what nobody looks at: far up in the log", async () => {
    const { page } = await openDesk();
    const ana = await startChat(page, { name: "Ana" });
    for (let line = 0; line < 40; line++) await ana.say(`line ${line}`);
    await log(page).getByText("line 39").waitFor();
    await log(page).evaluate((element) => element.scrollTo(0, 0));
    await page.getByRole("button", { name: "To the newest message" }).waitFor();
    const last = await ana.say("unseen");
    await rows(page, "My chats").getByText("1 unread").waitFor();
    await page.getByRole("button", { name: "New messages" }).click();
    await expect
      .poll(async () => {
        const { messages } = await site.house.ask("GET", `chats/${ana.chat}/messages?length=200`);
        return messages.find((one: { id: string }) => one.id === last).read;
      })
      .toEqual(["demo-agent"]);
  });

  it("put those whose users wait on top, count them in the title, and show whose words are last", async () => {
    const { page, complaints } = await openDesk();
    const ana = await startChat(page, { name: "Ana" });
    const bo = await startChat(page, { name: "Bo" });
    await bo.say("Do you ship to Fiji?");
    ahead += 5000;
    await ana.say("Where is my parcel?");
    const mine = rows(page, "My chats");
    const order = (): Promise<string[]> => mine.locator("strong").allTextContents();
    await expect.poll(order).toEqual(["Bo", "Ana"]);
    await mine.filter({ hasText: "Ana" }).click();
    await log(page).getByText("Where is my parcel?").waitFor();
    await mine.filter({ hasText: "Bo" }).click();
    await log(page).getByText("Do you ship to Fiji?").waitFor();
    // Both are read, and neither is answered.
    await expect.poll(() => page.title()).toMatch(/^\(2\)/);
    await say(page, "Yes, by sea.");
    await mine.filter({ hasText: "You: Yes, by sea." }).waitFor();
    await expect.poll(order).toEqual(["Ana", "Bo"]);
    await expect.poll(() => page.title()).toMatch(/^\(1\)/);
    expect(await mine.locator('time[title="Waiting"]').count()).toBe(1);
    expect(complaints).toEqual([]);
  });
});
