import { expect, it } from "vitest";
import { png } from "../../../../backend/ticketing/service.ts";
import { axe, picture } from "../../chromium.ts";
import type { House } from "../desk-house.ts";
import { logIn } from "../desk-house.ts";
import { useDesk } from "../use-desk.ts";

const site = useDesk();
const { visit } = site;

type Ask = House["askOwner"];

/** Two tickets: Ana's with everything that a ticket can have, and Bo's, which is solved. */
async function twoTickets(): Promise<Ask> {
  const { askOwner: ask } = site.house;
  const { uuid: ana } = await ask("POST", "users", {
    name: "Ana García",
    address: "ana@shop.test",
  });
  const { uuid: bo } = await ask("POST", "users", { name: "Bo", address: "bo@shop.test" });
  const { uuid: sue } = await ask("POST", "users", { name: "Sue", address: "sue@shop.test" });
  const { hash_uuid: picture_ } = await ask("POST", "media", { name: "hole.png", content: png });
  const { id } = await ask("POST", "tickets", {
    title: "My parcel has a hole <script>x()</script>",
    message: `<p>It &amp; its box.</p><img src="att:${picture_}">`,
    creator: ana,
    language: "es",
    history: {
      messages: [
        { user: "user", message: "My parcel is <b>broken</b>" },
        { user: "assistant", message: "<p>I am sorry.</p>" },
      ],
    },
  });
  await ask("POST", `tickets/${id}/replies`, {
    message: "<p>A new one is on its way.</p>",
    creator: sue,
  });
  const other = await ask("POST", "tickets", {
    title: "Invoice",
    message: "Where is it?",
    creator: bo,
  });
  await ask("PUT", `tickets/${other["id"]}`, { status: 4 });
  return ask;
}

it("new tickets are counted in the bar and in the tab’s title, while the agent may read them", async () => {
  const ask = await twoTickets();
  const { page } = await visit();
  await logIn(page);
  const link = page.getByRole("link", { name: "Tickets 1" });
  await link.waitFor();
  await expect.poll(() => page.title()).toMatch(/^\(1\) /u);
  await link.click();
  await page.getByRole("button", { name: "All 2" }).waitFor();
  const { uuid } = await ask("POST", "users", { name: "Cy", address: "cy@shop.test" });
  await ask("POST", "tickets", { title: "One more", message: "Hello", creator: uuid });
  // It appears by an event, well before the list would be read again.
  await page.getByRole("button", { name: "All 3" }).waitFor({ timeout: 5_000 });
  // A search finds none, and does not change the counts.
  await page.getByRole("searchbox").fill("nothing like this");
  await page.getByText("Nothing found.").waitFor();
  expect(await page.title()).toMatch(/^\([12]\) /u);
  await page.getByRole("searchbox").fill("");
  await page.getByRole("button", { name: "New 2" }).waitFor();
  await expect.poll(() => page.title()).toMatch(/^\(2\) /u);
  // The agent's own ticket waits for an answer, until it has one.
  await page.getByRole("link", { name: /One more/ }).click();
  await page.getByRole("button", { name: "Take" }).click();
  await page.getByRole("button", { name: "Mine 1" }).waitFor();
  await page.getByRole("link", { name: "Chats", exact: true }).click();
  await page.getByRole("link", { name: "Tickets 2" }).waitFor();
  await page.goBack();
  await page.locator("#ticket-message").fill("It is on its way.");
  await page.keyboard.press("Control+Enter");
  await page.getByText("It is on its way.").first().waitFor();
  await page.getByRole("link", { name: "Chats", exact: true }).click();
  await page.getByRole("link", { name: "Tickets 1" }).waitFor();
});

