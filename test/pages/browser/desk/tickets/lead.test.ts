import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { axe } from "../../chromium.ts";
import { logIn } from "../desk-house.ts";
import { useDesk } from "../use-desk.ts";

const site = useDesk();
const { visit } = site;

/** Makes tickets with these titles for one person, and returns their ids. */
async function makeTickets(...titles: readonly string[]): Promise<readonly number[]> {
  const { askOwner: ask } = site.house;
  const { uuid: creator } = await ask("POST", "users", { name: "Ana", address: "ana@x.test" });
  const ids: number[] = [];
  for (const title of titles) {
    ids.push((await ask("POST", "tickets", { title, message: "Late", creator })).id);
  }
  return ids;
}

async function openTicket(page: Page, id: number | undefined): Promise<void> {
  await page.evaluate((hash) => void (location.hash = hash), `#tickets/${id}`);
  await page.locator("#ticket-message").waitFor();
}

it("several tickets are changed in one go by the keyboard, and one that is refused is named and stays chosen", async () => {
  const { house } = site;
  const [closed] = await makeTickets("Closed one", "Lamp", "Table");
  const { page, complaints } = await visit();
  await logIn(page);
  await page.getByRole("link", { name: "Tickets" }).click();
  await page.getByRole("button", { name: "All 3" }).click();
  await page.getByLabel("Select Lamp").focus();
  await page.keyboard.press("Space");
  await page.getByText("Selected: 1").waitFor();
  await page.getByLabel("Select Closed one").click({ modifiers: ["Shift"] });
  await page.getByLabel("Select Table").check();
  await page.getByText("Selected: 3").waitFor();
  expect(await axe(page)).toEqual([]);
  // It is closed while the agent chooses.
  await house.askOwner("PUT", `tickets/${closed}`, { status: 5 });
  await page.getByRole("button", { name: "Change…" }).click();
  const form = page.locator(".ticket-choice form");
  await form.getByLabel("State").selectOption("Waiting");
  await form.getByLabel("Add tags").fill("urgent, vip");
  await page.keyboard.press("Enter");
  await page.getByText("Changed: 2 · Not changed: 1").waitFor();
  const failure = page.locator(".failures li");
  await expect.poll(() => failure.count()).toBe(1);
  expect(await failure.innerText()).toMatch(/Closed one .*(can’t follow|Somebody else)/u);
  await page.getByText("Selected: 1").waitFor();
  expect(await axe(page)).toEqual([]);
  const lamp = page.locator(".list li", { hasText: "Lamp" });
  await expect.poll(() => lamp.locator(".tag").allTextContents()).toEqual(["urgent", "vip"]);
  expect(complaints).toEqual([]);
});

it("choosing a ticket moves no row, and the changes of all chosen ones stay in sight in a long list", async () => {
  await makeTickets(...Array.from({ length: 30 }, (_, at) => `Lamp ${at}`));
  const { page } = await visit({ viewport: { width: 390, height: 700 } });
  await logIn(page);
  await page.evaluate(() => void (location.hash = "#tickets"));
  const topOf = async (name: string): Promise<number> =>
    Math.round((await page.getByLabel(`Select ${name}`, { exact: true }).boundingBox())?.y ?? -1);
  await page.getByLabel("Select Lamp 29").waitFor();
  const before = await topOf("Lamp 27");
  await page.getByLabel("Select Lamp 29").check();
  expect(await topOf("Lamp 27")).toBe(before);
  await page.getByLabel("Select Lamp 3", { exact: true }).check();
  const change = page.getByRole("button", { name: "Change…" });
  expect((await change.boundingBox())?.y).toBeGreaterThan(0);
  await change.click();
  // Its fields can be reached, and rows stay visible in a low window.
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute("name")))
    .toBe("assignee");
  const bar = await page.locator(".ticket-choice").boundingBox();
  expect(bar?.height).toBeLessThanOrEqual(420);
  expect(await axe(page)).toEqual([]);
});

