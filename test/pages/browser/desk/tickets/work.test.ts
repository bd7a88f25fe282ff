import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { png } from "../../../../backend/ticketing/service.ts";
import { axe, picture } from "../../chromium.ts";
import type { House } from "../desk-house.ts";
import { logIn } from "../desk-house.ts";
import { useDesk } from "../use-desk.ts";

const site = useDesk();
const { visit } = site;

type Ask = House["askOwner"];
// oxlint-disable-next-line typescript/no-explicit-any
type Answer = any;

/** Tickets of Ana, the first in Arabic with a conversation in several parts. */
async function tickets(ask: Ask): Promise<readonly Answer[]> {
  const { uuid: creator } = await ask("POST", "users", { name: "Ana", address: "ana@x.test" });
  const transcript = {
    lines: [
      { who: "reader", message: "أين طلبي رقم 5؟", created: 1_700_000_000 },
      { who: "bot", message: "I couldn’t find anything on that.", created: 1_700_000_001 },
      { who: "agent", name: "Ben", message: "One moment", created: 1_700_000_002 },
    ],
  };
  const first = { title: "أين طلبي رقم 5؟", message: "x", creator, language: "ar", transcript };
  const made = [await ask("POST", "tickets", first)];
  for (const title of ["Where is my parcel?", "Parcel again"]) {
    made.push(await ask("POST", "tickets", { title, message: "It is late.", creator }));
  }
  return made;
}

async function open(page: Page, id: number): Promise<void> {
  await page.evaluate((hash) => void (location.hash = hash), `#tickets/${id}`);
  await page.locator("#ticket-message").waitFor();
}

it("an agent answers, notes, assigns, tags and solves, and sees who did what", async () => {
  const { askOwner: ask } = site.house;
  const [, parcel] = await tickets(ask);
  await site.house.agent("Bea", { rights: { TICKET_VIEW: true, TICKET_EDIT: true } });
  const { page, complaints } = await visit();
  await logIn(page);
  await open(page, parcel.id);
  const field = page.locator("#ticket-message");
  await page.getByText("No email is sent. The answer is kept in the ticket").waitFor();
  await field.fill("It is <on> its way.");
  // The list marks tickets with an unsent draft.
  await page.locator(".list .row", { hasText: "✎" }).waitFor();
  await page.keyboard.press("Control+Enter");
  const own = page.locator(".ticket .own");
  await own.getByText("It is <on> its way.").waitFor();
  await expect.poll(() => field.inputValue()).toBe("");
  await expect.poll(() => page.locator("#ticket-state").inputValue()).toBe("3");
  await expect.poll(() => page.locator("#ticket-assignee").inputValue()).toBe("demo-agent");
  await page.getByRole("button", { name: "Notes", exact: true }).click();
  await field.fill("Called the courier.");
  await page.getByRole("button", { name: "Add note" }).click();
  await page.locator(".noted").getByText("Called the courier.").waitFor();
  await page.locator("#ticket-assignee").selectOption({ label: "Bea" });
  await page.getByText("Assignee: Bea").waitFor();
  await page.getByLabel("Tags").fill("late, courier");
  await page.keyboard.press("Enter");
  await page.getByLabel("State", { exact: true }).selectOption({ label: "Solved" });
  await page.getByText("State: Solved").waitFor();
  await page.getByRole("button", { name: /^Solved 1/ }).click();
  await page.locator(".list .tag", { hasText: "courier" }).waitFor();
  expect(await axe(page)).toEqual([]);
  await picture(page, "desk-ticket-answered");
  const { data } = await ask("GET", `tickets/${parcel.id}/replies`);
  expect(data).toMatchObject([{ message: "It is &lt;on&gt; its way.", type: "answer" }]);
  // The person's reply opens it again, and the open page shows it by itself.
  await ask("POST", `tickets/${parcel.id}/replies`, {
    message: "Still not here",
    creator: parcel.creator,
  });
  await page.locator(".ticket .theirs").getByText("Still not here").waitFor();
  await expect.poll(() => page.locator("#ticket-state").inputValue()).toBe("2");
  expect(complaints).toEqual([]);
});

