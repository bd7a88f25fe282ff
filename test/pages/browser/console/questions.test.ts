import { readFile } from "node:fs/promises";
import type { Locator } from "playwright-core";
import { expect, it } from "vitest";
import type { InsightsAnswer } from "../../../../src/api/console-insights.ts";
import { ADMIN, PAUL, VERA } from "../../../gateway/console/console.ts";
import { servedOwnBot } from "../../../gateway/console/own-bot.ts";
import { axe, picture } from "../chromium.ts";
import { lettersOf, openConsoleAt } from "./console-page.ts";

/** An embedded backend that keeps unanswered questions. */
const keepQuestions = () => servedOwnBot({}, "insights: { questions: true }\n");

it("turns unanswered questions into a content and a phrase, tried at once and answered since", async () => {
  const house = await keepQuestions();
  const { asked, running } = house;
  const wrapping = "Do you gift wrap presents?";
  await asked(wrapping);
  await asked(wrapping);
  await asked("Has my bundle been lost?");
  await asked("Is the moon a balloon?");
  const readGroups = async (): Promise<number | undefined> => {
    const { body } = await house.api("insights?questions=10");
    return (body as InsightsAnswer).questions?.length;
  };
  await expect.poll(readGroups, { timeout: 10_000 }).toBe(3);
  const page = await openConsoleAt(running.url);
  page.setDefaultTimeout(10_000);
  const group = (text: string) =>
    page.locator(".asked > li").filter({ has: page.getByRole("heading", { name: text }) });
  const questions = page.getByRole("link", { name: "Unanswered questions", exact: true });
  const insights = page.getByRole("link", { name: "Insights" }).first();
  const wrap = group("Do you gift wrap presents?");
  const bundle = group("Has my bundle been lost?");
  const card = page.locator(".attention").getByRole("button", { name: "Unanswered questions" });
  await card.getByText("Do you gift wrap presents?").waitFor();
  expect(await card.locator("b").textContent()).toBe("3");
  expect(await axe(page)).toEqual([]);
  await picture(page, "console-questions-home");
  await card.click();
  await wrap.getByText("Conversations: 2, last on").waitFor();
  expect(await axe(page)).toEqual([]);
  await picture(page, "console-questions");
  const coming = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save as CSV: Unanswered questions" }).click();
  const download = await coming;
  expect(download.suggestedFilename()).toMatch(/-questions\.csv$/u);
  const [head, ...saved] = (await readFile(await download.path(), "utf8")).trimEnd().split("\r\n");
  expect(head).toBe(
    '\uFEFF"Unanswered questions","Language","Conversations","Day","Closest content","%","Status"',
  );
  expect(saved).toHaveLength(3);
  expect(saved[0]).toMatch(/^"Do you gift wrap presents\?","English","2","\d{4}-\d\d-\d\d",/u);

  await wrap.getByRole("button", { name: "New content" }).click();
  expect(await page.getByLabel("Title").inputValue()).toBe("Do you gift wrap presents?");
  expect(await page.getByLabel("Ask a question").inputValue()).toBe("Do you gift wrap presents?");
  await page.locator(".hits").getByText("answers (100%)").waitFor();
  const mute = page.locator(".hits").getByText("It has no answer yet");
  await mute.waitFor();
  await page.getByRole("textbox", { name: "Answer" }).click();
  await page.keyboard.type("Yes, in green paper.");
  await page.getByText("Saved in your draft.").waitFor();
  await mute.waitFor({ state: "detached" });
  expect(await axe(page)).toEqual([]);

  await insights.click();
  await questions.click();
  await bundle.getByRole("button", { name: "Add to a content" }).click();
  // A keyboard user continues where the form begins, and returns to its button.
  const search = page.getByLabel("Search in contents");
  const hasFocus = (of: Locator) => of.evaluate((one) => one === document.activeElement);
  await expect.poll(() => hasFocus(search)).toBe(true);
  await bundle.getByRole("button", { name: "Cancel" }).click();
  const opener = bundle.getByRole("button", { name: "Add to a content" });
  await expect.poll(() => hasFocus(opener)).toBe(true);
  await opener.press("Enter");
  await search.fill("order");
  await expect
    .poll(() => page.locator(".answering select").locator("option").allTextContents())
    .toContain("Where is my order?");
  await page.locator(".answering select").selectOption({ label: "Where is my order?" });
  expect(await axe(page)).toEqual([]);
  await picture(page, "console-questions-phrase");
  await bundle.getByRole("button", { name: "Add to a content" }).click();
  await page.locator(".hits").getByText("Where is my order?").waitFor();
  expect(await page.getByLabel("Other ways to ask").inputValue()).toBe(
    "Track my parcel\nWhen will my order arrive?\nHas my bundle been lost?",
  );
  expect(await asked("Has my bundle been lost?")).not.toContain("tracking link");

  await page.getByRole("link", { name: "See the changes" }).click();
  await page.locator(".pairs .new").getByText("Yes, in green paper.").waitFor();
  const inSpite = page.getByLabel("Publish despite the warnings");
  if (await inSpite.isVisible()) await inSpite.check();
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  await page.getByText("Published: readers get it now").waitFor();
  expect(await asked("Do you gift wrap presents?")).toContain("green paper");
  expect(await asked("Has my bundle been lost?")).toContain("tracking link");
  await insights.click();
  await questions.click();
  await wrap.getByText(/^● Answered since .*: Do you gift wrap presents\?$/).waitFor();
  await bundle.getByText(/^● Answered since .*: Where is my order\?$/).waitFor();
  expect(await wrap.getByRole("button").count()).toBe(0);
  const [since, title] = await Promise.all([
    lettersOf(wrap.getByText(/^● Answered since/)),
    lettersOf(wrap.getByRole("heading")),
  ]);
  expect(Math.abs(since.first - title.first)).toBeLessThan(4);
  await page.getByRole("link", { name: "Texts", exact: true }).click();
  await card.getByText("Is the moon a balloon?").waitFor();
  expect(await card.locator("b").textContent()).toBe("1");
  expect(await axe(page)).toEqual([]);
  await picture(page, "console-questions-answered");

  const viewport = { width: 320, height: 640 };
  const phone = await openConsoleAt(running.url, `#${ADMIN}`, {
    locale: "ar",
    colorScheme: "dark",
    viewport,
  });
  phone.setDefaultTimeout(10_000);
  await phone.locator(".attention").waitFor();
  await phone.evaluate(() => (location.hash = "#/insights"));
  await phone.getByRole("link", { name: "أسئلة بلا إجابة", exact: true }).click();
  await phone.locator(".asked > li").nth(2).waitFor();
  await phone.getByRole("button", { name: "إضافة إلى محتوى" }).first().click();
  await phone.locator(".answering select").waitFor();
  expect(await axe(phone)).toEqual([]);
  expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  await picture(phone, "console-questions-phone");
}, 120_000);

