import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { axe, picture } from "../chromium.ts";
import { logIn } from "./desk-house.ts";
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
