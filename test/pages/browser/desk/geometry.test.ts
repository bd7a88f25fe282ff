import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { axe, picture } from "../chromium.ts";
import { logIn } from "./desk-house.ts";
import { findMisplaced } from "./find-misplaced.ts";
import { useDesk } from "./use-desk.ts";

/** Milliseconds by which the houses' clocks are put forward. */
let ahead = 0;
const site = useDesk(() => ahead);

const WIDTHS = [390, 768, 820, 1024, 1280, 1440] as const;
const HEIGHT = 800;

/**
 * Checks the current state of the page at every width. Light and dark differ in nothing but colours,
 * which no width changes.
 */
async function look(page: Page, state: string): Promise<readonly string[]> {
  const found: string[] = [];
  const lang = await page.evaluate(() => document.documentElement.lang);
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: HEIGHT });
    const here = await findMisplaced(page);
    found.push(...here.map((one) => `${state}, ${width} px: ${one}`));
    await picture(page, `${lang}-${state}-${width}`);
  }
  await page.setViewportSize({ width: 1280, height: HEIGHT });
  found.push(...(await axe(page)).map((one) => `${state}: ${one}`));
  return found;
}

const LONG = "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen";

/** Tickets of the demo's project: one with a conversation, one with long words. */
async function createTickets(): Promise<void> {
  const { askOwner } = site.house;
  const ana = { name: `Ana ${LONG}`, address: "ana@shop.test" };
  const { uuid: creator } = await askOwner("POST", "users", ana);
  const transcript = {
    lines: [
      { who: "reader", message: "أين طلبي رقم 5؟", created: 1_700_000_000 },
      { who: "bot", message: "I couldn’t find anything on that.", created: 1_700_000_001 },
      { who: "agent", name: "Ben", message: LONG, created: 1_700_000_002 },
    ],
  };
  for (const title of ["Where is my parcel?", `${LONG} ${LONG}`]) {
    const body = { title, message: "It is late.", creator, language: "ar", transcript };
    await askOwner("POST", "tickets", body);
  }
}

/** A chat of the demo agent with everything that a chat can have, and four others. */
async function createChats(): Promise<{ readonly chat: string }> {
  const { house } = site;
  const created = Math.floor(Date.now() / 1000) - 600;
  const history = [
    { sender: "assistant", message: "Hello! How can I help?", created },
    { sender: "user", message: "Where is my order?", created: created + 20 },
    {
      sender: "assistant",
      message: "I looked everywhere.\n[I couldn’t find anything on that.]",
      created: created + 21,
    },
  ];
  const about = {
    name: `Ana ${LONG}`,
    contact: "ana.maria.de.la.cruz@a-very-long-domain-of-a-shop.example.com",
    externalId: "ab".repeat(32),
    extraInfo: { conversation: "ab".repeat(32), language: "es", plan: "gold" },
  };
  const guest = await house.guest(about, { lang: "es", history });
  await house.ask("POST", `chats/${guest.chat}/join`, { userId: "demo-agent" });
  for (const text of ["Is anybody there?", LONG]) await guest.say(text);
  const notes = { author: "demo-agent", text: "Wants the blue one." };
  await house.ask("POST", `chats/${guest.chat}/notes`, notes);
  for (const name of ["Bob", "Chloé"]) {
    const other = await house.guest({ name });
    await house.ask("POST", `chats/${other.chat}/join`, { userId: "demo-agent" });
    await other.say("A question");
  }
  return guest;
}

/** Invites the demo agent to five chats. */
async function invite(): Promise<void> {
  for (const name of ["Dora", "Emil", "Femke", LONG, "Hugo"]) {
    const guest = await site.house.guest({ name }, { lang: "de", reason: "no-results" });
    await guest.say(`Where is my parcel? ${LONG}`);
    await guest.assign();
    // Invitations of the same second may be shown in any order.
    ahead += 1000;
  }
}

