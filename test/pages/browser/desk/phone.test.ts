import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { axe, picture } from "../chromium.ts";
import { logIn } from "./desk-house.ts";
import { findMisplaced } from "./find-misplaced.ts";
import { useDesk } from "./use-desk.ts";

const site = useDesk();

const heightOf = (page: Page, selector: string): Promise<number> =>
  page.locator(selector).evaluate((one) => one.getBoundingClientRect().height);

it("a ticket has more room than the field for its answer at 320 px, until something is written", async () => {
  const { askOwner: ask } = site.house;
  const { uuid: creator } = await ask("POST", "users", { name: "Ana", address: "ana@x.test" });
  await ask("POST", "tickets", { title: "Where is my parcel?", message: "It is late.", creator });
  const { page } = await site.visit();
  await logIn(page);
  await page.setViewportSize({ width: 320, height: 640 });
  await page.evaluate(() => void (location.hash = "#tickets/1"));
  const field = page.locator("#ticket-message");
  await field.waitFor();
  const empty = await heightOf(page, "#ticket-message");
  expect(empty).toBeLessThan(50);
  await picture(page, "desk-phone-ticket");
  await field.fill("One\nTwo\nThree\nFour");
  expect(await heightOf(page, "#ticket-message")).toBeGreaterThan(empty + 40);
});

it("the state after an answer can be read in full at 375 px", async () => {
  const { askOwner: ask } = site.house;
  const { uuid: creator } = await ask("POST", "users", { name: "Ana", address: "ana@x.test" });
  await ask("POST", "tickets", { title: "Lamp", message: "It is late.", creator });
  const cannedAnswers = [{ name: "hours", texts: { fr: "Jusqu’à six heures." } }];
  await site.house.ask("PUT", "canned-answers", { cannedAnswers });
  const { page } = await site.visit({ viewport: { width: 375, height: 667 }, locale: "fr-FR" });
  await page.locator("#login-login").fill("demo-agent");
  await page.locator("#login-password").fill("demo-agent");
  await page.locator("form button.primary").click();
  await page.locator(".link.live").waitFor({ state: "attached" });
  await page.evaluate(() => void (location.hash = "#tickets/1"));
  const state = page.locator(".next-state select");
  await state.waitFor();
  await page.getByRole("button", { name: "Réponses types" }).waitFor();
  const room = await state.evaluate((select: HTMLSelectElement) => {
    const { font, paddingInlineStart, paddingInlineEnd } = getComputedStyle(select);
    const canvas = document.createElement("canvas").getContext("2d");
    if (canvas === null) throw new Error("no canvas");
    canvas.font = font;
    const words = canvas.measureText(select.selectedOptions[0]?.text ?? "").width;
    return (
      select.clientWidth -
      Number.parseFloat(paddingInlineStart) -
      Number.parseFloat(paddingInlineEnd) -
      words
    );
  });
  // The browser's arrow takes the rest.
  expect(room).toBeGreaterThan(15);
});

it("a ticket's row names its queue in full at 320 px", async () => {
  const { askOwner: ask } = site.house;
  const queue = "Returns and complaints";
  await ask("POST", "queues", { name: queue });
  const ana = { name: "Ana-Sophia Mustermann", address: "ana@x.test" };
  const { uuid: creator } = await ask("POST", "users", ana);
  const lamp = { title: "Lamp", message: "Late", creator, queue: 2, language: "de" };
  await ask("POST", "tickets", lamp);
  const { page } = await site.visit({ viewport: { width: 320, height: 640 } });
  await logIn(page);
  await page.evaluate(() => void (location.hash = "#tickets"));
  const about = page.locator(".ticket-row .preview", { hasText: queue });
  await about.waitFor();
  const isWhole = await about.evaluate(
    (one) => one.scrollWidth <= one.clientWidth + 1 && one.scrollHeight <= one.clientHeight + 1,
  );
  expect(isWhole).toBe(true);
  expect(await findMisplaced(page)).toEqual([]);
});

