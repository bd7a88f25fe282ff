import { beforeEach, describe, expect, it } from "vitest";
import { picture } from "../chromium.ts";
import { recordAnnouncements, log, message, rows, say, useWork } from "./use-work.ts";

/** Milliseconds by which the house's clock is put forward. */
let ahead = 0;
beforeEach(() => {
  ahead = 0;
});
const { startChat, site, openDesk } = useWork(() => ahead);

describe("invitations", () => {
  it("show who asks; accepting opens the chat with what was said before, and the cursor in the field", async () => {
    const { page, complaints } = await openDesk();
    const history = [
      { sender: "user", message: "Where is <b>my</b> order?", created: 1_763_710_000 },
      { sender: "assistant", message: "<p>I can't find it. A person?</p>", created: 1_763_710_005 },
      { sender: "user", message: "Yes", created: 1_763_710_015 },
    ];
    const guest = await site.house.guest({ name: "Ana García" }, { lang: "es", history });
    await guest.say("Hello?");
    const readOut = await recordAnnouncements(page);
    await guest.assign();
    const card = page.locator(".invitation");
    await card.getByText("You’ve been asked to take this chat.").waitFor();
    await card.getByText(/\b(?:30|[12]?\d) s left/).waitFor();
    await expect.poll(() => page.title()).toBe("(1) Desk");
    await expect.poll(readOut).toEqual(["Invitation: Ana García would like to chat."]);
    await picture(page, "desk-invitation");
    await page.getByRole("button", { name: "Accept: Ana García" }).click();
    await message(page).waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("message");
    const lines = log(page).locator(".imported");
    await expect
      .poll(() => lines.locator(".text").allTextContents())
      .toEqual(history.map((line) => line.message));
    await expect
      .poll(() => lines.locator(".who [dir]").allTextContents())
      .toEqual(["Ana García", "Assistant", "Ana García"]);
    await expect
      .poll(() => log(page).locator(".rule").allTextContents())
      .toEqual(["Before this chat", "The chat begins"]);
    await log(page).getByText("Hello?").waitFor();
    await expect
      .poll(() => page.locator(".chat-title p").textContent())
      .toBe("Demo room · Spanish");
    const { chat } = await site.house.ask("GET", `chats/${guest.chat}`);
    expect([chat.status, chat.agent, chat.invitation]).toEqual(["active", "demo-agent", null]);
    expect(complaints).toEqual([]);
  });

  it("show how to accept, however long the question is", async () => {
    const { page } = await openDesk({ viewport: { width: 1280, height: 700 } });
    const guest = await site.house.guest({ name: "Ana" }, { question: "a long story ".repeat(30) });
    await guest.assign();
    const accept = page.getByRole("button", { name: "Accept: Ana" });
    await accept.waitFor();
    const list = await page.locator(".invitations").boundingBox();
    const button = await accept.boundingBox();
    expect((button?.y ?? 0) + (button?.height ?? 0)).toBeLessThanOrEqual(
      (list?.y ?? 0) + (list?.height ?? 0),
    );
  });

  it("go to somebody else when rejected, and away by themselves when time is over", async () => {
    const bea = await site.house.agent("bea", { online: true, slots: 1 });
    const { page } = await openDesk();
    const guest = await site.house.guest({ name: "Ana" });
    await guest.assign();
    await page.getByRole("button", { name: "Reject: Ana" }).click();
    await page.getByText("Somebody is being asked").waitFor();
    expect((await site.house.ask("GET", `chats/${guest.chat}`)).chat.invitation.userId).toBe(bea);
    const other = await site.house.guest({ name: "Bob" });
    await other.assign();
    await page.getByRole("button", { name: "Accept: Bob" }).waitFor();
    ahead = 31_000;
    await page.getByRole("button", { name: "Accept: Bob" }).waitFor({ state: "detached" });
    await rows(page, "Waiting").getByText("Bob").waitFor();
  });

  it("stand there after a reload too", async () => {
    const { page } = await openDesk();
    const guest = await site.house.guest({ name: "Ana" });
    await guest.assign();
    await page.getByRole("button", { name: "Accept: Ana" }).waitFor();
    await page.reload();
    await page.getByRole("button", { name: "Accept: Ana" }).waitFor();
  });
});