it.each([
  ["en-US", "light"],
  ["ar-EG", "dark"],
  ["fi-FI", "light"],
] as const)(
  "everything has its place at every width, and axe finds nothing (%s, %s)",
  async (locale, colorScheme) => {
    const { house } = site;
    await house.ask("PUT", "agents/demo-agent", { slots: 12 });
    await house.agent("bea", { name: LONG, online: true, slots: 4 });
    const cannedAnswers = ["hello", "hours", "return"].map((name) => ({
      name,
      texts: { en: `${LONG} ${name}` },
    }));
    await house.ask("PUT", "canned-answers", { cannedAnswers });
    await createTickets();
    const { chat } = await createChats();
    const { page, complaints } = await site.visit({ locale, colorScheme });
    await page.locator("#login-login").waitFor();
    const found = [...(await look(page, "login"))];
    await page.locator("#login-login").fill("demo-agent");
    await page.locator("#login-password").fill("demo-agent");
    await page.locator("form button").last().click();
    await page.locator(".link.live").waitFor({ state: "attached" });
    await page.locator(".row").nth(2).waitFor({ state: "attached" });
    found.push(...(await look(page, "list")));

    await page.evaluate((hash) => void (location.hash = hash), `#chat/${chat}`);
    await page.locator("#message").waitFor();
    found.push(...(await look(page, "chat")));
    await page.locator("#message").fill("/");
    await page.locator(".canned").waitFor();
    found.push(...(await look(page, "canned")));
    await page.locator("#message").fill("");
    await page.locator(".chat .menu > button").click();
    found.push(...(await look(page, "menu")));
    await page.locator("#chat-menu button:visible").first().click();
    await page.locator("#transfer-to").waitFor();
    found.push(...(await look(page, "hand-over")));
    await page.keyboard.press("Escape");
    await page.setViewportSize({ width: 1024, height: HEIGHT });
    await page.locator(".details-button").click();
    found.push(...(await look(page, "details")));
    await page.setViewportSize({ width: 1024, height: HEIGHT });
    await page.keyboard.press("Escape");
    await page.setViewportSize({ width: 1280, height: HEIGHT });

    await page.locator(".bar-menu > button").first().click();
    await page.locator("dialog li strong").nth(1).waitFor();
    found.push(...(await look(page, "team")));
    await page.keyboard.press("Escape");
    await page.locator('[popovertarget="alerts"]').click();
    await page.locator("#alerts").waitFor();
    found.push(...(await look(page, "alerts")));
    await page.keyboard.press("Escape");
    await page.setViewportSize({ width: 390, height: HEIGHT });
    await page.evaluate(() => void (location.hash = "#"));
    await page.locator(".bar-more").click();
    found.push(...(await look(page, "bar-menu")));
    await page.keyboard.press("Escape");

    await page.evaluate(() => void (location.hash = "#tickets"));
    await page.locator(".ticket-row").first().waitFor({ state: "attached" });
    found.push(...(await look(page, "tickets")));
    await page.evaluate(() => void (location.hash = "#tickets/1"));
    await page.locator("#ticket-message").waitFor();
    found.push(...(await look(page, "ticket")));

    await invite();
    await page.evaluate(() => void (location.hash = "#"));
    await page.locator(".invitation").nth(4).waitFor({ state: "attached" });
    found.push(...(await look(page, "invitations")));
    await page.evaluate((hash) => void (location.hash = hash), `#chat/${chat}`);
    await page.locator("#message").waitFor();
    found.push(...(await look(page, "chat-invited")));
    expect(found).toEqual([]);
    expect(complaints).toEqual([]);
  },
);

