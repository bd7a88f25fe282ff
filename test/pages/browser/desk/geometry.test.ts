import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { axe, picture } from "../chromium.ts";
import { logIn } from "./desk-house.ts";
import { useDesk } from "./use-desk.ts";

const site = useDesk();

const WIDTHS = [390, 768, 820, 1024, 1280, 1440] as const;
const HEIGHT = 800;

/** What stands wrong on the page, for people to read; empty when everything has its place. */
function misplaced(page: Page): Promise<readonly string[]> {
  // Everything is measured in one go: a call for each element would take minutes.
  return page.evaluate(() => {
    type Box = Readonly<Record<"left" | "right" | "top" | "bottom", number>>;
    const found: string[] = [];
    const nameOf = (one: Element): string =>
      `${one.tagName}.${one.className} "${one.textContent.trim().slice(0, 30)}${one.getAttribute("aria-label") ?? ""}"`;
    const within = (inner: Box, outer: Box): boolean =>
      inner.left >= outer.left - 1 &&
      inner.right <= outer.right + 1 &&
      inner.top >= outer.top - 1 &&
      inner.bottom <= outer.bottom + 1;
    const tall = { top: -1e6, bottom: 1e6 };
    const isScrolled = (one: Element): boolean =>
      /auto|scroll/.test(getComputedStyle(one).overflowY);
    const scrollerOf = (one: Element): Element | null => {
      for (let at = one.parentElement; at !== null; at = at.parentElement) {
        if (isScrolled(at)) return at;
      }
      return null;
    };
    const isSeen = (one: Element): boolean =>
      one.checkVisibility({ contentVisibilityAuto: true, visibilityProperty: true }) &&
      one.closest(".unseen, .in-words") === null &&
      getComputedStyle(one).clipPath === "none";

    if (document.documentElement.scrollWidth > innerWidth) found.push("the page scrolls sideways");
    for (const one of document.querySelectorAll("body *")) {
      const { overflowX } = getComputedStyle(one);
      // Tables of numbers have more columns than a phone or an upright tablet has room for.
      const isWide = one.matches(".figure-table .scroll") && innerWidth < 1024;
      if (!isWide && /auto|scroll/.test(overflowX) && one.scrollWidth > one.clientWidth + 1) {
        found.push(`scrolls sideways: ${nameOf(one)}`);
      }
    }

    const screen = { left: 0, right: innerWidth, top: 0, bottom: innerHeight };
    const cards =
      ".card, dialog, :popover-open, .menu ul, .list, .chat-head, .composer, .instead, .bar, .details, .login, .top, .row, .bubble";
    // What lies over the rest is compared with its like alone.
    const layers = "dialog, :popover-open, .menu ul, .details, .to-end";
    const modal = document.querySelector("dialog[open]");
    const root = modal ?? document.body;
    const controls = [
      ...root.querySelectorAll<HTMLElement>("button, input, select, textarea, a[href], summary"),
    ].filter(isSeen);
    for (const one of controls) {
      const box = one.getBoundingClientRect();
      const scroller = scrollerOf(one);
      const room = { ...screen, ...(scroller !== null && tall) };
      if (!within(box, room)) found.push(`outside the window: ${nameOf(one)}`);
      const card = one.parentElement?.closest(cards) ?? null;
      if (card !== null) {
        const edge = card.getBoundingClientRect();
        const { left, right } = edge;
        if (!within(box, isScrolled(card) ? { left, right, ...tall } : edge)) {
          found.push(`outside its card: ${nameOf(one)} in ${nameOf(card)}`);
        }
      }
    }

    const texts = [...root.querySelectorAll<HTMLElement>("*")].filter(
      (one) =>
        isSeen(one) &&
        !one.matches("option, optgroup, script, style, noscript, noscript *") &&
        one.closest("select") === null &&
        [...one.childNodes].some(
          (node) => node.nodeType === Node.TEXT_NODE && (node.textContent ?? "").trim() !== "",
        ),
    );
    const pieces = [...new Set([...controls, ...texts])].flatMap((one) => {
      const layer = one.closest(layers);
      // Text that is broken over lines has a box in each.
      return [...one.getClientRects()].flatMap((box) => {
        let { left, right, top, bottom }: Box = box;
        for (let at = one.parentElement; at !== null; at = at.parentElement) {
          if (!/auto|scroll|hidden/.test(getComputedStyle(at).overflow)) continue;
          const edge = at.getBoundingClientRect();
          [left, right] = [Math.max(left, edge.left), Math.min(right, edge.right)];
          [top, bottom] = [Math.max(top, edge.top), Math.min(bottom, edge.bottom)];
        }
        const isThere = right - left > 1 && bottom - top > 1;
        return isThere ? [{ one, layer, box: { left, right, top, bottom } }] : [];
      });
    });
    const meet = (a: Box, b: Box): boolean =>
      Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
      Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2;
    for (const [at, a] of pieces.entries()) {
      for (const b of pieces.slice(at + 1)) {
        if (a.layer !== b.layer || a.one.contains(b.one) || b.one.contains(a.one)) continue;
        if (meet(a.box, b.box)) found.push(`overlap: ${nameOf(a.one)} and ${nameOf(b.one)}`);
      }
    }
    for (const opener of document.querySelectorAll<HTMLButtonElement>("[popovertarget]")) {
      const opened = opener.popoverTargetElement;
      if (!opened?.matches(":popover-open") || opener.closest(":popover-open") !== null) continue;
      if (meet(opener.getBoundingClientRect(), opened.getBoundingClientRect())) {
        found.push(`covered by what it opens: ${nameOf(opener)}`);
      }
    }

    for (const day of root.querySelectorAll<HTMLInputElement>('input[type="date"]')) {
      const { width } = day.getBoundingClientRect();
      day.style.width = "max-content";
      if (day.getBoundingClientRect().width > width + 1) found.push(`clipped: ${nameOf(day)}`);
      day.style.width = "";
    }

    // A focus ring of 3 px stands 2 px off its control: a label above has to keep clear of it.
    for (const label of root.querySelectorAll<HTMLLabelElement>("label[for]")) {
      const control = label.control;
      if (control === null || !isSeen(label) || !isSeen(control)) continue;
      const gap = control.getBoundingClientRect().top - label.getBoundingClientRect().bottom;
      const aside = control.getBoundingClientRect().top < label.getBoundingClientRect().bottom - 2;
      if (!aside && gap < 5) found.push(`${gap} px between ${nameOf(label)} and its field`);
    }
    const composer = document.querySelector(".composer, .instead");
    if (composer !== null && isSeen(composer)) {
      const { bottom } = composer.getBoundingClientRect();
      if (Math.abs(bottom - innerHeight) > 1) found.push(`the composer ends at ${bottom}`);
    }
    return found;
  });
}

