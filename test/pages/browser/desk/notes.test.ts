import { expect, it } from "vitest";
import { picture } from "../chromium.ts";
import { logIn } from "./desk-house.ts";
import { useDesk } from "./use-desk.ts";

/** Milliseconds by which the house's clock is put forward. */
let ahead = 0;
const site = useDesk(() => ahead);
const { visit } = site;

it("a note stays among agents, also the one that goes with a hand-over", async () => {
  const { page, complaints } = await visit();
  await logIn(page);
  const guest = await site.house.guest();
  await site.house.agent("bea", { name: "Bea", online: true, slots: 1 });
  await site.house.ask("POST", `chats/${guest.chat}/join`, { userId: "demo-agent" });
  await page.locator(".row").first().click();
  await page.getByLabel("Your note").fill("Wants the <b>blue</b> one.\nCalled on Monday.");
  // The typed text is kept while another chat is shown.
  await page.goBack();
  await page.locator(".row").first().click();
  await guest.say("Is anybody there?");
  ahead += 2_000;
  await page.getByRole("button", { name: "Add note" }).click();
  const notes = page.getByRole("region", { name: "Notes" });
  await notes.getByText("Wants the <b>blue</b> one.").waitFor();
  await expect.poll(() => page.getByLabel("Your note").inputValue()).toBe("");
  await picture(page, "desk-notes");

  const bea = await visit();
  await logIn(bea.page, "bea", "a long password");
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("button", { name: "Hand over…" }).click();
  await page.getByLabel("Note for your colleague (optional)").fill("Please call back at five.");
  await page.getByRole("button", { name: "Ask", exact: true }).click();
  await notes.getByText("Please call back at five.").waitFor();
  ahead += 2_000;
  const waits = await guest.say("I can wait.");
  // Agents who have left a chat may not mark its messages as read.
  const readBySam = async (): Promise<string> =>
    (await site.house.ask("GET", `chats/${guest.chat}`)).chat.read["demo-agent"];
  await expect.poll(readBySam).toBe(waits);
  await bea.page.getByRole("button", { name: /^Accept/ }).click();
  await bea.page.getByRole("region", { name: "Notes" }).getByText("at five").waitFor();
  // In the conversation it is at its time, with another background than messages.
  const messages = bea.page.getByRole("log").locator(".said");
  await messages.getByText("I can wait.").waitFor();
  await expect
    .poll(() => messages.locator(".text").allInnerTexts())
    .toEqual([
      "Is anybody there?",
      "Wants the <b>blue</b> one.\nCalled on Monday.",
      "Please call back at five.",
      "I can wait.",
    ]);
  const noted = bea.page.locator(".log .noted", { hasText: "at five" });
  expect(await noted.locator(".who").innerText()).toMatch(/^Notes · Sam/);
  const edge = noted.locator(".bubble").evaluate((one) => getComputedStyle(one).borderTopStyle);
  expect(await edge).toBe("dashed");
  await picture(bea.page, "desk-noted");
  const seen = await site.house.askAs(guest.token, "GET", `chats/${guest.chat}/history`);
  expect(JSON.stringify(seen)).not.toMatch(/blue|five/);
  expect([...complaints, ...bea.complaints]).toEqual([]);
});

