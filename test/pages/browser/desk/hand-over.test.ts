import { describe, expect, it } from "vitest";
import { picture } from "../chromium.ts";
import { logIn } from "./desk-house.ts";
import { log, message, rows, say, useWork } from "./use-work.ts";

const { startChat, site, visit, openDesk } = useWork();

describe("a chat", () => {
  it("is handed over with the note and the current question in the invitation", async () => {
    const { page } = await openDesk();
    const bea = await site.house.agent("bea");
    const guest = await site.house.guest({ name: "Ana" }, { question: "Do you sell elephants?" });
    await site.house.ask("POST", `chats/${guest.chat}/join`, { userId: bea });
    await guest.say("Where is my parcel?");
    const login = { login: "bea", password: "a long password" };
    const { session } = await site.house.ask("POST", "agents/login", login);
    const note = { text: "Knows French; parcel lost" };
    await site.house.askAs(session.token, "POST", `chats/${guest.chat}/notes`, note);
    const to = { userId: "demo-agent" };
    await site.house.askAs(session.token, "POST", `chats/${guest.chat}/transfer`, to);
    const invitation = page.locator(".invitation");
    await invitation.getByText("Knows French; parcel lost").waitFor();
    await invitation.getByText("Where is my parcel?").waitFor();
    expect(await invitation.getByText("elephants").count()).toBe(0);
  });

  it("is left open by leaving it, and given back to whoever comes next", async () => {
    const { page } = await openDesk();
    const guest = await startChat(page, { name: "Ana" });
    await page.getByRole("button", { name: "More" }).click();
    await picture(page, "desk-menu");
    await page.getByRole("button", { name: /^Leave/ }).click();
    await rows(page, "Waiting").getByText("Ana").waitFor();
    expect((await site.house.ask("GET", `chats/${guest.chat}`)).chat).toMatchObject({
      agent: null,
      closed: false,
    });
    await page.getByRole("button", { name: "Take: Ana" }).click();
    await message(page).waitFor();
    const bea = await site.house.agent("bea", { online: true });
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("button", { name: /^Give back/ }).click();
    await page.getByText("Choose a chat").waitFor();
    await expect
      .poll(
        async () => (await site.house.ask("GET", `chats/${guest.chat}`)).chat.invitation?.userId,
      )
      .toBe(bea);
  });

  it("is taken and closed by an agent who clicks before the last click is answered", async () => {
    const { page } = await openDesk();
    const { chat } = await startChat(page, { name: "Ana" });
    const held: (() => Promise<void>)[] = [];
    await page.route(/\/(?:leave|join)$/, async (route) => {
      const response = await route.fetch();
      held.push(() => route.fulfill({ response }));
    });
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("button", { name: /^Leave/ }).click();
    await page.getByRole("button", { name: "Take: Ana" }).click();
    await expect.poll(() => held.length).toBe(1);
    await held[0]?.();
    await rows(page, "My chats").click();
    await page.getByRole("button", { name: "Close chat" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Close chat" }).click();
    await expect.poll(() => held.length).toBe(2);
    await held[1]?.();
    await page.getByText("This chat is closed.").waitFor();
    expect((await site.house.ask("GET", `chats/${chat}`)).chat.closed).toBe(true);
  });

  it("is handed over to a colleague who takes it, and stays with one whose colleague does not", async () => {
    await site.house.agent("bea");
    await site.house.agent("carl", { rooms: [] });
    const { page, complaints } = await openDesk();
    const guest = await startChat(page, { name: "Ana" });
    await say(page, "One moment");
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("button", { name: "Hand over…" }).click();
    await page.getByText("Nobody else is online.").waitFor();
    await page.keyboard.press("Escape");

    const bea = await visit();
    await logIn(bea.page, "bea", "a long password");
    const ask = async (): Promise<void> => {
      await page.getByRole("button", { name: "More" }).click();
      await page.getByRole("button", { name: "Hand over…" }).click();
      const options = page.getByLabel("Hand over to").locator("option");
      await expect.poll(() => options.allTextContents()).toEqual(["bea (0/3)"]);
      await page.getByRole("button", { name: "Ask", exact: true }).click();
      await page.getByText("bea has been asked to take over.").waitFor();
    };
    await ask();
    await bea.page.getByText("Sam wants to hand this chat over to you.").first().waitFor();
    await bea.page.getByRole("button", { name: "Reject: Ana" }).click();
    const notice = page.getByText("bea didn’t take the chat with Ana.");
    await notice.waitFor();
    // It is no error, and disappears with the next action.
    await expect.poll(() => page.locator(".problem:not(:empty)").count()).toBe(0);
    await say(page, "Still me");
    await log(page).getByText("Still me").waitFor();

    await ask();
    await notice.waitFor({ state: "detached" });
    await bea.page.getByRole("button", { name: "Accept: Ana" }).click();
    await log(bea.page).getByText("Still me").waitFor();
    await page.getByText("bea answers in this chat.").waitFor();
    expect((await site.house.ask("GET", `chats/${guest.chat}`)).chat.agent).not.toBe("demo-agent");
    await say(bea.page, "Hello, Bea here");
    await expect
      .poll(
        async () =>
          (await site.house.ask("GET", `chats/${guest.chat}/messages`)).messages.at(-1).message,
      )
      .toBe("Hello, Bea here");
    expect([...complaints, ...bea.complaints]).toEqual([]);
  });
});

describe("a colleague without a free slot", () => {
  it("is named as full in a hand-over, and can’t be chosen", async () => {
    const { page, complaints } = await openDesk();
    await startChat(page, { name: "Ana" });
    const bea = await site.house.agent("bea", { online: true, slots: 1 });
    const taken = await site.house.guest({ name: "Bob" });
    await site.house.ask("POST", `chats/${taken.chat}/join`, { userId: bea });
    const dialog = page.getByRole("dialog");
    const options = dialog.getByLabel("Hand over to").locator("option");
    const openDialog = async (): Promise<void> => {
      await page.getByRole("button", { name: "More" }).click();
      await page.getByRole("button", { name: "Hand over…" }).click();
    };
    await openDialog();
    await expect.poll(() => options.allTextContents()).toEqual(["bea (1/1, no free slot)"]);
    expect(await options.first().isDisabled()).toBe(true);
    expect(await dialog.getByRole("button", { name: "Ask" }).isDisabled()).toBe(true);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await site.house.agent("carl", { online: true });
    await openDialog();
    await expect
      .poll(() => options.allTextContents())
      .toEqual(["carl (0/3)", "bea (1/1, no free slot)"]);
    await dialog.getByRole("button", { name: "Ask" }).click();
    await page.getByText("carl has been asked to take over.").waitFor();
    expect(complaints).toEqual([]);
  });
});

describe("a hand-over that fails and is tried again", () => {
  it("leaves one note, not two", async () => {
    const { page } = await openDesk();
    const guest = await startChat(page, { name: "Ana" });
    await site.house.agent("carl", { online: true });
    let failures = 1;
    await page.route("**/chats/*/transfer", (route) =>
      failures-- > 0 ? route.abort() : route.continue(),
    );
    const handOver = async (): Promise<void> => {
      await page.getByRole("button", { name: "More" }).click();
      await page.getByRole("button", { name: "Hand over…" }).click();
      const note = page.getByLabel("Note for your colleague (optional)");
      await note.waitFor();
      if (failures > 0) await note.fill("wants the blue one");
      expect(await note.inputValue()).toBe("wants the blue one");
      await page.getByRole("dialog").getByRole("button", { name: "Ask" }).click();
    };
    await handOver();
    await page.locator(".problems .problem").waitFor();
    await handOver();
    await page.getByText("carl has been asked to take over.").waitFor();
    const { notes } = await site.house.ask("GET", `chats/${guest.chat}/notes`);
    expect(notes).toMatchObject([{ text: "wants the blue one" }]);
  });
});

describe("a chat that another room should answer", () => {
  it("is handed over with a note: it leaves at once, and an agent there is invited", async () => {
    await site.house.ask("POST", "rooms", { id: "sales", name: "Sales" });
    await site.house.ask("POST", "rooms", { id: "empty", name: "Nobody here" });
    await site.house.agent("dora", { rooms: ["sales"] });
    const { page, complaints } = await openDesk();
    const guest = await startChat(page, { name: "Ana" });
    const dora = await visit();
    await logIn(dora.page, "dora", "a long password");
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("button", { name: "Hand over…" }).click();
    const to = page.getByLabel("Hand over to");
    await to.waitFor();
    // A room without an online agent is not offered: the reader would wait in vain.
    await expect
      .poll(() => to.locator("option").allTextContents())
      .toEqual(["dora (0/3)", "Sales (1)"]);
    await to.selectOption("Sales (1)");
    await page.getByText("The chat leaves your list at once").waitFor();
    await page.getByLabel("Note for your colleague (optional)").fill("wants the blue one");
    await picture(page, "desk-hand-over-room");
    await page.getByRole("button", { name: "Hand over", exact: true }).click();
    await page.getByText("Choose a chat").waitFor();
    await expect.poll(() => rows(page, "My chats").count()).toBe(0);
    await dora.page.getByRole("button", { name: "Accept: Ana" }).click();
    await dora.page
      .getByRole("region", { name: "Notes" })
      .getByText("wants the blue one")
      .waitFor();
    const { chat } = await site.house.ask("GET", `chats/${guest.chat}`);
    expect(chat.room).toBe("sales");
    const seen = await site.house.askAs(guest.token, "GET", `chats/${guest.chat}/history`);
    expect(JSON.stringify(seen)).not.toContain("blue");
    expect([...complaints, ...dora.complaints]).toEqual([]);
  });
});