/** Looks at the state that the page is in at every width, in light and dark. */
async function look(page: Page, state: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: HEIGHT });
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      const here = await misplaced(page);
      found.push(...here.map((one) => `${state}, ${width} px, ${colorScheme}: ${one}`));
      const lang = await page.evaluate(() => document.documentElement.lang);
      if (colorScheme === "light") await picture(page, `${lang}-${state}-${width}`);
    }
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

/** A chat of the demo agent's with everything that a chat can have, and four others. */
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

/** Asks the demo agent to take five chats. */
async function invite(): Promise<void> {
  for (const name of ["Dora", "Emil", "Femke", LONG, "Hugo"]) {
    const guest = await site.house.guest({ name }, { lang: "de", reason: "no-results" });
    await guest.say(`Where is my parcel? ${LONG}`);
    await guest.assign();
  }
}

it.each(["en-US", "ar-EG", "fi-FI"])(
  "everything has its place at every width, in light and dark (%s)",
  async (locale) => {
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
    const { page, complaints } = await site.visit({ locale });
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
    await page.locator("#chat-menu button").first().click();
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

it.each(["en-US", "ar-EG"])(
  "what was searched for, a person and the figures have their place at every width (%s)",
  async (locale) => {
    const { house } = site;
    const rights = { TICKET_VIEW: true, TICKET_EDIT: true, SUPERVISE: true };
    await house.ask("POST", "rooms", { id: "2", name: `Returns ${LONG}` });
    await house.ask("PUT", "agents/demo-agent", { slots: 12, rights, rooms: ["1", "2"] });
    await createTickets();
    const { chat } = await createChats();
    const { page, complaints } = await site.visit({ locale });
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
      // The page's head goes on to the edge of the window.
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
    // The one that came first stands first, whole, and the last can be reached.
    const names = invitations.locator("strong");
    expect((await names.allInnerTexts())[0]).toBe("Dora");
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