it("several tickets move to another queue in one go, and their timelines name it", async () => {
  const { house } = site;
  await house.askOwner("POST", "queues", { name: "Returns" });
  const [lamp] = await makeTickets("Lamp", "Table");
  const { page, complaints } = await visit();
  await logIn(page);
  await openTicket(page, lamp);
  await page.getByLabel("Select Lamp").check();
  await page.getByLabel("Select Table").check();
  await page.getByRole("button", { name: "Change…" }).click();
  const form = page.locator(".ticket-choice form");
  await form.getByLabel("Queue").selectOption("Returns");
  await form.getByRole("button", { name: "Apply" }).click();
  await page.getByText("Changed: 2").waitFor();
  await page.locator(".ticket .happened").getByText("Sam · Queue: Returns").waitFor();
  await expect.poll(() => page.locator("#ticket-queue").inputValue()).toBe("2");
  expect(await axe(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

it("the bar of chosen tickets goes with the right to change them, and says why nothing was changed", async () => {
  const { house } = site;
  await makeTickets("Lamp", "Table");
  const { page, complaints } = await visit();
  await logIn(page);
  await page.getByRole("link", { name: "Tickets" }).click();
  await page.getByLabel("Select Lamp").check();
  const change = page.getByRole("button", { name: "Change…" });
  await change.click();
  const form = page.locator(".ticket-choice form");
  await form.getByLabel("State").selectOption("Solved");
  await house.ask("PUT", "agents/demo-agent", { rights: { TICKET_EDIT: false } });
  await form.getByRole("button", { name: "Apply" }).click();
  await page.locator(".failures li", { hasText: "Lamp" }).getByText("TICKET_EDIT").waitFor();
  for (const gone of [change, form, page.getByLabel("Select Lamp")]) {
    await gone.waitFor({ state: "detached" });
  }
  await page.getByRole("link", { name: "New ticket" }).waitFor({ state: "detached" });
  expect(complaints).toEqual([]);
  // What is typed in a new ticket stays, too.
  await house.ask("PUT", "agents/demo-agent", { rights: { TICKET_EDIT: true } });
  await page.reload();
  await page.evaluate(() => void (location.hash = "#tickets/new"));
  await page.locator("#new-name").fill("Zoe");
  await page.locator("#new-title").fill("Bill");
  await page.locator("#new-message").fill("Too high");
  await house.ask("PUT", "agents/demo-agent", { rights: { TICKET_EDIT: false } });
  await page.getByRole("button", { name: "Make a ticket" }).click();
  await page.locator("#new-problem").getByText("TICKET_EDIT").waitFor();
  await page.getByText("This is not allowed.").waitFor();
  expect(await page.locator("#new-message").inputValue()).toBe("Too high");
  expect(await axe(page)).toEqual([]);
});

it("the list shows one queue, one agent’s tickets, or the oldest first, and the bar still counts all", async () => {
  const { house } = site;
  await house.askOwner("POST", "queues", { name: "Returns" });
  const [lamp, , shelf] = await makeTickets("Lamp", "Table", "Shelf");
  await house.askOwner("PUT", `tickets/${lamp}`, { queue: 2 });
  const { page, complaints } = await visit();
  await logIn(page);
  await page.getByRole("link", { name: "Tickets" }).click();
  const list = page.locator(".list");
  const titles = list.locator(".row strong");
  await expect.poll(() => titles.allTextContents()).toEqual(["Lamp", "Shelf", "Table"]);
  await list.locator(".row", { hasText: "Lamp" }).getByText("Returns").waitFor();
  await list.getByLabel("Queue").selectOption("Returns");
  await expect.poll(() => titles.allTextContents()).toEqual(["Lamp"]);
  await expect.poll(() => page.title()).toMatch(/^\(3\)/u);
  await list.getByLabel("Queue").selectOption("All queues");
  await list.getByText("Filters").click();
  await list.getByLabel("Oldest change first").check();
  await expect.poll(() => titles.allTextContents()).toEqual(["Table", "Shelf", "Lamp"]);
  expect(await axe(page)).toEqual([]);
  await openTicket(page, shelf);
  await page.getByRole("button", { name: "Take" }).click();
  await list.getByRole("button", { name: /^All / }).click();
  await list.getByLabel("Assignee").selectOption("Sam");
  await expect.poll(() => titles.allTextContents()).toEqual(["Shelf"]);
  // The chosen order is kept while chats are shown.
  await page.getByRole("link", { name: "Chats", exact: true }).click();
  await page.getByRole("link", { name: "Tickets" }).click();
  await expect.poll(() => titles.allTextContents()).toEqual(["Table", "Lamp", "Shelf"]);
  expect(complaints).toEqual([]);
});

it("an answer can open the next ticket that waits, and behind the last one the list", async () => {
  const ids = await makeTickets("Lamp", "Table", "Chair", "Shelf");
  const [lamp, table] = ids;
  await site.house.askOwner("PUT", `tickets/${table}`, { status: 4 });
  const { page, complaints } = await visit();

  await logIn(page);
  await openTicket(page, lamp);
  await page.locator(".list").getByRole("button", { name: /^All / }).click();
  const field = page.locator("#ticket-message");
  const next = page.getByRole("button", { name: "Send and next" });
  const readReplies = async (): Promise<readonly string[]> => {
    const replies = ids.map((id) => site.house.askOwner("GET", `tickets/${id}/replies`));
    const lists = (await Promise.all(replies)).map(({ data }) => data);
    return lists.flat().map(({ message }: { readonly message: string }) => message);
  };
  await page.locator(".ticket-row", { hasText: "Chair" }).click();
  await page.getByRole("heading", { name: "Chair" }).waitFor();
  expect(await next.isDisabled()).toBe(true);
  await field.fill("The chair is on its way");
  await next.click();
  // The table’s ticket is solved, so the lamp’s is the next below.
  await page.getByRole("heading", { name: "Lamp" }).waitFor();
  await field.fill("The lamp too");
  await page.keyboard.press("Control+Shift+Enter");
  await page.getByRole("heading", { name: "Shelf" }).waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("ticket-title");
  await field.fill("The shelf as well");
  await page.keyboard.press("Control+Shift+Enter");
  await page.getByText("Choose a ticket").waitFor();
  expect(await readReplies()).toEqual([
    "The lamp too",
    "The chair is on its way",
    "The shelf as well",
  ]);
  await page
    .locator(".list")
    .getByRole("button", { name: /^Waiting 3/ })
    .waitFor();
  expect(await axe(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

it("a tag is a filter: in the tickets, in the desk’s search, and as a link; its changes are in the timeline", async () => {
  const [lamp] = await makeTickets("Lamp", "Table");
  const { page, complaints } = await visit();
  await logIn(page);
  await openTicket(page, lamp);
  const field = page.locator("#ticket-tags");
  await field.fill("billing, größer/50 %");
  await field.press("Enter");
  await page.getByText("Sam · Tags added: billing, größer/50 %").waitFor();
  await field.fill("billing");
  await field.press("Enter");
  await page.getByText("Sam · Tags removed: größer/50 %").waitFor();
  await field.fill("billing, größer/50 %");
  await field.press("Enter");
  const rows = page.locator(".list .row strong");
  await page.locator(".list").getByRole("link", { name: "größer/50 %" }).click();
  await expect.poll(() => rows.allTextContents()).toEqual(["Lamp"]);
  const filter = page.locator(".list").getByLabel("Tags", { exact: true });
  await expect.poll(() => filter.inputValue()).toBe("größer/50 %");
  await filter.selectOption("");
  await expect.poll(() => rows.count()).toBe(2);
  expect(await axe(page)).toEqual([]);
  await page.getByRole("link", { name: "Chats", exact: true }).click();
  await page.getByText("Filters").click();
  await page.getByLabel("All tags").selectOption("billing");
  await expect.poll(() => rows.allTextContents()).toEqual(["Lamp"]);
  expect(await axe(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

it("merging shows the other ticket and asks again, and Enter alone merges nothing", async () => {
  const [lamp, table] = await makeTickets("Lamp", "Table");
  const { page } = await visit();
  await logIn(page);
  await openTicket(page, lamp);
  const dialog = page.getByRole("dialog");
  const field = dialog.getByLabel("Number of the other ticket");
  await page.getByRole("button", { name: "Merge…" }).click();
  expect(await field.inputValue()).toBe("");
  await page.keyboard.press("Enter");
  await field.fill("987654");
  await page.keyboard.press("Enter");
  await dialog.getByText("There is no ticket 987654").waitFor();
  await field.fill(String(lamp));
  await page.keyboard.press("Enter");
  await dialog.getByText("A ticket can’t be merged into itself.").waitFor();
  await field.fill(String(table));
  // Escape undoes nothing.
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Merge…" }).click();
  expect(await field.inputValue()).toBe(String(table));
  await field.press("Enter");
  await dialog.getByText("Table").waitFor();
  await dialog.getByText("Ana").waitFor();
  expect(await axe(page)).toEqual([]);
  await page.keyboard.press("Enter");
  await field.waitFor();
  await field.press("Enter");
  await dialog.getByRole("button", { name: "Merge", exact: true }).click();
  await page.getByRole("heading", { name: "Table" }).waitFor();
  await dialog.waitFor({ state: "detached" });
});

it("Escape keeps the note of a hand-over and the reason for closing", async () => {
  const { house } = site;
  const { page } = await visit();
  await logIn(page);
  const guest = await house.guest({ name: "Bob" });
  await guest.assign();
  await page.getByRole("button", { name: "Accept: Bob" }).click();
  await page.locator("#message").waitFor();
  await house.agent("bea", { name: "Bea", online: true });
  const dialog = page.getByRole("dialog");
  const openFromMenu = async (name: string): Promise<void> => {
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("button", { name }).click();
  };
  await openFromMenu("Hand over…");
  const note = dialog.getByLabel("Note for your colleague");
  await note.fill("She called twice already");
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await openFromMenu("Hand over…");
  expect(await note.inputValue()).toBe("She called twice already");
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await openFromMenu("Close chat");
  const reason = dialog.getByLabel("Reason");
  await reason.selectOption("Not solved");
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await openFromMenu("Close chat");
  expect(await reason.locator("option:checked").innerText()).toBe("Not solved");
});

it("a new ticket takes files and a person who is known from a chat alone, and asks before it discards", async () => {
  const { house } = site;
  await house.guest({ name: "Rosa Muñoz" });
  const { page, complaints } = await visit();
  await logIn(page);
  await page.evaluate(() => void (location.hash = "#tickets/new"));
  const form = page.locator("form.fields");
  await form.getByLabel("Name").pressSequentially("munoz");
  await form.getByRole("option").getByText("From chats").waitFor();
  expect(await axe(page)).toEqual([]);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect.poll(() => form.getByLabel("Name").inputValue()).toBe("Rosa Muñoz");
  await form.getByLabel("Title").fill("Bill");
  await form.getByLabel("Description").fill("Too high");
  const file = { name: "bill.txt", mimeType: "text/plain", buffer: Buffer.from("42 €") };
  await form.locator("input[type=file]").setInputFiles(file);
  await form.getByText("bill.txt").waitFor();
  // Files are kept with what is typed.
  await page.reload();
  await form.getByText("bill.txt").waitFor();
  await page.keyboard.press("Escape");
  await form.getByRole("button", { name: "Discard", exact: true }).last().click();
  const dialog = page.getByRole("dialog", { name: "Discard what you have typed?" });
  await dialog.waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  expect(await form.getByLabel("Description").inputValue()).toBe("Too high");
  await form.getByRole("button", { name: "Make a ticket" }).click();
  await page.getByRole("heading", { name: "Bill" }).waitFor();
  await page.locator(".ticket .said").getByText("bill.txt").waitFor();
  await page.getByRole("link", { name: "All chats and tickets" }).first().click();
  await page.getByRole("heading", { name: "Rosa Muñoz" }).first().waitFor();
  expect(complaints).toEqual([]);
});