it("a read of the ticket that fails after a newer one was shown reports nothing", async () => {
  const { askOwner: ask } = site.house;
  const [, parcel] = await tickets(ask);
  const { page } = await visit();
  await logIn(page);
  await open(page, parcel.id);
  const held = Promise.withResolvers<void>();
  const isHeld = Promise.withResolvers<void>();
  await page.route(`**/tickets/${parcel.id}`, async (route) => {
    if (route.request().method() !== "GET") return route.fallback();
    isHeld.resolve();
    await held.promise;
    await route.fulfill({ status: 500, json: {} });
  });
  await ask("POST", `tickets/${parcel.id}/replies`, { message: "Hello?", creator: parcel.creator });
  await isHeld.promise;
  await page.getByLabel("State", { exact: true }).selectOption({ label: "Solved" });
  await page.getByText("State: Solved").waitFor();
  const failed = page.waitForResponse((response) => response.status() === 500);
  held.resolve();
  await (await failed).finished();
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 100)));
  expect(await page.locator(".said-problem").count()).toBe(0);
});

it("tags stay when the agent leaves the ticket with the focus in their field", async () => {
  const { askOwner: ask } = site.house;
  const [, parcel, double] = await tickets(ask);
  const { page, complaints } = await visit();
  await logIn(page);
  await open(page, parcel.id);
  const tags = page.locator("#ticket-tags");
  const listed = page.locator(".list .tag");
  await tags.fill("late, courier");
  await page.keyboard.press("Enter");
  await expect.poll(() => listed.allInnerTexts()).toEqual(["courier", "late"]);
  const changes: (string | null)[] = [];
  page.on("request", (request) => {
    if (request.method() === "PUT") changes.push(request.postData());
  });
  await open(page, double.id);
  await page.getByRole("heading", { name: "Parcel again" }).waitFor();
  // Typed text that is not confirmed is stored, too, as when the focus moves.
  await tags.fill("double");
  await open(page, parcel.id);
  await page.getByRole("heading", { name: "Where is my parcel?" }).waitFor();
  await expect.poll(() => tags.inputValue()).toBe("courier, late");
  await expect
    .poll(async () => (await listed.allInnerTexts()).toSorted())
    .toEqual(["courier", "double", "late"]);
  expect(changes.map((body) => JSON.parse(body ?? "").tags)).toEqual([["double"]]);
  expect(complaints).toEqual([]);
});

it("two agents at one ticket see each other look and write, and what was said meanwhile", async () => {
  const { askOwner: ask } = site.house;
  const [, parcel] = await tickets(ask);
  await site.house.agent("Bea", { rights: { TICKET_VIEW: true, TICKET_EDIT: true } });
  const [sam, bea] = [await visit(), await visit()];
  for (const { page } of [sam, bea]) {
    await page.clock.install();
    await page.reload();
  }
  /** Every ten seconds a page asks who else has the ticket open. */
  const askAgain = (page: Page): Promise<void> => page.clock.fastForward(10_000);
  await logIn(sam.page);
  await open(sam.page, parcel.id);
  await logIn(bea.page, "Bea", "a long password");
  await open(bea.page, parcel.id);
  const [besideSam, besideBea] = [sam, bea].map(({ page }) => page.locator(".composer"));
  await besideBea?.getByText("Also looking at this ticket: Sam").waitFor();
  await askAgain(sam.page);
  await besideSam?.getByText("Also looking at this ticket: Bea").waitFor();
  await bea.page.locator("#ticket-message").pressSequentially("It is on its way.");
  await askAgain(sam.page);
  await besideSam?.getByText("Bea is writing…").waitFor();
  await sam.page.locator("#ticket-message").fill("Sorry about that");
  await askAgain(bea.page);
  await besideBea?.getByText("Sam is writing…").waitFor();
  expect(await axe(sam.page)).toEqual([]);
  await picture(sam.page, "desk-ticket-two-agents");
  await bea.page.keyboard.press("Control+Enter");
  await besideSam?.getByText("While you were writing, a message came from Bea.").waitFor();
  // It is still shown after the agent has looked at something else.
  await sam.page.evaluate(() => void (location.hash = "#tickets"));
  await sam.page.locator("#ticket-message").waitFor({ state: "detached" });
  await askAgain(bea.page);
  await besideBea?.getByText("Sam").waitFor({ state: "detached" });
  await open(sam.page, parcel.id);
  await besideSam?.getByText("a message came from Bea. Read it before you send.").waitFor();
  await sam.page.locator("#ticket-message").press("Control+Enter");
  await sam.page.locator(".ticket .own").getByText("Sorry about that").waitFor();
  await besideSam?.getByText("a message came from Bea").waitFor({ state: "detached" });
  expect((await ask("GET", `tickets/${parcel.id}/replies`)).data).toHaveLength(2);
  expect([...sam.complaints, ...bea.complaints]).toEqual([]);
});

