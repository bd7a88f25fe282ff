import { readFile } from "node:fs/promises";
import { parse } from "csv-parse/sync";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { axe, contrastOf, picture } from "../chromium.ts";
import { logIn } from "./desk-house.ts";
import { useDesk } from "./use-desk.ts";

const site = useDesk();
const { visit } = site;

const LEAD = { rights: { SUPERVISE: true } };

/** Creates three chats: one answered and closed, one in which the user wrote last, one unanswered. */
async function createThreeChats(): Promise<void> {
  const { house } = site;
  await house.ask("PUT", "agents/demo-agent", { ...LEAD, slots: 9 });
  const sam = { userId: "demo-agent" };
  const answer = (chat: string) =>
    house.ask("POST", `chats/${chat}/messages`, { sender: "demo-agent", message: "Hello" });
  for (const [name, isClosed] of [
    ["Ana", true],
    ["=Bo", false],
  ] as const) {
    const guest = await house.guest({ name }, { reason: "no-results" });
    await house.ask("POST", `chats/${guest.chat}/join`, sam);
    await guest.say("A question");
    await answer(guest.chat);
    await guest.say("And another one");
    if (isClosed) await house.ask("DELETE", `chats/${guest.chat}`, { ...sam, reason: "solved" });
  }
  await house.guest({ name: "Cy" }, { reason: "vip_customer" });
}

/** Reads the cells of a table, by its accessible name. */
async function cellsOf(page: Page, name: string): Promise<readonly (readonly string[])[]> {
  const rows = page.getByRole("group", { name, exact: true }).locator("tbody tr");
  await rows.first().waitFor();
  return rows.evaluateAll((all) =>
    all.map((row) => [...row.children].map(({ textContent }) => textContent.trim())),
  );
}

it("a lead sees who is waiting, how many chats began and who answered; other agents have no figures", async () => {
  const { page, complaints } = await visit();
  await logIn(page);
  expect(await page.getByRole("link", { name: "Figures" }).count()).toBe(0);
  await createThreeChats();
  await page.reload();
  await page.getByRole("link", { name: "Figures" }).click();
  await page.getByRole("heading", { name: "Figures" }).waitFor();
  const waiting = await cellsOf(page, "Waiting");
  expect(waiting.map((cells) => cells.slice(0, 4))).toEqual([
    ["=Bo", "The user wrote last", "Demo room", "Sam"],
    ["Cy", "Nobody has answered yet", "Demo room", "Nobody yet"],
  ]);
  expect(await cellsOf(page, "Waiting: By room")).toEqual([["Demo room", "1", "1", "0 min"]]);
  expect(await cellsOf(page, "Agents")).toEqual([["Sam", "Online", "Chats: 1 of 9"]]);
  const [all = []] = await cellsOf(page, "Chats");
  expect([all[0], all[1], all[2], all[5]]).toEqual(["3", "2", "0", "1"]);
  const counts = async (name: string) =>
    (await cellsOf(page, name)).map(([group, count]) => [group, count]);
  expect(await counts("Chats: By agent")).toEqual([
    ["Sam", "2"],
    ["Nobody yet", "1"],
  ]);
  expect(await counts("Chats: By reason for the hand-over")).toEqual([
    ["The bot found no answer", "2"],
    ["Vip customer", "1"],
  ]);
  expect(await counts("Chats: By reason for closing")).toEqual([
    ["–", "2"],
    ["Solved", "1"],
  ]);
  const hours = await counts("Chats: By hour of the day");
  expect([hours.length, hours[13]?.[0]]).toEqual([24, "1 PM"]);
  expect(hours.reduce((sum, [, count]) => sum + Number(count), 0)).toBe(3);
  expect(await page.locator(".column-chart rect").count()).toBe(24);
  await page.getByRole("link", { name: "90 days" }).click();
  expect(page.url()).toContain("#figures/quarter");
  await expect.poll(async () => (await cellsOf(page, "Chats"))[0]?.[0]).toBe("3");
  await picture(page, "desk-figures");
  await page
    .getByRole("group", { name: "Waiting", exact: true })
    .getByRole("link", { name: "Cy" })
    .click();
  await page.getByRole("heading", { name: "Cy" }).waitFor();
  expect(complaints).toEqual([]);
});

it("all who wait are counted, though only the first hundred are named", async () => {
  const { house } = site;
  await house.ask("PUT", "agents/demo-agent", LEAD);
  const creators = await Promise.all(
    Array.from({ length: 102 }, (_, index) => house.guest({ name: `Guest ${index}` })),
  );
  const { page } = await visit();
  await logIn(page);
  await page.getByRole("link", { name: "Figures" }).click();
  expect(await cellsOf(page, "Waiting")).toHaveLength(100);
  await page.getByRole("heading", { name: `Waiting ${creators.length}` }).waitFor();
});

