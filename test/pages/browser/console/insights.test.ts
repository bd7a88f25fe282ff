import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { BrowserContextOptions, Page } from "playwright-core";
import { expect, it } from "vitest";
import { playDemo } from "../../../../bench/demo/traffic.ts";
import { loadConfig } from "../../../../src/config/load/load.ts";
import { openInsightsDatabase } from "../../../../src/insights/tables.ts";
import type { InsightsReport } from "../../../../src/insights/facts.ts";
import { ADMIN, CONFIG, served } from "../../../gateway/console/console.ts";
import { ask } from "../../../insights/asking.ts";
import { axe, picture } from "../chromium.ts";
import { serveDemo } from "../demo.ts";
import { openConsole, openConsoleAt } from "./console-page.ts";

/** A shop with some days of simulated readers, and its address. */
async function playedShop(): Promise<string> {
  const { url } = await serveDemo({ AFTERWORD_ADMIN_TOKEN: ADMIN }, play);
  return url;
}

async function play(file: string): Promise<void> {
  const config = await loadConfig(file);
  await playDemo({ config, days: 9, perDay: 60, now: Date.now(), onDay: () => {} });
  const store = await openInsightsDatabase(join(config.data, "insights.db"));
  const since = Date.now() - 3 * 3_600_000;
  const gaps = [
    "the store was away",
    "a process ended suddenly, and its last second may be missing",
  ].map((why) => ({ since, until: since + 300_000, why }));
  await store.kysely.insertInto("insight_gaps").values(gaps).execute();
  await store.close();
}

const table = (page: Page, name: string) => page.getByRole("group", { name, exact: true });

it("leads an owner from the weakest French line to its text, and saves what it shows", async () => {
  const url = await playedShop();
  const page = await openConsoleAt(url);
  await page.getByLabel("Language", { exact: true }).first().selectOption("fr");
  const card = page.getByRole("button", { name: "Lines that help too few readers" });
  await expect.poll(() => card.isEnabled()).toBe(true);
  await card.focus();
  await page.keyboard.press("Enter");
  const first = page.getByRole("link", { name: /, French: / }).first();
  const helped = async (): Promise<number> =>
    Number(/Said \d+× · (\d+)% helped/.exec((await first.textContent()) ?? "")?.[1] ?? 100);
  await expect.poll(helped).toBeLessThan(67);
  const [weakest = ""] = ((await first.textContent()) ?? "").split(",");
  // The card names the line that is then the first.
  const row = page
    .locator(".sentences tr")
    .filter({ has: page.getByRole("link") })
    .first();
  expect(await row.textContent()).toContain((await card.locator("small").textContent()) ?? "?");
  expect(await axe(page)).toEqual([]);
  await picture(page, "console-said");

  await page.getByRole("link", { name: "Insights", exact: true }).click();
  await page.getByText("A demo has played").waitFor();
  await page.getByText("The store did not answer.").waitFor();
  await page.getByText("The server stopped suddenly.").waitFor();
  const lines = table(page, "By line");
  await page
    .locator("label")
    .filter({ hasText: "All languages" })
    .getByRole("combobox")
    .selectOption("fr");
  const weakestLink = lines.getByRole("link").first();
  await expect.poll(() => weakestLink.getAttribute("href")).toContain(`/${weakest}`);
  // A share stands beside its bar, also where the columns are narrow.
  const share = lines.locator("td:has(svg)").first();
  const isBeside = await share.evaluate((cell) => {
    const [bar, number] = Array.from(cell.children, (one) => one.getBoundingClientRect());
    return bar !== undefined && number !== undefined && number.top < bar.bottom;
  });
  expect(isBeside).toBe(true);
  for (const name of ["Over time", "By language", "Hand-overs", "Languages readers asked for"]) {
    await table(page, name).waitFor();
  }
  expect(await table(page, "Languages readers asked for").textContent()).toContain("Swahili");
  const coming = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save as CSV: By line" }).click();
  const download = await coming;
  expect(download.suggestedFilename()).toBe("shop-lines.csv");
  const saved = await readFile(await download.path(), "utf8");
  expect(saved).toMatch(/^\uFEFF"Line","Said","Not helped",.*\r\n"[a-z-]+","\d+","\d+",/);
  expect(saved).toContain(`\r\n"${weakest}",`);
  // The chart's legend leaves that of the letters as it is.
  await page.evaluate(() => (location.hash = "#/coverage"));
  await page.locator(".legend li").first().waitFor();
  const squares = await page.locator(".legend span").evaluateAll((all) => {
    return all.map((one) => getComputedStyle(one, "::before").content);
  });
  expect(new Set(squares)).toEqual(new Set(["none"]));
  await page.goBack();
  const days = page.getByRole("link", { name: "7 days" });
  await days.focus();
  await page.keyboard.press("Enter");
  await expect.poll(() => table(page, "Over time").getByRole("row").count()).toBe(8);
  expect(await namedColumns(page)).toEqual(await daysNamed(page, 2));
  // An owner who asks about the weekend finds it.
  const saturday = table(page, "Over time").getByRole("cell", { name: /^Sat, [A-Z][a-z]{2} \d+$/ });
  expect(await saturday.count()).toBe(1);
  expect(await axe(page)).toEqual([]);
  await picture(page, "console-insights");
  await weakestLink.click();
  await page.getByRole("heading", { name: new RegExp(`${weakest}$`) }).waitFor();

  const schemes: readonly BrowserContextOptions[] = [
    { locale: "ar", colorScheme: "dark", viewport: { width: 390, height: 800 } },
    { locale: "de", viewport: { width: 320, height: 640 } },
  ];
  for (const options of schemes) {
    const other = await openConsoleAt(url, `#${ADMIN}`, options);
    await other.locator(".attention button").nth(4).waitFor();
    await other.evaluate(() => (location.hash = "#/insights/365"));
    await other.locator(".column-chart").waitFor();
    expect(await axe(other)).toEqual([]);
    const over = await other.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(over).toBeLessThanOrEqual(0);
    await picture(other, `console-insights-${options.locale}`);
  }
}, 240_000);