describe("the queue", () => {
  it("shows who waits at which place, lets one read before taking, and take", async () => {
    await site.house.ask("PUT", "settings", { queue: { active: true } });
    const { page, complaints } = await openDesk();
    await page.getByRole("combobox", { name: "Status" }).selectOption("Away");
    await expect
      .poll(async () => (await site.house.ask("GET", "agents/demo-agent")).agent.status)
      .toBe("away");
    const first = await site.house.guest({ name: "Ana" });
    await first.say("I am first");
    ahead = 2_000;
    // The user's question to the bot says more than that it is unanswered.
    const question = "Where is my lamp?";
    const second = await site.house.guest({ name: "Bob" }, { question });
    const waiting = rows(page, "Waiting");
    await waiting.nth(1).waitFor();
    await expect
      .poll(() => waiting.locator(".preview").allTextContents())
      .toEqual(["Place 1 in the queue · Demo room", question, "Place 2 in the queue · Demo room"]);
    await waiting.getByText("Ana").click();
    await log(page).getByText("I am first").waitFor();
    expect(await message(page).count()).toBe(0);
    expect((await site.house.ask("GET", `chats/${first.chat}/messages`)).messages[0].read).toEqual(
      [],
    );
    await page.getByRole("button", { name: "Take: Bob" }).click();
    await message(page).waitFor();
    expect((await site.house.ask("GET", `chats/${second.chat}`)).chat.agent).toBe("demo-agent");
    await picture(page, "desk-queue");
    expect(complaints).toEqual([]);
  });

  it("shows how many slots are taken, and offers nothing that no slot is free for", async () => {
    await site.house.ask("PUT", "agents/demo-agent", { slots: 1 });
    const { page } = await openDesk();
    await page.getByText("Chats: 0 of 1").waitFor();
    await startChat(page, { name: "Ana" });
    await site.house.agent("bea", { online: true });
    await page.getByText("Chats: 1 of 1").waitFor();
    await site.house.guest({ name: "Bob" });
    const take = page.getByRole("button", { name: "Take: Bob" });
    await take.waitFor();
    await expect.poll(() => take.isEnabled()).toBe(false);
    const reason = page.locator(`#${(await take.getAttribute("aria-describedby")) ?? ""}`);
    expect(await reason.innerText()).toBe(
      "All your slots are taken. Close a chat or hand one over first.",
    );
  });

  it("lets one join a colleague’s chat, whose words look like a colleague’s, with links", async () => {
    const bea = await site.house.agent("bea", { online: true });
    const { page } = await openDesk();
    const guest = await site.house.guest({ name: "Ana" });
    await site.house.ask("POST", `chats/${guest.chat}/join`, { userId: bea });
    const message = "See https://shop.example/a?b=1, or <b>ask</b>.";
    await site.house.ask("POST", `chats/${guest.chat}/messages`, { sender: bea, message });
    await page.goto(`${site.house.url}/desk#chat/${guest.chat}`);
    await page.getByText("bea answers in this chat.").waitFor();
    await page.getByRole("button", { name: "Join" }).click();
    const line = log(page).locator(".said.colleague");
    await line.waitFor();
    expect(await line.locator(".text").textContent()).toBe(message);
    const link = line.getByRole("link");
    expect([await link.getAttribute("href"), await link.getAttribute("rel")]).toEqual([
      "https://shop.example/a?b=1",
      "noopener noreferrer",
    ]);
  });

  it("lists a chat whose agent does not answer among those who wait, and lets one join it", async () => {
    await site.house.ask("PUT", "settings", { inactivity: 60 });
    const bea = await site.house.agent("bea", { online: true });
    const { page, complaints } = await openDesk();
    const guest = await site.house.guest({ name: "Ana" });
    await site.house.ask("POST", `chats/${guest.chat}/join`, { userId: bea });
    await guest.say("Is anybody there?");
    await page.getByText("Nobody is waiting.").waitFor();
    const join = page.getByRole("button", { name: "Join: Ana" });
    expect(await join.count()).toBe(0);
    ahead = 61_000;
    await join.waitFor();
    await expect
      .poll(() => rows(page, "Waiting").locator(".preview").allTextContents())
      .toEqual([expect.stringMatching(/^bea: .+ · Demo room$/u)]);
    await join.click();
    await message(page).waitFor();
    await log(page).getByText("Is anybody there?").waitFor();
    await say(page, "Yes, I am.");
    await page.getByText("Nobody is waiting.").waitFor();
    await expect
      .poll(async () => {
        const { chat } = await site.house.ask("GET", `chats/${guest.chat}`);
        return [chat.agent, chat.unanswered];
      })
      .toEqual([bea, undefined]);
    expect(complaints).toEqual([]);
  });

  it("explains why a chat cannot be taken when another agent was faster", async () => {
    const bea = await site.house.agent("bea", { online: true });
    const { page } = await openDesk();
    const guest = await site.house.guest({ name: "Ana" });
    const take = page.getByRole("button", { name: "Take: Ana" });
    await take.waitFor();
    await page.route("**/join", async (route) => {
      await site.house.ask("POST", "invitations", { chatId: guest.chat, userId: bea });
      await route.continue();
    });
    await take.click();
    await page.getByText("The chat has changed in the meantime.").waitFor();
    await page.getByRole("button", { name: "Dismiss" }).click();
    await page.getByText("The chat has changed in the meantime.").waitFor({ state: "detached" });
  });
});