it("a note is kept whole and once, however late the page is drawn and its notes are read", async () => {
  const { page, complaints } = await visit();
  await logIn(page);
  const guest = await site.house.guest();
  await site.house.ask("POST", `chats/${guest.chat}/join`, { userId: "demo-agent" });
  // An answer that was read before the note was added arrives last.
  const held: (() => Promise<void>)[] = [];
  await page.route(/\/chats\/[^/]+\/notes$/, async (route) => {
    if (route.request().method() !== "GET" || held.length > 0) return route.fallback();
    const response = await route.fetch();
    held.push(() => route.fulfill({ response }));
  });
  await page.locator(".row").first().click();
  await page.getByLabel("Your note").fill("W");
  await expect.poll(() => page.getByRole("button", { name: "Add note" }).isEnabled()).toBe(true);
  await expect.poll(() => held.length).toBe(1);
  // A busy page gets letters and Enter, twice, before it is redrawn.
  await page.evaluate(() => {
    const field = document.querySelector<HTMLTextAreaElement>("#note");
    if (field === null) throw new Error("no field");
    field.value = "Wants the blue one.";
    field.dispatchEvent(new Event("input", { bubbles: true }));
    field.form?.requestSubmit();
    field.form?.requestSubmit();
  });
  const noted = page.locator(".log .noted .text");
  await expect.poll(() => noted.allInnerTexts()).toEqual(["Wants the blue one."]);
  await expect.poll(() => page.getByLabel("Your note").inputValue()).toBe("");
  await Promise.all(held.map((answer) => answer()));
  await page.getByLabel("Your note").fill("Another is being written");
  await page.getByRole("log").getByText("Wants the blue one.").waitFor();
  // A hand-over with a note of its own does not change it.
  await site.house.agent("bea", { name: "Bea", online: true });
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("button", { name: "Hand over…" }).click();
  await page.getByLabel("Note for your colleague (optional)").fill("Please call back at five.");
  await page.getByRole("button", { name: "Ask", exact: true }).click();
  await expect
    .poll(() => noted.allInnerTexts())
    .toEqual(["Wants the blue one.", "Please call back at five."]);
  expect(await page.getByLabel("Your note").inputValue()).toBe("Another is being written");
  expect(complaints).toEqual([]);
});

it("an invitation says what was asked last, in which language, and since when it waits", async () => {
  const { page } = await visit();
  await logIn(page);
  const history = [
    { sender: "user", message: "My parcel is broken", created: 1_763_710_000 },
    { sender: "assistant", message: "Do you want to talk to somebody?", created: 1_763_710_001 },
    { sender: "user", message: "Yes", created: 1_763_710_002 },
  ];
  const guest = await site.house.guest({ name: "Bob" }, { lang: "de", history });
  await guest.assign();
  // A gateway reports more: the reason, and the questions before its own.
  const facts = { reason: "negative-ratings", question: "Where is it?\nI need it" };
  const other = await site.house.guest({ name: "Eve" }, { lang: "fr", history, ...facts });
  await other.assign();
  const why = page.locator(".invitation", { hasText: "Eve" });
  await why.getByText("Rated the bot’s answers as unhelpful").waitFor();
  await why.getByText("Where is it?").waitFor();
  await expect.poll(() => why.innerText()).toMatch(/French · \d+\s?min/);
  expect(await why.innerText()).not.toContain("Yes");
  const invitation = page.locator(".invitation", { hasText: "Bob" });
  await invitation.getByText("My parcel is broken").waitFor();
  await invitation.getByText("Yes", { exact: true }).waitFor();
  await expect.poll(() => invitation.innerText()).toMatch(/German · \d+\s?min/);
  await picture(page, "desk-invitation");
});

it("an agent's words of an earlier chat stand in a bubble whose edge one sees", async () => {
  const { page } = await visit();
  await logIn(page);
  const history = [{ sender: "demo-agent", message: "It is on its way.", created: 1_763_710_000 }];
  const guest = await site.house.guest({}, { history });
  await site.house.ask("POST", `chats/${guest.chat}/join`, { userId: "demo-agent" });
  await page.locator(".row").first().click();
  const bubble = page.locator(".own.imported .bubble");
  await bubble.getByText("It is on its way.").waitFor();
  const edge = bubble.evaluate((one) => getComputedStyle(one).borderTopColor);
  expect(await edge).not.toMatch(/^transparent$|, 0\)$/);
});

it("an invitation ends at once where its chat is closed, for an agent of another room too", async () => {
  const { house } = site;
  await house.ask("POST", "rooms", { id: "2", name: "Returns" });
  await house.ask("PUT", "agents/demo-agent", { online: true });
  const bea = await house.agent("bea", { name: "Bea", rooms: ["2"] });
  const { page } = await site.visit();
  await logIn(page, "bea", "a long password");
  const guest = await house.guest({ name: "Ana" });
  await house.ask("POST", `chats/${guest.chat}/join`, { userId: "demo-agent" });
  await house.ask("POST", `chats/${guest.chat}/transfer`, { userId: bea });
  await page.getByRole("button", { name: "Accept: Ana" }).waitFor();
  await house.ask("DELETE", `chats/${guest.chat}`, { userId: "demo-agent" });
  await page
    .getByRole("button", { name: "Accept: Ana" })
    .waitFor({ state: "detached", timeout: 5_000 });
});