it("explains how to begin where nothing is counted, and shows no figures", async () => {
  const { page } = await openConsole({});
  await page.locator(".sentence").first().waitFor();
  expect(await page.locator(".attention button").count()).toBe(3);
  expect(await page.locator(".said-count").count()).toBe(0);
  await page.getByRole("link", { name: "Insights", exact: true }).click();
  await page.getByText("Nothing is counted here.").waitFor();
  expect(await axe(page)).toEqual([]);
});

it("shows how often a published line did not help, before and after its publication", async () => {
  const settings = `${CONFIG}insights: { store: file }\n`;
  const house = await served({
    "afterword.yaml": settings,
    "messages/fr.yaml": "welcome: Salut\n",
  });
  const { api, running } = house;
  const put = { method: "PUT", json: { text: "Rien. Essayez d'autres mots ?" } };
  expect((await api("draft/fr/no-results", put)).status).toBe(200);
  expect((await api("draft/publish", { json: {} })).status).toBe(200);
  const day = 86_400_000;
  // Readers of a line, some of whom rate it badly: before the publication, on its day, and after.
  const groups = [
    { at: Date.now() - 3 * day, readers: 40, bad: 24 },
    { at: Date.now(), readers: 30, bad: 30 },
    { at: Date.now() + 2 * day, readers: 50, bad: 10 },
  ];
  const { insights } = running.gateway.core;
  for (const { at, readers, bad } of groups) {
    for (let reader = 0; reader < readers; reader++) {
      const session = `reader ${reader} of ${at}`;
      const question = { at, instance: "shop", language: "fr", session, typed: "question" };
      insights?.note(ask(question));
      const isNegative = reader < bad;
      insights?.note({ kind: "rating", at: at + 1000, instance: "shop", session, isNegative });
    }
  }
  const messages = async () => ((await api("insights")).body as InsightsReport).messages;
  await expect.poll(messages, { timeout: 20_000 }).toBe(120);

  const page = await openConsoleAt(running.url);
  await page.getByRole("link", { name: "Changes", exact: true }).click();
  await page.locator(".history summary").first().click();
  const compared = table(page, "Not helped, before and after");
  const cells = compared.getByRole("row").nth(1).getByRole("cell");
  // Wilson's and Newcombe's intervals of 24 in 40 and 10 in 50, worked out by hand.
  await expect
    .poll(() => cells.allTextContents())
    .toEqual([
      "“Nothing was found for the question” (French)",
      "60% (45% … 74%)",
      "20% (11% … 33%)",
      "-40% (-56% … -20%)",
    ]);
  expect(await compared.getByRole("row").count()).toBe(2);
  expect(await axe(page)).toEqual([]);
}, 120_000);

/** The days that the chart names, by the columns under which their names stand. */
async function namedColumns(page: Page): Promise<readonly (readonly [number, string | null])[]> {
  return page.locator(".column-chart").evaluate((chart) => {
    const lengths = Array.from(chart.querySelectorAll("rect:not(.alarm)")).length;
    const { left, width } = (chart.querySelector("svg") ?? chart).getBoundingClientRect();
    return Array.from(chart.querySelectorAll("p > span"), (name) => {
      const column = (name.getBoundingClientRect().left - left) / (width / lengths);
      return [Math.round(column * 10) / 10, name.textContent] as const;
    });
  });
}

/** Every so many days of the table below the chart. */
async function daysNamed(
  page: Page,
  every: number,
): Promise<readonly (readonly [number, string | null])[]> {
  const days = await table(page, "Over time").locator("tbody tr td:first-child").allTextContents();
  const dates = days.map((day) => day.trim().replace(/^[A-Z][a-z]{2}, /, ""));
  return dates.map((date, at) => [at, date] as const).filter(([at]) => at % every === 0);
}
