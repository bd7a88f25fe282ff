import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import type { BrowserContextOptions, Locator, Page } from "playwright-core";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { parse } from "yaml";
import type { InsightsReport } from "../../../../src/insights/facts.ts";
import { startConversation } from "../../../clients/connectors/client.ts";
import { ADMIN, PAUL, VERA } from "../../../gateway/console/console.ts";
import { servedOwnBot } from "../../../gateway/console/own-bot.ts";
import { axe, picture } from "../chromium.ts";
import { openConsoleAt } from "./console-page.ts";

const run = promisify(execFile);

/** One embedded backend for all of these owners, each of whom restores its state. */
let house: Awaited<ReturnType<typeof servedOwnBot>>;
const ends: (() => unknown)[] = [];

beforeAll(async () => {
  const later = (end: () => unknown): void => void ends.push(end);
  house = await servedOwnBot({}, "insights: { questions: true }\n", later);
  const { say } = await startConversation(house.running.url, { lang: "fr" });
  // A reader who keeps asking without success: the line does not help.
  for (let asked = 0; asked < 12; asked++) await say({ message: "Quid des licornes bleues ?" });
  // Counts are written in batches, so a page that is opened earlier shows none.
  await vi.waitUntil(async () => (await readFailures()) >= 10, { timeout: 60_000 });
  return async () => {
    for (const end of ends.toReversed()) await end();
  };
});

/** How often the next question also found nothing, as counted by the console's API. */
async function readFailures(): Promise<number> {
  const headers = { authorization: `Bearer ${ADMIN}` };
  const response = await fetch(`${house.running.url}/_afterword/api/insights`, { headers });
  const { lines } = (await response.json()) as InsightsReport;
  return lines.find(({ line }) => line === "no-results")?.failed ?? 0;
}

/** The console's words in a language. */
function wordsIn(language: string): Readonly<Record<string, string>> {
  const file = new URL(`../../../../locales/pages/${language}.yaml`, import.meta.url);
  return parse(readFileSync(file, "utf8")).console;
}

/** How an owner uses the page. */
interface Hands {
  press(control: Locator): Promise<void>;
  write(field: Locator, text: string): Promise<void>;
  choose(field: Locator, value: string, name: string): Promise<void>;
}

const pointer: Hands = {
  press: (control) => control.click(),
  write: (field, text) => field.fill(text),
  choose: async (field, value) => void (await field.selectOption(value)),
};

/** A user without a mouse reaches everything with Tab. */
function createKeyboard({ keyboard }: Page): Hands {
  const reach = async (control: Locator): Promise<void> => {
    await control.waitFor();
    for (let step = 0; step < 200; step++) {
      if (await control.evaluate((one) => one === document.activeElement)) return;
      await keyboard.press("Tab");
    }
    throw new Error(`the keyboard does not reach ${String(control)}`);
  };
  return {
    async press(control) {
      await reach(control);
      await keyboard.press("Enter");
    },
    async write(field, text) {
      await reach(field);
      await keyboard.press("Control+A");
      await keyboard.type(text);
    },
    async choose(field, value, name) {
      await field.locator(`option[value="${value}"]`).waitFor({ state: "attached" });
      await reach(field);
      await keyboard.type(name);
      await expect.poll(() => field.inputValue()).toBe(value);
    },
  };
}

const link = (page: Page, name = "") => page.getByRole("link", { name, exact: true });
const button = (page: Page, name = "") => page.getByRole("button", { name, exact: true });

/** Publishes the draft that the page shows, and waits until it is in force. */
async function publish(page: Page, words: Readonly<Record<string, string>>, hands: Hands) {
  const control = button(page, words["publish"]);
  await control.waitFor();
  const inSpite = page.getByLabel(words["inSpite"] ?? "");
  if (await inSpite.isVisible()) await inSpite.check();
  await hands.press(control);
  await page.locator(".changes .good[role=status]").waitFor();
}

/** Takes the latest publication back. */
async function restore(page: Page, words: Readonly<Record<string, string>>, hands: Hands) {
  await hands.press(button(page, words["restore"]).first());
  const question = page.locator(".restore");
  await expect
    .poll(() => question.evaluate((one) => one.contains(document.activeElement)))
    .toBe(true);
  const answer = page.waitForResponse(/\/restore$/);
  await hands.press(button(page, words["restoreNow"]));
  expect((await answer).status()).toBe(200);
  await question.waitFor({ state: "detached" });
}

