import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { servedOwnBot } from "../../../gateway/console/own-bot.ts";
import { openConsoleAt, openOwnBotConsole, sentence } from "./console-page.ts";

/** The element that has the keyboard focus; empty if the focus is at the top of the page. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const at = document.activeElement;
    if (at === null || at === document.body) return "";
    return (at.getAttribute("aria-label") ?? at.textContent).replaceAll(/\s+/g, " ").trim();
  });

/** True if the element that has the focus shows it, inside the window. */
const isFocusShown = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    const at = document.activeElement ?? document.body;
    const { top, bottom } = at.getBoundingClientRect();
    const { outlineStyle } = getComputedStyle(at);
    return outlineStyle !== "none" && bottom > 0 && top < innerHeight;
  });

const expectFocus = async (page: Page, on: string | RegExp): Promise<void> => {
  await expect.poll(() => focused(page), { timeout: 5000 }).toMatch(on);
  expect(await isFocusShown(page)).toBe(true);
};

it("keeps the focus where a control goes with its view, its dialog or its content", async () => {
  const { page } = await openOwnBotConsole();
  page.setDefaultTimeout(10_000);
  const press = async (name: string, role: "button" | "link" = "button"): Promise<void> => {
    await page.getByRole(role, { name, exact: true }).first().press("Enter");
  };
  // Another view.
  await sentence(page, "no-results, English: Afterword’s").press("Enter");
  await expectFocus(page, /^Nothing was found/);
  await press("Try this line");
  await expectFocus(page, /^Try$/);
  await press("Open this line");
  await expectFocus(page, /^Nothing was found/);
  // The line that is open already.
  await sentence(page, "no-results, English: Afterword’s").press("Enter");
  await expectFocus(page, /^Nothing was found/);
  // A view that is loaded later, a content, and its copy.
  await press("Contents", "link");
  await page.getByRole("link", { name: /^Delivery times/ }).press("Enter");
  await expectFocus(page, /^Delivery times$/);
  await press("Copy");
  await expectFocus(page, /^Delivery times \(2\)$/);
  await press("Undo the change");
  await expectFocus(page, /^Contents$/);
  // A change that is taken back, and one that is published.
  await page.getByRole("link", { name: /^Delivery times/ }).press("Enter");
  await page.getByLabel("Title").fill("Delivery days");
  await page.getByText("Saved in your draft.").waitFor();
  await press("Undo the change");
  await expectFocus(page, /^Delivery times$/);
  await page.getByLabel("Title").fill("Delivery days");
  await page.getByText("Saved in your draft.").waitFor();
  await press("See the changes", "link");
  await expectFocus(page, /^Changes$/);
  await press("Publish");
  await page.getByText("Published: readers get it now").waitFor();
  await expectFocus(page, /^Changes$/);
  // A question that is answered with no.
  await press("Restore the texts from before");
  await expectFocus(page, /^This will change:/);
  await press("Cancel");
  await expectFocus(page, /^Restore the texts from before$/);
}, 60_000);

it("shows each filter whole when it has the focus, in the row of a phone", async () => {
  const { running } = await servedOwnBot();
  const viewport = { width: 390, height: 844 };
  const page = await openConsoleAt(running.url, undefined, { viewport, locale: "fr" });
  const filters = page.locator(".filters button");
  await filters.nth(7).waitFor();
  await filters.first().focus();
  for (let count = 1; count < 8; count++) {
    await page.keyboard.press("Tab");
    const filter = filters.nth(count);
    expect(await filter.evaluate((one) => one === document.activeElement)).toBe(true);
    const end = await filter.evaluate((one) => one.getBoundingClientRect().right);
    expect(end).toBeLessThanOrEqual(390);
  }
});

it("leaves the focus at the top of a page that is opened, and on the link to a view", async () => {
  const { running } = await servedOwnBot();
  const page = await openConsoleAt(running.url);
  await page.locator(".sentences").waitFor();
  expect(await focused(page)).toBe("");
  await page.getByRole("link", { name: "Changes", exact: true }).press("Enter");
  await page.getByRole("heading", { name: "Changes" }).waitFor();
  expect(await focused(page)).toBe("Changes");
});

it("leaves a field alone that was left, while its view changes", async () => {
  const { page } = await openOwnBotConsole();
  page.setDefaultTimeout(10_000);
  await page.getByRole("link", { name: "Contents", exact: true }).click();
  await page.getByRole("link", { name: /^Delivery times/ }).click();
  const title = page.getByLabel("Title");
  await title.fill("Delivery days");
  // As a phone's keyboard does when it is closed.
  await title.blur();
  await page.getByText("Saved in your draft.").waitFor();
  await page.getByRole("button", { name: "Undo the change" }).waitFor();
  expect(await title.evaluate((field) => field === document.activeElement)).toBe(false);
});