it("dismisses a question that is not for the bot, for every owner, and shows it again", async () => {
  const { api, asked, running } = await keepQuestions();
  await asked("Do you gift wrap presents?");
  await asked("Is the moon a balloon?");
  const countGroups = async (): Promise<number | undefined> =>
    ((await api("insights?questions=10")).body as InsightsAnswer).questions?.length;
  await expect.poll(countGroups, { timeout: 10_000 }).toBe(2);
  const page = await openConsoleAt(running.url);
  page.setDefaultTimeout(10_000);
  const card = page.locator(".attention").getByRole("button", { name: "Unanswered questions" });
  await card.click();
  const moon = page.locator(".asked > li").filter({ hasText: "Is the moon a balloon?" });
  await moon.getByRole("button", { name: "Not for this bot" }).press("Enter");
  await moon.waitFor({ state: "detached" });
  expect(await page.evaluate(() => document.activeElement?.localName)).not.toBe("body");
  // Another owner, who also looks at what was dismissed.
  const other = await openConsoleAt(running.url, `#${PAUL}`);
  await other.locator(".attention").getByText("Do you gift wrap presents?").waitFor();
  expect(await other.locator(".attention").getByText("1 Unanswered questions").count()).toBe(1);
  await other.locator(".attention").getByText("Do you gift wrap presents?").click();
  await other.locator(".asked > li").first().waitFor();
  expect(await other.locator(".asked > li").count()).toBe(1);
  await other.getByLabel("Show questions that are not for this bot").check();
  await other.locator(".asked > li").nth(1).waitFor();
  expect(await axe(other)).toEqual([]);
  await other.getByRole("button", { name: "Show again" }).click();
  await other.getByRole("button", { name: "Show again" }).waitFor({ state: "detached" });
  await page.reload();
  await moon.waitFor();
}, 60_000);

it("shows readers’ questions only to those who may publish, and states how questions are stored", async () => {
  const { running, asked } = await keepQuestions();
  await asked("Do you gift wrap presents?");
  const page = await openConsoleAt(running.url, `#${VERA}`);
  const cards = page.locator(".attention button");
  await page.getByRole("button", { name: "Languages readers asked for" }).waitFor();
  expect(await cards.filter({ hasText: "Unanswered questions" }).count()).toBe(0);
  await page.getByRole("link", { name: "Insights" }).first().click();
  await page.getByRole("link", { name: "Unanswered questions", exact: true }).click();
  await page.getByText("Readers’ own words are shown only to those who may publish.").waitFor();
  expect(await page.locator(".asked > li").count()).toBe(0);
  expect(await axe(page)).toEqual([]);

  const off = await servedOwnBot({}, "insights: {}\n");
  const other = await openConsoleAt(off.running.url);
  await other.getByRole("button", { name: "Languages readers asked for" }).waitFor();
  expect(await other.getByRole("button", { name: "Unanswered questions" }).count()).toBe(0);
  await other.getByRole("link", { name: "Insights" }).first().click();
  await other.getByRole("link", { name: "Unanswered questions", exact: true }).click();
  await other.getByText("insights: { questions: true }").waitFor();
  expect(await axe(other)).toEqual([]);
}, 60_000);

it("counts no question of an owner who talks to the bot in Try", async () => {
  const house = await keepQuestions();
  const page = await openConsoleAt(house.running.url);
  await page.getByRole("link", { name: "Try", exact: true }).click();
  await page.getByLabel("Your message").fill("Is my uncle a unicorn?");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Is my uncle a unicorn?", pressed: true }).waitFor();
  await house.asked("Is the moon a balloon?");
  const readTexts = async (): Promise<readonly string[]> => {
    const { body } = await house.api("insights?questions=10");
    return ((body as InsightsAnswer).questions ?? []).map(({ text }) => text);
  };
  await expect.poll(readTexts, { timeout: 10_000 }).toEqual(["Is the moon a balloon?"]);
});