it("a page of an earlier filter that fails late reports nothing under the present one", async () => {
  const ask = await twoTickets();
  const { uuid } = await ask("POST", "users", { name: "Cy", address: "cy@shop.test" });
  for (let number = 1; number <= 50; number += 1) {
    await ask("POST", "tickets", { title: `Lamp ${number}`, message: "Hello", creator: uuid });
  }
  const { page } = await visit();
  await logIn(page);
  await page.getByRole("link", { name: /^Tickets/ }).click();
  await page.getByRole("button", { name: "All 52" }).click();
  const held = Promise.withResolvers<void>();
  const isHeld = Promise.withResolvers<void>();
  await page.route(/\/tickets\?.*after=/, async (route) => {
    isHeld.resolve();
    await held.promise;
    await route.fulfill({ status: 500, json: {} });
  });
  await page.locator(".list").getByRole("button", { name: "More", exact: true }).click();
  await isHeld.promise;
  await page.getByRole("searchbox").fill("nothing like this");
  await page.getByText("Nothing found.").waitFor();
  const failed = page.waitForResponse((response) => response.status() === 500);
  held.resolve();
  await (await failed).finished();
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 100)));
  expect(await page.getByText("The service has a problem right now").count()).toBe(0);
});

it("an agent without the right to read tickets gets no count of them", async () => {
  await twoTickets();
  await site.house.ask("PUT", "agents/demo-agent", { rights: { TICKET_VIEW: false } });
  const { page } = await visit();
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await logIn(page);
  await page.getByText("You aren’t in any chats.").waitFor();
  expect(await page.title()).not.toContain("(");
  expect(await page.getByRole("link", { name: "Tickets" }).count()).toBe(0);
  expect(asked).not.toContain("/v1/tickets");
});

it("an agent lists, filters and reads tickets, and comes back to the chats", async () => {
  await twoTickets();
  const { page, complaints } = await visit();
  await logIn(page);
  const asked: string[] = [];
  page.on("request", (request) => {
    asked.push(`${request.url()} ${JSON.stringify(request.headers())} ${request.postData()}`);
  });
  await page.getByRole("link", { name: "Tickets" }).click();
  const rows = page.locator(".list .row");
  await page.getByRole("button", { name: "All 2" }).click();
  await expect
    .poll(() => rows.locator(".preview").allInnerTexts())
    .toEqual(["Bo · Solved", "Ana García · Spanish · New"]);
  expect(await axe(page)).toEqual([]);
  await page.getByRole("button", { name: "Solved 1" }).click();
  await expect.poll(() => rows.locator("strong").allTextContents()).toEqual(["Invoice"]);
  await page.getByRole("button", { name: "New 1" }).click();
  await page.getByRole("searchbox").fill("GARCÍA parcel".replace("Í", "í"));
  await expect.poll(() => rows.count()).toBe(1);
  await page.getByRole("searchbox").fill("nothing like this");
  await page.getByText("Nothing found.").waitFor();
  await page.getByRole("searchbox").fill("");
  await page.getByRole("link", { name: /hole/ }).click();
  const lines = page.locator(".ticket .said");
  await lines.first().waitFor();
  await expect
    .poll(() => lines.locator(".text").allTextContents())
    .toEqual([
      "My parcel is broken",
      "I am sorry.",
      "It & its box.",
      "hole.png",
      "A new one is on its way.",
    ]);
  await expect
    .poll(() => lines.locator(".who span").allTextContents())
    .toEqual(["Ana García", "Assistant", "Ana García", "Sue"]);
  await expect
    .poll(() => page.locator(".chat-title p").innerText())
    .toMatch(/^\w{3}-\d+ · New · Default · Ana García · Spanish ·\sana@shop.test$/);
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe("H2");
  const file = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download hole.png" }).click();
  expect((await file).suggestedFilename()).toBe("hole.png");
  expect(await axe(page)).toEqual([]);
  await picture(page, "desk-tickets");
  expect(complaints).toEqual([]);
  await page.reload();
  await lines.first().waitFor();
  await page.getByRole("link", { name: "Chats", exact: true }).click();
  await page.getByText("You aren’t in any chats.").waitFor();
  // The page only has the agent's token: neither a secret nor an API key.
  const held = await page.evaluate(() => JSON.stringify([sessionStorage, localStorage]));
  const sources = await page.content();
  expect([held, sources, ...asked].join("\n")).not.toMatch(/secret|demo-key|demo-modern/);
  expect(asked.length).toBeGreaterThan(5);
});