it.each([
  ["en-US", "dark"],
  ["ar-EG", "light"],
] as const)(
  "what was searched for, a person and the figures have their place at every width (%s, %s)",
  async (locale, colorScheme) => {
    const { house } = site;
    const rights = { TICKET_VIEW: true, TICKET_EDIT: true, SUPERVISE: true };
    await house.ask("POST", "rooms", { id: "2", name: `Returns ${LONG}` });
    await house.ask("PUT", "agents/demo-agent", { slots: 12, rights, rooms: ["1", "2"] });
    await createTickets();
    const { chat } = await createChats();
    const { page, complaints } = await site.visit({ locale, colorScheme });
    await page.locator("#login-login").fill("demo-agent");
    await page.locator("#login-password").fill("demo-agent");
    await page.locator("form button").last().click();
    await page.locator(".link.live").waitFor({ state: "attached" });
    await page.locator("#search").fill("ana");
    await page.locator(".filters summary").click();
    await page.locator("[aria-labelledby=list-found] .row").first().waitFor();
    await page.locator("[aria-labelledby=list-found-tickets] .row").nth(1).waitFor();
    const found = [...(await look(page, "search"))];
    await page.locator("#search").fill("zzz");
    await page.locator(".row").first().waitFor({ state: "detached" });
    found.push(...(await look(page, "nothing-found")));

    const { creator } = (await house.ask("GET", `chats/${chat}`)).chat;
    for (const [state, person] of [
      ["person", creator],
      ["asker", "ticket-2"],
    ]) {
      await page.evaluate((hash) => void (location.hash = hash), `#people/${person}`);
      const list = state === "person" ? "person-chats" : "person-tickets";
      await page.locator(`section:has(> #${list}) .row`).first().waitFor();
      found.push(...(await look(page, state)));
      // The page's head extends to the edge of the window.
      await page.setViewportSize({ width: 1440, height: HEIGHT });
      const right = await page.locator("main.person").evaluate((one) => {
        const { left, right: end } = one.getBoundingClientRect();
        return document.dir === "rtl" ? left : innerWidth - end;
      });
      expect(Math.round(right)).toBe(0);
    }
    await page.evaluate(() => void (location.hash = "#figures/week"));
    await page.locator(".figures table").nth(6).waitFor();
    found.push(...(await look(page, "figures")));
    expect(found).toEqual([]);
    expect(complaints).toEqual([]);
  },
);

it.each([390, 1024])(
  "five invitations leave own chats in sight and scroll by themselves, at %i px",
  async (width) => {
    const { house } = site;
    await house.ask("PUT", "agents/demo-agent", { slots: 12 });
    await createChats();
    const { page, complaints } = await site.visit({ viewport: { width, height: HEIGHT } });
    await logIn(page);
    await page.getByRole("region", { name: "My chats" }).locator(".row").nth(2).waitFor();
    await invite();
    const invitations = page.locator(".invitation");
    await invitations.nth(4).waitFor({ state: "attached" });
    const own = page.getByRole("region", { name: "My chats" });
    const bottomOf = (of: ReturnType<Page["locator"]>): Promise<number> =>
      of.evaluate((one) => one.getBoundingClientRect().bottom);
    expect(await bottomOf(own.locator(".row").first())).toBeLessThan(HEIGHT);
    // The earliest one is first and fully visible, and the last can be reached.
    const names = invitations.locator("strong");
    await expect.poll(() => names.allInnerTexts()).toMatchObject({ 0: "Dora", 4: "Hugo" });
    const accept = page.getByRole("button", { name: "Accept: Dora" });
    expect(await bottomOf(accept)).toBeLessThan(await bottomOf(page.locator(".invitations")));
    const last = page.getByRole("button", { name: "Accept: Hugo" });
    await last.focus();
    await expect
      .poll(async () => (await bottomOf(last)) <= (await bottomOf(page.locator(".invitations"))))
      .toBe(true);
    expect(await bottomOf(own.locator(".row").first())).toBeLessThan(HEIGHT);
    expect(await axe(page)).toEqual([]);
    await picture(page, `desk-five-invitations-${width}`);
    await last.click();
    await page.locator("#chat-name", { hasText: "Hugo" }).waitFor();
    expect(complaints).toEqual([]);
  },
);