it("what another answered, merged or forbade meanwhile is said at the field, and the draft stays", async () => {
  const { askOwner: ask } = site.house;
  const [, parcel, double] = await tickets(ask);
  const { uuid: bo } = await ask("POST", "users", { name: "Bo", address: "bo@x.test" });
  const { page } = await visit();
  await logIn(page);
  await open(page, parcel.id);
  const field = page.locator("#ticket-message");
  const send = page.getByRole("button", { name: "Send", exact: true });
  const problem = page.locator("#ticket-problem");
  await field.fill("My words");
  await ask("POST", `tickets/${parcel.id}/replies`, { message: "Bo was faster", creator: bo });
  await send.click();
  await problem.getByText("Something was written in this ticket").waitFor();
  await page.getByText("Bo was faster").waitFor();
  expect(await field.inputValue()).toBe("My words");
  await send.click();
  await page.locator(".ticket .own").getByText("My words").waitFor();
  expect((await ask("GET", `tickets/${parcel.id}/replies`)).data).toHaveLength(2);
  // An unreachable server: the same words are stored once, also after a reload.
  await field.fill("Once");
  await page.route("**/replies", async (route) => {
    await route.fetch();
    await route.abort();
  });
  await send.click();
  await problem.getByText("The service can’t be reached.").waitFor();
  await page.unroute("**/replies");
  await page.reload();
  await expect.poll(() => field.inputValue()).toBe("Once");
  await send.click();
  await expect.poll(() => field.inputValue()).toBe("");
  expect((await ask("GET", `tickets/${parcel.id}/replies`)).data).toHaveLength(3);
  // A server that cannot save, such as one with a full disk.
  await field.fill("Twice");
  await page.route("**/replies", (route) => route.fulfill({ status: 503, json: {} }));
  await send.click();
  await problem.getByText("The service has a problem right now.").waitFor();
  await page.unroute("**/replies");
  expect(await field.inputValue()).toBe("Twice");
  await send.click();
  await expect.poll(() => field.inputValue()).toBe("");
  expect((await ask("GET", `tickets/${parcel.id}/replies`)).data).toHaveLength(4);
  // The ticket is merged while the agent writes: the text is kept.
  await field.fill("For the person");
  const { session } = await site.house.ask("POST", "agents/login", {
    login: "demo-agent",
    password: "demo-agent",
  });
  const into = { into: String(double.id) };
  await site.house.askAs(session.token, "POST", `tickets/${parcel.id}/merge`, into);
  await send.click();
  await page.getByText("was merged into this one. Nothing was sent").waitFor();
  await expect.poll(() => page.evaluate(() => location.hash)).toBe(`#tickets/${double.id}`);
  await expect.poll(() => field.inputValue()).toBe("For the person");
  // The notice goes with what it says.
  await send.click();
  await page.getByText("your text is in the field").waitFor({ state: "detached" });
  await expect.poll(() => field.inputValue()).toBe("");
  await field.fill("For the person");
  // A right that is revoked.
  await site.house.ask("PUT", "agents/demo-agent", { rights: { TICKET_EDIT: false } });
  await page.getByRole("main").getByText("You may not answer tickets of this queue.").waitFor();
  expect(await page.locator(".instead textarea").inputValue()).toBe("For the person");
  expect((await ask("GET", `tickets/${double.id}/replies`)).data).toHaveLength(1);
});