it.each(["light", "dark"] as const)(
  "a phone shows one pane at a time, in the %s",
  async (colorScheme) => {
    await twoTickets();
    const viewport = { width: 390, height: 780 };
    const { page, complaints } = await visit({ viewport, colorScheme });
    await logIn(page);
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("link", { name: "Tickets" }).click();
    await page.getByRole("link", { name: "Chats" }).waitFor({ state: "hidden" });
    await page.getByRole("link", { name: /hole/ }).click();
    const heading = page.getByRole("heading", { name: /hole/ });
    await heading.waitFor();
    expect(await page.locator(".list").isVisible()).toBe(false);
    expect(await axe(page)).toEqual([]);
    // An invitation ends soon, so it is shown above the ticket, too.
    const guest = await site.house.guest({ name: "Bob" });
    await guest.assign();
    await page.getByRole("button", { name: "Accept: Bob" }).waitFor();
    await picture(page, `desk-tickets-phone-${colorScheme}`);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(wide).toBe(390);
    await page.getByRole("button", { name: "Reject: Bob" }).click();
    await page.getByRole("button", { name: "Accept: Bob" }).waitFor({ state: "detached" });
    await page.getByRole("link", { name: "Tickets" }).click();
    await page.getByRole("searchbox").waitFor();
    expect(await heading.isVisible()).toBe(false);
    expect(await axe(page)).toEqual([]);
    expect(complaints).toEqual([]);
  },
);

it("without the right nothing leads to tickets, and the page says why there are none", async () => {
  await twoTickets();
  await site.house.agent("bea");
  const { page } = await visit();
  await logIn(page, "bea", "a long password");
  await page.getByRole("button", { name: "Team" }).waitFor();
  expect(await page.getByRole("link", { name: "Tickets" }).count()).toBe(0);
  await page.goto(`${site.house.url}/desk#tickets/1`);
  const reason = page.getByText("You don’t have the right TICKET_VIEW.");
  await reason.nth(1).waitFor();
  expect(await page.locator("body").innerText()).not.toMatch(/hole|Ana|Invoice/);
  // With the right, the button continues.
  const { agents } = await site.house.ask("GET", "agents");
  const bea = agents.find((one: { login: string }) => one.login === "bea");
  await site.house.ask("PUT", `agents/${bea.id}`, { rights: { TICKET_VIEW: true } });
  await page.getByRole("button", { name: "Try now" }).first().click();
  await page.locator(".list .row").first().waitFor();
});

it("a page that was opened before an update is loaded again for the tickets, with its drafts", async () => {
  await twoTickets();
  const { page } = await visit();
  await logIn(page);
  const guest = await site.house.guest({ name: "Bob" });
  await site.house.ask("POST", `chats/${guest.chat}/join`, { userId: "demo-agent" });
  const turn = (hash: string): Promise<void> =>
    page.evaluate((next) => void (location.hash = next), hash);
  await turn(`#chat/${guest.chat}`);
  await page.locator("#message").fill("half a sentence");
  // The service has the scripts of the new version alone.
  let isOld = true;
  await page.route("**/views/tickets/tickets.js", (route) =>
    isOld ? route.fulfill({ status: 404 }) : route.continue(),
  );
  page.once("domcontentloaded", () => {
    isOld = false;
  });
  await turn("#tickets");
  await page.getByRole("button", { name: "Try now" }).click();
  await page.locator(".list .row").first().waitFor();
  await turn(`#chat/${guest.chat}`);
  await page.locator("#message").waitFor();
  expect(await page.locator("#message").inputValue()).toBe("half a sentence");
});

it("a lost server is said and asked again, and a login that has ended comes back to the ticket", async () => {
  await twoTickets();
  const { page } = await visit();
  await logIn(page);
  // A login that ends before the lists are read is asked for on a page of its own.
  await page.getByText("Nobody is waiting.").waitFor();
  await page.getByRole("link", { name: "Tickets" }).click();
  await page.locator(".list .row").first().waitFor();
  await site.house.interrupt();
  await page.getByRole("searchbox").fill("parcel");
  await page.locator(".list").getByText("The service can’t be reached.").waitFor();
  await site.house.resume();
  await page.locator(".list").getByRole("button", { name: "Try now" }).click();
  await expect.poll(() => page.locator(".list .row").count()).toBe(1);
  const ticket = await page.getByRole("link", { name: /hole/ }).getAttribute("href");
  await site.house.ask("POST", "agents/logout", { agentId: "demo-agent" });
  // The event stream may have shown the login by now.
  await page.evaluate((address) => void (location.hash = address ?? ""), ticket);
  await page.getByRole("dialog").getByLabel("Password").fill("demo-agent");
  await page.getByRole("dialog").getByRole("button", { name: "Log in" }).click();
  await page.getByRole("heading", { name: /hole/ }).waitFor();
});

