import { expect, it } from "vitest";
import { png } from "../../backend/ticketing/service.ts";
import { axe, picture } from "./chromium.ts";
import type { House } from "./desk-house.ts";
import { logIn } from "./desk-house.ts";
import { useDesk } from "./use-desk.ts";

const site = useDesk();
const { visit } = site;

type Ask = House["askOwner"];

/** Two tickets: Ana's with all that a ticket can have, and Bo's, which is solved. */
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
  // It appears by an event, well before any list would be read again by itself.
  await page.getByRole("button", { name: "All 3" }).waitFor({ timeout: 5_000 });
  // A search finds none, and changes nothing of what is counted.
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
    .toMatch(/^\w{3}-\d+ · New · Default · Ana García · Spanish · ana@shop.test$/);
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
  // What the page holds is the agent's token: neither a secret nor an API key.
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
    // An invitation ends soon: it is seen above the ticket too.
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
  const reason = page.getByText("(This agent has not the right TICKET_VIEW.)");
  await reason.nth(1).waitFor();
  expect(await page.locator("body").innerText()).not.toMatch(/hole|Ana|Invoice/);
  // Given the right, it goes on by the button.
  const { agents } = await site.house.ask("GET", "agents");
  const bea = agents.find((one: { login: string }) => one.login === "bea");
  await site.house.ask("PUT", `agents/${bea.id}`, { rights: { TICKET_VIEW: true } });
  await page.getByRole("button", { name: "Try now" }).first().click();
  await page.locator(".list .row").first().waitFor();
});

it("a lost server is said and asked again, and a login that has ended comes back to the ticket", async () => {
  await twoTickets();
  const { page } = await visit();
  await logIn(page);
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
  // The event stream may have asked for the login by now.
  await page.evaluate((address) => void (location.hash = address ?? ""), ticket);
  await page.getByRole("dialog").getByLabel("Password").fill("demo-agent");
  await page.getByRole("dialog").getByRole("button", { name: "Log in" }).click();
  await page.getByRole("heading", { name: /hole/ }).waitFor();
});