it("a chat becomes a ticket from its menu, each leads to the other, and doubles are merged", async () => {
  const { askOwner: ask } = site.house;
  const { page, complaints } = await visit();
  await logIn(page);
  const guest = await site.house.guest({ name: "Ana", contact: "ana@x.test" }, { lang: "fr" });
  await guest.assign();
  await page.getByRole("button", { name: "Accept: Ana" }).click();
  await guest.say("Où est mon colis ?");
  await page.locator(".theirs").getByText("Où est mon colis ?").waitFor();
  const sent = { name: "a.png", content: png, chatId: guest.chat, senderId: "demo-agent" };
  await site.house.ask("POST", "media", sent);
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("button", { name: "Make a ticket With everything" }).click();
  await page.getByRole("heading", { name: "Où est mon colis ?" }).waitFor();
  await page.locator(".ticket .imported").getByText("Où est mon colis ?").waitFor();
  // An agent's file is not shown as sent by the person.
  const file = page.locator(".ticket .said", { has: page.getByRole("button", { name: /a\.png/ }) });
  await file.waitFor();
  expect(await file.locator(".who").count()).toBe(0);
  const { data } = await ask("GET", "tickets");
  expect(data).toHaveLength(1);
  await page.locator("#details").getByRole("link").last().click();
  await page.locator("#message").waitFor();
  await page.locator("#details").getByRole("link", { name: "Où est mon colis ?" }).click();
  const [{ creator, id }] = data;
  const other = await ask("POST", "tickets", { title: "Colis", message: "Alors ?", creator });
  await open(page, id);
  await page.getByRole("link", { name: "Colis", exact: true }).waitFor();
  await page.locator("#details").getByText(other.full_uuid).waitFor();
  await page.getByRole("button", { name: "Merge…" }).click();
  const dialog = page.getByRole("dialog", { name: /^Merge / });
  await dialog.getByLabel("Number of the other ticket").fill(other.full_uuid);
  await page.keyboard.press("Enter");
  await dialog.getByText("Colis").waitFor();
  expect(await axe(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Merge", exact: true }).click();
  await page.getByRole("heading", { name: "Colis" }).waitFor();
  await page.locator(".ticket .imported").getByText("Où est mon colis ?").waitFor();
  expect(complaints).toEqual([]);
});

it.each([
  [390, "ar-EG", "light"],
  [820, "en-US", "dark"],
  [1024, "he-IL", "light"],
] as const)(
  "every control of a ticket is inside a window of %i px (%s, %s)",
  async (width, locale, colorScheme) => {
    const { askOwner: ask } = site.house;
    const [arabic] = await tickets(ask);
    const viewport = { width, height: 800 };
    const { page, complaints } = await visit({ viewport, locale, colorScheme });
    await page.locator("#login-login").fill("demo-agent");
    await page.locator("#login-password").fill("demo-agent");
    await page.locator("form button").last().click();
    await page.locator(".link.live").waitFor({ state: "attached" });
    await page.evaluate(() => void (location.hash = "#tickets"));
    await page.locator(".list .row").first().waitFor();
    expect(await axe(page)).toEqual([]);
    await picture(page, `desk-ticket-list-${width}`);
    await open(page, arabic.id);
    const directions = await page
      .locator(".ticket .imported .text, .ticket .colleague .text")
      .evaluateAll((all) => all.map((one) => getComputedStyle(one).direction));
    expect(directions).toEqual(["rtl", "ltr", "ltr"]);
    const outside = await page.evaluate(() => {
      const controls = document.querySelectorAll<HTMLElement>(
        ".ticket :is(button, select, textarea, a)",
      );
      return [...controls].flatMap((one) => {
        const { left, right, bottom, width: wide } = one.getBoundingClientRect();
        const isIn = left >= -0.5 && right <= innerWidth + 0.5 && bottom <= innerHeight + 0.5;
        return wide === 0 || isIn || one.closest(".log, .unseen") !== null ? [] : [one.outerHTML];
      });
    });
    expect(outside).toEqual([]);
    const composer = await page.locator(".composer").boundingBox();
    expect(Math.round((composer?.y ?? 0) + (composer?.height ?? 0))).toBe(800);
    await picture(page, `desk-ticket-${width}`);
    await page.locator(".ticket .details-button").click();
    await page.locator("#ticket-state").waitFor();
    expect(await axe(page)).toEqual([]);
    await picture(page, `desk-ticket-details-${width}`);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      width,
    );
    expect(complaints).toEqual([]);
  },
);

it("a key sends no answer before its file is uploaded", async () => {
  const [, parcel] = await tickets(site.house.askOwner);
  const { page, complaints } = await visit();
  await logIn(page);
  await open(page, parcel.id);
  const uploading = Promise.withResolvers<void>();
  await page.route("**/tickets/media", async (route) => {
    await uploading.promise;
    await route.continue();
  });
  const file = { name: "bill.txt", mimeType: "text/plain", buffer: Buffer.from("42 €") };
  await page.locator("form.composer input[type=file]").setInputFiles(file);
  const field = page.locator("#ticket-message");
  await field.fill("Here is the bill.");
  await page.locator(".chosen").getByRole("status").waitFor();
  await field.press("Control+Enter");
  expect(await field.inputValue()).toBe("Here is the bill.");
  uploading.resolve();
  await page.locator(".chosen").getByText("bill.txt").waitFor();
  await field.press("Control+Enter");
  await page.locator(".ticket .own").getByText("bill.txt").waitFor();
  expect(await page.locator(".ticket .own").count()).toBe(1);
  expect(complaints).toEqual([]);
});