it("an agent writes a ticket for somebody who calls, and keeps what is typed over a chat and a reload", async () => {
  const { house } = site;
  await house.askOwner("POST", "queues", { name: "Returns" });
  await house.agent("Bea", { rights: { TICKET_VIEW: true, TICKET_EDIT: true } });
  const { page, complaints } = await visit();
  await logIn(page);
  await page.getByRole("link", { name: "Tickets" }).click();
  await page.getByRole("link", { name: "New ticket" }).click();
  const form = page.locator("form.fields");
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("new-name");
  await expect.poll(() => page.title()).toBe("New ticket – Desk");
  await page.keyboard.type("Ana García");
  await form.getByLabel("Email").fill("ana at shop");
  await form.getByLabel("Title").fill("The lamp flickers");
  await form.getByLabel("Description").fill("Since <yesterday>,\nand it hums");
  await form.getByLabel("Queue").selectOption("Returns");
  await form.getByLabel("Language").selectOption("Spanish");
  expect(await axe(page)).toEqual([]);
  await picture(page, "desk-new-ticket");
  await form.getByRole("button", { name: "Make a ticket" }).click();
  await form.getByText("This is not an email address.").waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("new-contact");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("ana@shop.test");
  // Another person is served in between, and the page is reloaded.
  const guest = await house.guest({ name: "Bob" });
  await guest.assign();
  await page.getByRole("button", { name: "Accept: Bob" }).click();
  await page.locator("#message").waitFor();
  await page.reload();
  await page.getByRole("link", { name: "Tickets", exact: true }).click();
  await page.getByRole("link", { name: "New ticket ✎" }).click();
  expect(await form.getByLabel("Name").inputValue()).toBe("Ana García");
  await expect.poll(() => form.getByLabel("Queue").inputValue()).toBe("2");
  // A message that can't be sent is kept, and sent once.
  await house.interrupt();
  await form.getByRole("button", { name: "Make a ticket" }).click();
  await form.getByText("The service can’t be reached.").waitFor();
  await house.resume();
  await form.getByRole("button", { name: "Make a ticket" }).click();
  await page.getByRole("heading", { name: "The lamp flickers" }).waitFor();
  await expect
    .poll(() => page.locator(".chat-title p").innerText())
    .toMatch(/· Open · Returns · Ana García · Spanish ·\sana@shop\.test$/u);
  // The agent wrote it, not Ana.
  const written = page.locator(".ticket .said", { hasText: "Since <yesterday>," });
  await expect.poll(() => written.locator(".who").innerText()).toBe("Sam");
  // It is the list beside it that shows this.
  await page.locator("[aria-pressed=true]", { hasText: "Mine 1" }).waitFor();
  await page.getByRole("link", { name: "New ticket", exact: true }).click();
  expect(await form.getByLabel("Title").inputValue()).toBe("");
  expect(await form.getByLabel("Assignee").inputValue()).toBe("demo-agent");
  // She calls again, and is offered as soon as her name begins; the ticket is for a colleague.
  await form.getByLabel("Name").pressSequentially("garcia");
  const offered = page.locator("#known-people li");
  await expect.poll(() => offered.allInnerTexts()).toEqual(["Ana García ana@shop.test"]);
  expect(await axe(page)).toEqual([]);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  expect(await form.getByLabel("Name").inputValue()).toBe("Ana García");
  expect(await form.getByLabel("Email").inputValue()).toBe("ana@shop.test");
  await form.getByLabel("Title").fill("It hums again");
  await form.getByLabel("Description").fill("Since noon");
  await form.getByLabel("Assignee").selectOption("Bea");
  await form.getByRole("button", { name: "Make a ticket" }).click();
  await page.getByRole("heading", { name: "It hums again" }).waitFor();
  await expect.poll(() => page.locator("#ticket-assignee").innerText()).toContain("Bea");
  await page.locator(".list").getByText("It hums again").waitFor();
  expect((await house.askOwner("GET", "tickets")).data).toHaveLength(2);
  // On a phone that is held sideways, the words can be read, and Send can be reached.
  await page.setViewportSize({ width: 844, height: 390 });
  const heightOfWords = (): Promise<number> =>
    page.locator(".messages").evaluate((words) => words.getBoundingClientRect().height);
  await expect.poll(heightOfWords).toBeGreaterThan(100);
  await page.locator("#ticket-message").fill("I see");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  // The browser reports the requests that failed while the house was closed.
  expect(complaints.filter((one) => !/ERR_|^failed: /u.test(one))).toEqual([]);
});

