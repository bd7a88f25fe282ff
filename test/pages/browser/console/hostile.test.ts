import { expect, it } from "vitest";
import type { InsightsAnswer } from "../../../../src/api/console-insights.ts";
import { picture } from "../chromium.ts";
import { openOwnBotConsole } from "./console-page.ts";

const MARKUP = `<img src=x onerror="window.hit=1"><svg onload=window.hit=1>"'><script>window.hit=1</script>`;
const LONG = "x".repeat(1500);

it("the texts of readers and authors are not executed in the console, and widen no page", async () => {
  const { page, asked, api } = await openOwnBotConsole({}, "insights: { questions: true }\n");
  await asked(`${MARKUP} \u202ewhere`);
  await asked("y".repeat(240));
  await expect
    .poll(
      async () => ((await api("insights?questions=10")).body as InsightsAnswer).questions?.length,
      { timeout: 10_000 },
    )
    .toBeGreaterThan(0);
  const answer =
    `<p>${LONG}</p><a href="javascript:window.hit=1">go</a><img src=x onerror="window.hit=1">` +
    `<a href="java\tscript:window.hit=1">on</a><iframe srcdoc="<script>parent.hit=1</script>"></iframe>`;
  const fields = {
    title: `${LONG.slice(0, 250)} ${MARKUP.slice(0, 90)}`,
    answer: [answer],
    alternatives: [`\u202e${MARKUP.slice(0, 80)}`],
  };
  await api("draft/contents/en/1", { method: "PUT", json: { fields } });
  const looks = [
    "#/",
    "#/insights",
    "#/insights/questions",
    "#/contents",
    "#/contents/en/1",
    "#/changes",
    "#/try",
  ];
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 800 });
    for (const place of looks) {
      await page.evaluate((hash) => void (location.hash = hash), place);
      await page.waitForLoadState("networkidle");
      await expect.poll(() => page.locator("main:visible").getByText("Loading…").count()).toBe(0);
      await picture(page, `console-hostile-${width}-${place.replaceAll(/\W/g, "_")}`);
      const found = await page.evaluate(() => ({
        hit: Reflect.get(window, "hit") ?? null,
        links: [...document.querySelectorAll("a[href]")]
          .map((one) => (one instanceof HTMLAnchorElement ? one.protocol : ""))
          .filter((one) => !["http:", "https:", "mailto:", "tel:"].includes(one)),
        inserted: document.querySelectorAll("main :is(script, iframe, [onerror], [onload])").length,
        // Only elements that widen the page: rows of figures scroll by themselves.
        wide: [...document.querySelectorAll("body *")]
          .filter(() => document.documentElement.scrollWidth > innerWidth)
          .filter((one) => one.getBoundingClientRect().right > innerWidth + 1)
          .map((one) => `${one.tagName}.${one.className}`),
      }));
      expect([place, found]).toEqual([place, { hit: null, links: [], inserted: 0, wide: [] }]);
    }
  }
});