it("a phone that is held sideways shows a chat's last words above the field", async () => {
  const guest = await site.house.guest();
  await site.house.ask("POST", `chats/${guest.chat}/join`, { userId: "demo-agent" });
  await guest.say("Where is my parcel?");
  const { page } = await site.visit();
  await logIn(page);
  await page.setViewportSize({ width: 844, height: 390 });
  await page.locator(".row").first().click();
  await page.locator("#message").waitFor();
  await page.getByRole("log").getByText("Where is my parcel?").waitFor();
  expect(await heightOf(page, ".messages")).toBeGreaterThan(90);
  await picture(page, "desk-phone-sideways");
});

it("an agent who can take no more chats reads why beside those that wait", async () => {
  await site.house.ask("PUT", "agents/demo-agent", { slots: 1 });
  const own = await site.house.guest();
  await site.house.ask("POST", `chats/${own.chat}/join`, { userId: "demo-agent" });
  const { page } = await site.visit();
  await logIn(page);
  const why = page.getByText("All your slots are taken.");
  await page.locator(".row").first().waitFor();
  expect(await why.count()).toBe(0);
  await site.house.guest({ name: "Wanda" });
  await why.waitFor();
  expect(await page.getByRole("button", { name: "Take: Wanda" }).isDisabled()).toBe(true);
  expect(await axe(page)).toEqual([]);
  await site.house.ask("DELETE", `chats/${own.chat}`);
  await why.waitFor({ state: "detached" });
});

const LONG = "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen";

it.each(["en-US", "de-DE", "fr-FR", "ar-EG"])(
  "phones and low windows leave room to read, and show every control (%s)",
  async (locale) => {
    const { house } = site;
    const cannedAnswers = [{ name: "hello", texts: { en: "Hello!" } }];
    await house.ask("PUT", "canned-answers", { cannedAnswers });
    const contact = "ana.maria.de.la.cruz@a-very-long-domain.example.com";
    const ana = { name: `Ana ${LONG}`, address: contact };
    const { uuid: creator } = await house.askOwner("POST", "users", ana);
    const ticket = { title: `Parcel ${LONG}`, message: "It is late.", creator, language: "de" };
    await house.askOwner("POST", "tickets", ticket);
    const guest = await house.guest({ name: ana.name, contact }, { lang: "es" });
    await house.ask("POST", `chats/${guest.chat}/join`, { userId: "demo-agent" });
    await guest.say(`Where is my parcel? ${LONG}`);
    const note = { author: "demo-agent", text: "Wants the blue one." };
    await house.ask("POST", `chats/${guest.chat}/notes`, note);
    const { page, complaints } = await site.visit({ locale });
    await page.locator("#login-login").fill("demo-agent");
    await page.locator("#login-password").fill("demo-agent");
    await page.locator("form button").last().click();
    await page.locator(".link.live").waitFor({ state: "attached" });
    const found: string[] = [];
    for (const [hash, field] of [
      [`#chat/${guest.chat}`, "#message"],
      ["#tickets/1", "#ticket-message"],
    ] as const) {
      await page.evaluate((next) => void (location.hash = next), hash);
      await page.locator(field).waitFor();
      // The share of the window's height that shows readable content.
      for (const [width, height, least] of [
        [320, 640, 250],
        [390, 800, 400],
        [844, 390, 120],
        [640, 360, 85],
        [820, 800, 350],
      ] as const) {
        await page.setViewportSize({ width, height });
        const state = `${hash.slice(0, 5)} ${width}x${height}`;
        const room = await heightOf(page, ".messages");
        if (room < least) found.push(`${state}: ${room} px to read`);
        found.push(...(await findMisplaced(page)).map((one) => `${state}: ${one}`));
      }
      if (hash === "#tickets/1") continue;
      await page.setViewportSize({ width: 320, height: 640 });
      await page.locator(".chat .menu > button").click();
      found.push(...(await findMisplaced(page)).map((one) => `menu: ${one}`));
      await page.locator("#chat-menu .close-chat").click();
      await page.locator("dialog[open]").waitFor();
      found.push(...(await findMisplaced(page)).map((one) => `close: ${one}`));
      await page.keyboard.press("Escape");
      await page.locator("dialog[open]").waitFor({ state: "detached" });
    }
    expect(found).toEqual([]);
    expect(await axe(page)).toEqual([]);
    expect(complaints).toEqual([]);
  },
);