it("an agent who may only read tickets is offered no new one", async () => {
  await site.house.ask("PUT", "agents/demo-agent", { rights: { TICKET_EDIT: false } });
  const { page } = await visit();
  await logIn(page);
  await page.getByRole("link", { name: "Tickets" }).click();
  await page.getByText("Choose a ticket").waitFor();
  expect(await page.getByRole("link", { name: "New ticket" }).count()).toBe(0);
  await page.evaluate(() => void (location.hash = "#tickets/new"));
  await page.getByText("This is not allowed.").waitFor();
  expect(await page.locator("form.fields").count()).toBe(0);
});

it("the tab’s title names what is open", async () => {
  await twoTickets();
  await site.house.ask("PUT", "agents/demo-agent", { rights: { SUPERVISE: true } });
  const { page } = await visit();
  await logIn(page);
  const guest = await site.house.guest({ name: "Cleo" });
  const expectTitle = async (hash: string, title: string): Promise<void> => {
    await page.evaluate((address) => void (location.hash = address), hash);
    await expect.poll(() => page.title()).toMatch(new RegExp(`^(?:\\(\\d+\\) )?${title}$`, "u"));
  };
  await expectTitle("#tickets/2", "Invoice – Desk");
  await expectTitle(`#chat/${guest.chat}`, "Cleo – Desk");
  await expectTitle("#tickets", "Tickets – Desk");
  await expectTitle("#figures", "Figures – Desk");
  await expectTitle("#people/ticket-2", "Bo – Desk");
  await expectTitle("#", "Desk");
});

it("on a phone, every view shows that something waits in another one", async () => {
  const ask = await twoTickets();
  const { page } = await visit({ viewport: { width: 390, height: 844 } });
  await page.getByLabel("Login", { exact: true }).fill("demo-agent");
  await page.getByLabel("Password").fill("demo-agent");
  await page.getByRole("button", { name: "Log in" }).click();
  const more = page.locator(".bar-more");
  await page.getByRole("button", { name: "More 1", exact: true }).waitFor();
  expect(await axe(page)).toEqual([]);
  await more.click();
  await page.locator("#bar-menu").getByRole("link", { name: "Tickets 1" }).waitFor();
  await page.keyboard.press("Escape");
  const guest = await site.house.guest({ name: "Bob" });
  await guest.assign();
  await page.getByRole("button", { name: "Accept: Bob" }).click();
  await page.locator("#message").waitFor();
  const back = page.locator(".back");
  await expect.poll(() => back.locator(".badge").innerText()).toBe("1");
  const { uuid } = await ask("POST", "users", { name: "Cy", address: "cy@shop.test" });
  await ask("POST", "tickets", { title: "One more", message: "Hello", creator: uuid });
  await page.getByRole("link", { name: "Back to the chats 2", exact: true }).waitFor();
  expect(await axe(page)).toEqual([]);
  // While a ticket is open, the waiting chat is shown, and the tickets' own list shows the rest.
  await guest.say("Are you there?");
  await page.evaluate(() => void (location.hash = "#tickets/1"));
  await page.locator("#ticket-message").waitFor();
  await expect.poll(() => back.locator(".badge").innerText()).toBe("1");
  await back.click();
  await page.getByRole("button", { name: "More 1", exact: true }).waitFor();
  await more.click();
  await page.locator("#bar-menu").getByRole("link", { name: "Chats 1" }).waitFor();
});