const owners: readonly (readonly [string, BrowserContextOptions, boolean])[] = [
  ["fr", { viewport: { width: 1280, height: 800 } }, false],
  ["ar", { viewport: { width: 390, height: 844 }, hasTouch: true, colorScheme: "dark" }, false],
  ["en", { viewport: { width: 1280, height: 800 } }, true],
];

describe("a new owner", () => {
  it.each(owners)(
    "finds the weakest French line, changes it, sees it said and takes it back (%s, %j, keyboard alone: %s)",
    async (locale, options, isKeyboard) => {
      const words = wordsIn(locale);
      const page = await openConsoleAt(house.running.url, `#${ADMIN}`, { ...options, locale });
      const hands = isKeyboard ? createKeyboard(page) : pointer;
      if (isKeyboard) await hands.press(page.locator(".skip"));
      const weakest = page.getByRole("button", { name: words["weakestLines"] ?? "" });
      const spoken = page.locator(".overview label").filter({ hasText: words["language"] ?? "" });
      await hands.choose(spoken.getByRole("combobox").first(), "fr", "French");
      await expect.poll(() => weakest.locator("b").textContent()).toBe("1");
      await hands.press(weakest);
      const line = page.locator(".sentence").first();
      await expect.poll(() => line.getAttribute("data-line")).toBe("no-results fr");
      const before = (await line.locator("bdi").textContent()) ?? "";
      expect(await house.asked("Quid ?", "fr")).toContain(before);

      await hands.press(line);
      await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("line-title");
      // Owners who never saw a code find the line by the moment in which it is shown.
      const heading = page.getByRole("heading", { name: words["useNoResults"] ?? "" });
      expect(await heading.getAttribute("id")).toBe("line-title");
      const own = page.getByLabel(words["yourText"] ?? "").and(page.locator("textarea"));
      await hands.write(own, `Reformulez (${locale}) ?`);
      await page.locator(".previews").getByText(`Reformulez (${locale}) ?`).first().waitFor();
      expect(await axe(page)).toEqual([]);
      await picture(page, `console-journey-${locale}`);
      expect(await house.asked("Quid ?", "fr")).toContain(before);
      await hands.press(button(page, words["seeChanges"]));
      await page.locator(".pairs .new").getByText(`Reformulez (${locale}) ?`).waitFor();
      await publish(page, words, hands);
      expect(await house.asked("Quid ?", "fr")).toContain(`Reformulez (${locale}) ?`);
      const outcome = page.locator(".published");
      // The hash is for operators who open the details.
      expect(await outcome.innerText()).toMatch(/#\d+ · .*admin.* · .+/u);
      expect(await outcome.locator("code").isVisible()).toBe(false);

      await restore(page, words, hands);
      expect(await house.asked("Quid ?", "fr")).toContain(before);
      const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(wider).toBeLessThanOrEqual(0);
    },
    120_000,
  );

  it("is told where the counts of readers cannot be read, and asks for them again", async () => {
    const page = await openConsoleAt(house.running.url, "");
    const words = wordsIn("en");
    await page.route(/api\/insights\?/, (route) => {
      return route.fulfill({ status: 422, json: { errors: [{ message: "The store is away." }] } });
    });
    await page.getByLabel(words["token"] ?? "").fill(ADMIN);
    await page.keyboard.press("Enter");
    const alert = page.locator(".overview").getByRole("alert");
    await alert.getByText("This did not work: The store is away.").waitFor({ state: "attached" });
    await page.unroute(/api\/insights\?/);
    const again = new RegExp(`${words["weakestLines"]}.*${words["again"]}`);
    await page.getByRole("button", { name: again }).click();
    await alert.waitFor({ state: "detached" });
  });

  it("writes a content, tries it, publishes it and takes it back by keyboard alone", async () => {
    const words = wordsIn("en");
    const page = await openConsoleAt(house.running.url);
    const hands = createKeyboard(page);
    await hands.press(link(page, words["contents"]));
    await hands.press(link(page, words["newContent"]));
    expect(await page.locator(".skip").count()).toBe(1);
    await hands.write(page.getByLabel(words["contentTitle"] ?? "", { exact: true }), "Gift wrap");
    await hands.write(page.getByLabel(words["otherPhrases"] ?? ""), "Do you wrap presents?");
    await hands.press(button(page, words["bold"]));
    // The button leaves the caret in the answer.
    await page.keyboard.type("In green paper.");
    // The next stop after the answer is the question that tries it.
    await page.keyboard.press("Tab");
    const asked = page.getByLabel(words["askContents"] ?? "");
    expect(await asked.evaluate((one) => one === document.activeElement)).toBe(true);
    await hands.write(asked, "wrap my presents");
    await page.locator(".hits").getByText("Gift wrap").waitFor();
    await hands.press(link(page, words["seeChanges"]));
    await page.locator(".pairs .new b").getByText("In green paper.").waitFor();
    await publish(page, words, hands);
    expect(await house.asked("Do you wrap presents?")).toContain("<b>In green paper.</b>");
    await restore(page, words, hands);
    await expect.poll(() => house.asked("Do you wrap presents?")).not.toContain("green paper");
  }, 120_000);
});

describe("two owners of one content", () => {
  it("keep each other’s words, and choose whose stay where both changed the same", async () => {
    const ana = await openConsoleAt(house.running.url, `#${ADMIN}`);
    const paul = await openConsoleAt(house.running.url, `#${PAUL}`);
    const words = wordsIn("en");
    const title = (page: Page) => page.getByLabel("Title", { exact: true });
    for (const page of [ana, paul]) {
      page.setDefaultTimeout(40_000);
      await link(page, words["contents"]).click();
      await page.getByRole("link", { name: "Delivery times" }).click();
      await title(page).waitFor();
    }
    const published = async (page: Page): Promise<void> => {
      await page.getByText("Saved in your draft.").waitFor();
      await link(page, words["seeChanges"]).click();
      await publish(page, words, pointer);
    };
    await title(ana).fill("How long delivery takes");
    await published(ana);

    // Paul has read the previous title.
    await title(paul).fill("Time of delivery");
    const asked = paul.locator(".theirs");
    await asked.getByText("has been changed in the meantime").waitFor();
    await asked.getByText("How long delivery takes", { exact: true }).waitFor();
    expect(await axe(paul)).toEqual([]);
    await picture(paul, "console-content-theirs");
    // It is visible while he types, at the top of a long form.
    expect(await asked.evaluate((one) => one.getBoundingClientRect().bottom <= innerHeight)).toBe(
      true,
    );
    expect(await title(paul).inputValue()).toBe("Time of delivery");
    await button(paul, words["theirs"]).click();
    await expect.poll(() => title(paul).inputValue()).toBe("How long delivery takes");
    await asked.waitFor({ state: "detached" });

    // Meanwhile both draft changes of the same content: first different ones, then the same.
    await ana.goBack();
    await title(ana).waitFor();
    await title(ana).fill("Delivery, in days");
    await published(ana);
    await paul.getByLabel(words["otherPhrases"] ?? "").fill("When does it come?");
    await title(paul).fill("Days until it is there");
    await asked.waitFor();
    await button(paul, words["yours"]).click();
    await published(paul);
    const { body } = await house.api("contents/en/2");
    expect(body).toMatchObject({
      fields: { title: "Days until it is there", alternatives: ["When does it come?"] },
    });
    for (let turn = 0; turn < 3; turn++) await restore(paul, words, pointer);
    expect(await house.asked("Delivery times")).toContain("Two to four working days.");
  }, 120_000);

  it("see everything and change nothing with a token to read", async () => {
    const words = wordsIn("en");
    const page = await openConsoleAt(house.running.url, `#${VERA}`);
    await link(page, words["contents"]).click();
    const row = page.getByRole("link", { name: "Where is my order?" });
    await row.waitFor();
    expect(await link(page, words["newContent"]).count()).toBe(0);
    await row.click();
    const title = page.getByLabel("Title", { exact: true });
    await title.waitFor();
    expect(await title.isEditable()).toBe(false);
    expect(
      await page.getByRole("textbox", { name: "Answer" }).getAttribute("contenteditable"),
    ).toBe("false");
    const section = page.locator(".content");
    expect(
      await section.locator("form :is(button, select, input[type=checkbox]):enabled").count(),
    ).toBe(0);
    // Trying a question changes nothing.
    await page.getByLabel(words["askContents"] ?? "").fill("track my parcel");
    await page.locator(".hits").getByText("Where is my order?").waitFor();
    expect(await axe(page)).toEqual([]);
    await link(page, words["changes"]).click();
    await page.locator(".history").waitFor({ state: "attached" });
    expect(await button(page, words["restore"]).count()).toBe(0);
  }, 60_000);
});

const VIEWS: readonly (readonly [string, string])[] = [
  ["texts", ".sentences"],
  ["texts/fr/no-results", ".editor"],
  ["insights", ".column-chart"],
  ["insights/questions", ".asked > li"],
  ["contents", ".rows li"],
  ["contents/en/1", ".content form"],
  ["requests", ".list tbody tr"],
  ["changes", ".changes .draft > .quiet"],
  ["changes/log", "main :is(table, .quiet)"],
  ["health", ".health dl"],
  ["try", ".spot"],
  ["try/no-results/fr", ".spot"],
  ["import", ".drop"],
];

describe("a request that an owner copies", () => {
  it.each(["/v1/auth", "/conversation", "/conversation/message", "/conversation/history"])(
    "is a command that a shell runs, without its secrets: %s",
    async (route) => {
      const { accessToken, session, get } = await startConversation(house.running.url);
      const { say } = await startConversation(house.running.url);
      await say({ message: "Quid ?" });
      await get("conversation/history");
      const page = await openConsoleAt(house.running.url);
      await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
      const words = wordsIn("en");
      await link(page, words["requests"]).click();
      const name = new RegExp(`(GET|POST) ${route}( |$)`);
      const row = page.locator(".list tbody tr").filter({ has: page.getByText(name) });
      await row
        .first()
        .getByRole("button", { name: words["copyCurl"] ?? "" })
        .click();
      await row
        .first()
        .getByRole("button", { name: words["copied"] ?? "" })
        .waitFor();
      const command = await page.evaluate(() => navigator.clipboard.readText());
      const secrets = {
        KEY: "demo-key",
        SECRET: "demo-secret",
        TOKEN: accessToken,
        SESSION: session,
      };
      for (const secret of Object.values(secrets)) expect(command).not.toContain(secret);
      const { stdout } = await run("sh", ["-c", `${command} -s -w ' %{http_code}'`], {
        env: { ...process.env, ...secrets },
      });
      expect(stdout).toMatch(/ 200$/);
    },
    60_000,
  );
});

describe("what an owner looks at", () => {
  it.each([390, 1280])(
    "stays where it is while it comes, %d pixels wide",
    async (width) => {
      const page = await openMeasured(width);
      for (const [view, ready] of VIEWS) {
        const shift = await measureShift(page, view, ready);
        expect([view, shift < 0.05, shift]).toEqual([view, true, shift]);
      }
    },
    120_000,
  );

  it.each([390, 1280])(
    "stays where it is while styles or counts come late, %d pixels wide",
    async (width) => {
      const page = await openMeasured(width);
      for (const late of [/\/insights\.css$/, /\/figures\.css$/, /api\/insights\?/]) {
        // As on a slow connection.
        await page.route(late, async (route) => {
          await setTimeout(500);
          await route.continue();
        });
        const shift = await measureShift(page, "insights", ".column-chart");
        expect([late, shift < 0.02, shift]).toEqual([late, true, shift]);
        await page.unroute(late);
      }
    },
    120_000,
  );
});

/** Opens the console in a browser that records unrequested movements. */
async function openMeasured(width: number): Promise<Page> {
  const viewport = { width, height: 800 };
  const page = await openConsoleAt(house.running.url, `#${ADMIN}`, { viewport });
  await page.locator(".sentences").waitFor();
  await page.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(globalThis, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push(Number(Reflect.get(entry, "value")));
    }).observe({ type: "layout-shift", buffered: true });
  });
  return page;
}

/** How much of a view moves while it is reloaded: its cumulative layout shift. */
async function measureShift(page: Page, view: string, ready: string): Promise<number> {
  await page.evaluate((to) => (location.hash = `#/${to}`), view);
  await page.reload({ waitUntil: "networkidle", timeout: 15_000 });
  await page.locator(ready).first().waitFor({ timeout: 15_000 });
  return page.evaluate(() => {
    const shifts: readonly number[] = Reflect.get(globalThis, "shifts");
    return shifts.reduce((sum, one) => sum + one, 0);
  });
}