it("a table is downloaded as CSV that runs no formula", async () => {
  await createThreeChats();
  const { page, complaints } = await visit();
  await logIn(page);
  await page.getByRole("link", { name: "Figures" }).click();
  const button = page.getByRole("button", { name: "Download as CSV: Waiting", exact: true });
  const [download] = await Promise.all([page.waitForEvent("download"), button.click()]);
  expect(download.suggestedFilename()).toBe("waiting.csv");
  const bytes = await readFile(await download.path());
  expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  const rows: { name: string; kind: string }[] = parse(bytes, { bom: true, columns: true });
  expect(rows.map(({ name, kind }) => [name, kind])).toEqual([
    ["'=Bo", "reply"],
    ["Cy", "first"],
  ]);
  expect(complaints).toEqual([]);
});

it("a person who begins to wait appears without a reload, and the page says which right was taken away", async () => {
  await createThreeChats();
  const { page } = await visit();
  await logIn(page);
  await page.getByRole("link", { name: "Figures" }).click();
  await page.getByRole("link", { name: "Cy" }).waitFor();
  // After a reload the figures may be read before the agent's rights are known.
  const read = page.waitForResponse(/figures\/chats-by-closing/);
  await page.route("**/v1/agents/demo-agent", async (route) => {
    await read;
    await route.continue();
  });
  await page.reload();
  await page.getByRole("heading", { name: "Tickets", exact: true }).waitFor();
  await page.getByRole("link", { name: /^Chats/u }).click();
  await page.getByRole("heading", { name: "My chats" }).waitFor();
  await page.getByRole("link", { name: "Figures" }).click();
  await page.getByRole("link", { name: "Cy" }).waitFor();
  await site.house.guest({ name: "Dee" });
  await page.getByRole("link", { name: "Dee" }).waitFor({ timeout: 20_000 });
  await site.house.ask("PUT", "agents/demo-agent", { rights: { SUPERVISE: false } });
  await page.getByRole("link", { name: "7 days" }).click();
  await page.getByText("You don’t have the right SUPERVISE.").first().waitFor();
});

it.each([
  ["light", "en-US"],
  ["dark", "ar"],
] as const)(
  "axe finds nothing in the %s scheme and in %s, on a screen and on a phone",
  async (scheme, locale) => {
    await createThreeChats();
    for (const width of [1280, 820, 390]) {
      const viewport = { width, height: 800 };
      const { page, complaints } = await visit({ colorScheme: scheme, locale, viewport });
      await page.locator("#login-login").fill("demo-agent");
      await page.locator("#login-password").fill("demo-agent");
      await page.keyboard.press("Enter");
      await page.locator(".link.live").waitFor();
      await page.evaluate(() => void (location.hash = "#figures/week"));
      await page.locator(".column-chart svg").first().waitFor();
      expect([width, await axe(page)]).toEqual([width, []]);
      const pageIsWider = await page.evaluate(
        () => document.documentElement.scrollWidth > innerWidth,
      );
      const viewIsWider = await page.evaluate(() => {
        const { scrollWidth, clientWidth } = document.querySelector(".figures") ?? document.body;
        return scrollWidth > clientWidth + 1;
      });
      expect([width, pageIsWider, viewIsWider]).toEqual([width, false, false]);
      expect(await contrastOf(page, ".figure-table th")).toBeGreaterThanOrEqual(4.5);
      expect(await contrastOf(page, ".figure-table .quiet")).toBeGreaterThanOrEqual(4.5);
      await picture(page, `desk-figures-${scheme}-${width}`);
      expect(complaints).toEqual([]);
    }
  },
);

it("the scripts and style sheets of figures load when the view is opened, not with the desk", async () => {
  await createThreeChats();
  const { page } = await visit();
  const requested: string[] = [];
  page.on("request", (request) => requested.push(request.url()));
  await page.reload();
  await logIn(page);
  const listFigureFiles = (): readonly string[] =>
    requested.filter((url) => /figure[\w-]*\.(?:js|css)$/.test(url));
  expect([
    requested.some((url) => url.endsWith("/views/chats/list.js")),
    listFigureFiles(),
  ]).toEqual([true, []]);
  await page.getByRole("link", { name: "Figures" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Figures" }).waitFor();
  const names = listFigureFiles().map((url) => url.split("/").at(-1));
  expect(names.toSorted()).toEqual([
    "figure-table.js",
    "figures-now.js",
    "figures.css",
    "figures.css",
    "figures.js",
    "figures.js",
  ]);
});
