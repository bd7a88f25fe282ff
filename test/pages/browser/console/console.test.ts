import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { LINE_KEYS } from "../../../../src/config/schema/messages.ts";
import { ADMIN, CONFIG, PAUL, served, readAnswer } from "../../../gateway/console/console.ts";
import { shippedTexts } from "../../../clients/connectors/texts.ts";
import { axe, contrastOf, LATENESS, picture } from "../chromium.ts";
import {
  cell,
  lettersOf,
  openConsole,
  openSharedConsole,
  sentence,
  findWarning,
} from "./console-page.ts";

describe("the console, when it is opened,", () => {
  it("removes the token from the address, keeps it over a reload, and asks for it if there is none", async () => {
    const { page } = await openSharedConsole({}, "");
    await page.getByLabel("Token").fill("not-the-right-token");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").getByText("not known").waitFor();
    await page.getByLabel("Token").fill(ADMIN);
    await page.keyboard.press("Enter");
    await findWarning(page).waitFor();
    await page.reload();
    await findWarning(page).waitFor();
    await page.getByRole("button", { name: "Close the console" }).click();
    await page.getByLabel("Token").waitFor();
    await page.goto(`${page.url().replace(/#.*/s, "")}?#${ADMIN}`);
    await findWarning(page).waitFor();
    expect(page.url()).not.toContain(ADMIN);
  });

  it("shows the source of each text as letters, and opens a line by the keyboard alone", async () => {
    const { page } = await openSharedConsole();
    await page.getByRole("link", { name: "Coverage" }).click();
    await cell(page, "no-results, French: Yours").waitFor();
    // The heading is a row too.
    expect(await page.getByRole("row").count()).toBe(LINE_KEYS.length + 1);
    await cell(page, "welcome, French: Yours, A mistake, The check warns").waitFor();
    await page.getByRole("gridcell").first().focus();
    for (const key of ["End", "Control+Home", "ArrowDown", "ArrowRight", "ArrowUp"]) {
      await page.keyboard.press(key);
    }
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute("data-at")))
      .toBe("0 1");
    await cell(page, "no-results, French: Yours").focus();
    await page.keyboard.press("Enter");
    const line = page.getByRole("complementary");
    await line.getByText("messages/fr.yaml, line 1").waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("line-title");
    // What readers typed is shown as text, and never runs.
    await expect.poll(() => line.getByText("<elephants> & co?").count()).toBe(1);
    await line.getByText("fr-CH").waitFor();
    await picture(page, "console-line");
    await page.keyboard.press("Escape");
    await line.waitFor({ state: "detached" });
    await cell(page, "no-results, French: Yours").waitFor();
  });

  it("shows the texts where an address leads to contents, which a vendor's bot does not have", async () => {
    const { page } = await openSharedConsole();
    await page.locator(".sentences").waitFor();
    for (const route of ["contents", "contents/en/1", "import"]) {
      await page.evaluate((to) => (location.hash = `#/${to}`), route);
      await page.locator(".bar [aria-current=page]").getByText("Texts").waitFor();
      await page.locator("main").getByRole("heading", { name: "Texts" }).waitFor();
    }
  });

  it("tries a situation, and leads from what the reader sees to its line", async () => {
    const { page } = await openSharedConsole();
    await page.getByRole("link", { name: "Try", exact: true }).click();
    await page.getByLabel("The reader’s language").selectOption("fr");
    await page.getByLabel("The reader typed", { exact: true }).fill("Des éléphants ?");
    await page.locator(".spot").getByText("Rien pour « \u2068Des éléphants ?\u2069 ».").waitFor();
    await picture(page, "console-try");
    await page.getByLabel("The engine’s answer").fill("not json");
    await page.getByText("its JSON is damaged").waitFor();
    await page.getByLabel("Situation").selectOption({ label: "A conversation begins." });
    await page.locator(".spot b").getByText("vous", { exact: true }).waitFor();
    // In front of a vendor the owner can't talk with the bot.
    await page.getByText("Talk to the bot", { exact: true }).click();
    await page.getByText("The gateway has no key of its own").waitFor();
    await page.getByRole("button", { name: "Open this line" }).click();
    await page.getByRole("heading", { name: "A conversation begins. French · welcome" }).waitFor();
  });

  it("lists exchanges with what was done, and tells what is wrong with the files", async () => {
    const { page, running } = await openSharedConsole();
    const body = '{"message":"x"}';
    const headers = { "content-type": "application/json", "x-inbenta-key": "shop-key" };
    await fetch(`${running.url}/conversation/message`, { method: "POST", headers, body });
    await page.getByRole("link", { name: "Requests" }).click();
    await page.getByRole("row", { name: "POST /conversation/message" }).first().waitFor();
    await page.getByRole("cell", { name: "rewritten" }).first().waitFor();
    await picture(page, "console-requests");
    // Requests for the page's own files are not listed.
    expect(await page.getByRole("row", { name: "GET" }).count()).toBe(0);
    await page.getByLabel("Search by reason").fill("no such reason");
    await page.getByText("No request fits these filters.").waitFor();
    await page.getByLabel("Search by reason").fill("REWRITTEN");
    await page.getByRole("cell", { name: "rewritten" }).first().waitFor();
    const lines = await page.getByRole("cell", { name: "rewritten" }).count();
    await page.getByRole("button", { name: "Live" }).click();
    await fetch(`${running.url}/conversation/message`, { method: "POST", headers, body });
    await expect.poll(() => page.getByRole("cell", { name: "rewritten" }).count()).toBe(lines + 1);
    await page.getByRole("button", { name: "Pause" }).click();
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByRole("button", { name: "Copy as curl" }).first().click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toContain(`curl -X POST '${running.url}/conversation/message'`);
    expect(copied).toContain('"x-inbenta-key: $KEY"');
    expect(copied).not.toContain("shop-key");
    await page.getByRole("combobox", { name: "Bot" }).selectOption("bank");
    await expect.poll(() => page.getByRole("cell", { name: "rewritten" }).count()).toBe(0);
    await page.getByRole("combobox", { name: "Bot" }).selectOption("shop");
    await page.getByRole("link", { name: "Health" }).click();
    await page.getByText("messages/fr.yaml, line 3").waitFor();
    await page.getByText("The files are in use").waitFor();
    await page.getByText("No conversation is open.").waitFor();
    await page.getByRole("button", { name: "Try it as a client (shop)" }).click();
    await page.getByText("The gateway has no credentials for this bot.").waitFor();
    await picture(page, "console-health");
  });
});

const CLEAN = { "messages/fr.yaml": '# Ours\nno-results: "Rien." # short\n' };

describe("the console, when a line is changed,", () => {
  it("previews it, publishes it to the next reader, and takes it back", async () => {
    const house = await openConsole({}, `#${ADMIN}`, CLEAN);
    const { page } = house;
    await sentence(page, "no-results, French: Yours").focus();
    await page.keyboard.press("Enter");
    const field = page.getByLabel("Your text");
    await field.fill("Rien ");
    await page.getByRole("button", { name: "{{query}}" }).click();
    await expect.poll(() => field.inputValue()).toBe("Rien {{query}}");
    await field.fill("");
    await page.getByRole("alert").getByText("The text is empty.", { exact: true }).waitFor();
    await field.fill("Rien {{nobody}}");
    await page.getByText("nothing fills the placeholder").first().waitFor();
    await field.fill("Aucun <b>résultat</b>.");
    await page.locator(".previews b").getByText("résultat").first().waitFor();
    await field.fill("Rien pour {{query}}, <b>désolé</b>.");
    await page.locator(".previews dd").getByText("Do you sell <elephants> & co?").waitFor();
    await field.fill("Aucun <b>résultat</b>.");
    await page.locator(".previews").getByText("Aucun résultat.").first().waitFor();
    expect(await readAnswer(house, "fr")).toContain("Rien.");
    await picture(page, "console-edit");
    await page.getByRole("button", { name: "Try this line" }).click();
    await page.locator(".spot b").getByText("résultat", { exact: true }).waitFor();
    await page.getByLabel("With my draft").uncheck();
    await page.locator(".spot").getByText("Rien.").waitFor();
    await page.goBack();
    await page.getByRole("button", { name: "See the changes" }).click();
    // The change is shown first as a reader sees it, then as it will be in the file.
    await page.locator(".pairs .new b").getByText("résultat").waitFor();
    await page.locator(".pairs").getByText("Rien.").waitFor();
    await page.getByRole("button", { name: "In the files" }).click();
    await page.getByText('+no-results: "Aucun <b>résultat</b>." # short').waitFor();
    await page.getByRole("link", { name: "Changes 1" }).waitFor();
    await page.getByLabel("Note for the history").fill("friendlier");
    await picture(page, "console-changes");
    await page.keyboard.press("Enter");
    await page.getByText("Published: readers get it now").waitFor();
    expect(await readAnswer(house, "fr")).toContain("Aucun <b>résultat</b>.");
    await page.getByText("friendlier").waitFor();
    await page.getByText("admin changed “Nothing was found for the question” (French)").waitFor();
    await page.getByRole("button", { name: "Restore the texts from before" }).click();
    // Nothing happens before the author has seen the consequences.
    const question = page.locator(".restore");
    await question.getByText("This will change:").waitFor();
    await question.locator(".new").getByText("Rien.").waitFor();
    expect(await readAnswer(house, "fr")).toContain("Aucun <b>résultat</b>.");
    await picture(page, "console-restore");
    await page.getByRole("button", { name: "Cancel" }).click();
    await question.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Restore the texts from before" }).click();
    await page.getByRole("button", { name: "Restore", exact: true }).click();
    await page
      .getByText("admin took back #1: “Nothing was found for the question” (French)")
      .waitFor();
    expect(await readAnswer(house, "fr")).toContain("Rien.");
    await page.goBack();
    await page.getByRole("button", { name: "Let Afterword speak" }).click();
    await page.getByRole("button", { name: "See the changes" }).click();
    // Readers then get Afterword's sentence instead of nothing.
    const after = page.locator(".pairs .new");
    await after.locator("blockquote[lang=fr]").waitFor();
    expect(await after.locator("blockquote").textContent()).toBe(shippedTexts("fr")["no-results"]);
    await after.getByText("French: Afterword’s").waitFor();
  });

  it("lets the owner choose between two texts when another owner was faster", async () => {
    const house = await openConsole({}, `#${ADMIN}`, CLEAN);
    const { page, api } = house;
    await sentence(page, "no-results, French: Yours").click();
    await page.getByLabel("Your text").fill("À moi.");
    const json = { instance: "shop", text: "À toi." };
    await api("draft/fr/end-form", { method: "PUT", json: { ...json, text: "Fini." } });
    await api("draft/fr/welcome", { method: "PUT", json: { ...json, text: "Salut." } });
    await page.getByRole("button", { name: "See the changes" }).click();
    for (const line of ["no-results", "end-form"]) {
      await api(`draft/fr/${line}`, { method: "PUT", json, token: PAUL });
    }
    expect((await api("draft/publish", { json: {}, token: PAUL })).status).toBe(200);
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    await page.getByText("has been changed in the meantime").waitFor();
    await page.getByRole("radio", { name: "Yours À moi.", checked: true }).waitFor();
    await page.getByText("Theirs À toi.").first().waitFor();
    // Nobody else has changed the greeting, so there is nothing to choose.
    expect(await page.locator(".choice legend").count()).toBe(2);
    // The other line had Afterword's text.
    await page.getByText("Before: None of yours").waitFor();
    await picture(page, "console-conflict");
    expect(await readAnswer(house, "fr")).toContain("À toi.");
    await page.getByRole("button", { name: "Go on with these" }).click();
    await page.locator(".pairs").getByText("À toi.").first().waitFor();
    await page.locator(".pairs .new").getByText("Salut.").waitFor();
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    await page.getByText("Published: readers get it now").waitFor();
    expect(await readAnswer(house, "fr")).toContain("À moi.");
  });
});

const VIEWS = [
  "texts",
  "coverage",
  "texts/fr/welcome",
  "changes",
  "changes/log",
  "try/no-results/fr",
  "requests",
  "health",
] as const;
/** An element that is shown once a view is complete. */
const READY: Readonly<Record<(typeof VIEWS)[number], string>> = {
  texts: ".sentences",
  coverage: "[role=grid]",
  "texts/fr/welcome": "#line-title ~ * textarea, aside textarea",
  changes: "main h2",
  "changes/log": "main :is(table, .quiet)",
  "try/no-results/fr": ".spot",
  requests: "main :is(table, .quiet)",
  health: "main h2",
};

describe("the console, when its files cannot be changed,", () => {
  it("is for reading: lines open without a field, and nothing asks for a draft", async () => {
    const { page } = await openConsole({}, `#${ADMIN}`, {}, false);
    await page.getByLabel("Beside it").selectOption("French");
    await sentence(page, "no-results, French: Afterword’s").click();
    await page.getByRole("heading", { name: "no-results" }).waitFor();
    await page.locator(".previews").waitFor();
    expect(await page.getByLabel("Your text").count()).toBe(0);
    await page.getByRole("link", { name: "Changes" }).click();
    await page.getByText("This gateway does not know the files.").waitFor();
    expect(await page.getByRole("alert").count()).toBe(0);
  });

  it("says so where the configuration makes it read-only, and keeps texts and history readable", async () => {
    const config = `${CONFIG}console: { edit: false }\n`;
    const { page, api } = await openConsole({}, `#${ADMIN}`, {
      ...CLEAN,
      "afterword.yaml": config,
    });
    await sentence(page, "no-results, French: Yours").click();
    await page.locator(".previews").waitFor();
    expect(await page.getByLabel("Your text").count()).toBe(0);
    await page.getByRole("link", { name: "Changes" }).click();
    await page.getByText("The configuration makes the console read-only.").waitFor();
    await page.getByText("Nothing has been published yet.").waitFor();
    const json = { instance: "shop", text: "Rien du tout." };
    const refused = await api("draft/fr/no-results", { method: "PUT", json });
    expect(refused.status).toBe(403);
    expect(JSON.stringify(refused.body)).toContain("console: { edit: false }");
    expect((await api("draft")).status).toBe(403);
    expect((await api("history")).status).toBe(200);
  });

  it("gives a patch and a table to take away where the folder cannot be written", async () => {
    // Not even root can create a file there.
    const config = `${CONFIG}messages: { dir: /sys/kernel }\n`;
    const { page, api } = await openConsole({}, `#${ADMIN}`, { "afterword.yaml": config });
    const json = { instance: "shop", text: "Rien du tout." };
    expect((await api("draft/fr/no-results", { method: "PUT", json })).status).toBe(200);
    await page.getByRole("link", { name: "Changes" }).click();
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    await page.getByRole("alert").getByText("The files cannot be written here").waitFor();
    await page.locator("pre").getByText('+no-results: "Rien du tout."').first().waitFor();
    const coming = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save as a patch" }).click();
    expect(await readFile(await (await coming).path(), "utf8")).toContain("Rien du tout.");
    await page.getByRole("button", { name: "Save as CSV (shop.csv)" }).waitFor();
    // Nothing is lost: the draft is as before.
    await page.getByRole("link", { name: "Changes 1" }).waitFor();
    expect(await axe(page)).toEqual([]);
    await picture(page, "console-read-only");
  });

  it("says that nodes use different texts, and how to fix it", async () => {
    const other = await served({ "messages/fr.yaml": 'no-results: "Autre."\n' });
    const { page, running } = await openConsole();
    await findWarning(page).waitFor();
    let requests = 0;
    await page.route("**/_afterword/api/**", async (route) => {
      const to = requests++ % 2 === 0 ? running.url : other.running.url;
      const url = route.request().url().replace(running.url, to);
      await route.fulfill({ response: await route.fetch({ url }) });
    });
    const alert = page.getByRole("alert").getByText("Not every node uses the same texts");
    await expect
      .poll(async () => {
        await page.getByRole("link", { name: "Health" }).click();
        await page.getByRole("link", { name: "Requests" }).click();
        return alert.count();
      })
      .toBe(1);
    await page.getByRole("alert").getByText("apply the patch or import the CSV file").waitFor();
    await page.unrouteAll({ behavior: "wait" });
  });
});

describe("the console, everywhere,", () => {
  it.each([
    ["a phone", { viewport: { width: 390, height: 844 } }],
    [
      "a large screen in the dark",
      { viewport: { width: 1920, height: 1080 }, colorScheme: "dark" },
    ],
    ["a small screen", { viewport: { width: 1024, height: 700 } }],
  ] as const)("fits %s in all views", async (_, options) => {
    const { page } = await openSharedConsole(options);
    await findWarning(page).waitFor();
    for (const view of VIEWS) {
      await page.evaluate((to) => (location.hash = `#/${to}`), view);
      await page.locator("main :is(h2, table, .spot, .quiet):visible").first().waitFor();
      const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect([view, wider]).toEqual([view, 0]);
      await picture(page, `console-${options.viewport.width}-${view.replaceAll("/", "-")}`);
    }
    for (const selector of ["nav a", ".bar button", ".bar label span"]) {
      expect(await contrastOf(page, selector)).toBeGreaterThan(4.5);
    }
  });

  it.each([
    ["light", {}],
    ["dark", { viewport: { width: 390, height: 844 } }],
    ["dark", {}],
  ] as const)("has no accessibility fault in any view (%s, %j)", async (colorScheme, options) => {
    const { page, running } = await openSharedConsole({ ...options, colorScheme });
    // Makes a request, so that the list is not empty.
    const headers = { "content-type": "application/json", "x-inbenta-key": "shop-key" };
    const body = '{"message":"x"}';
    await fetch(`${running.url}/conversation/message`, { method: "POST", headers, body });
    // The page has removed the token from the address before it loads another one.
    await page.locator(READY.texts).first().waitFor();
    for (const view of VIEWS) {
      await page.evaluate((to) => (location.hash = `#/${to}`), view);
      await page.locator(READY[view]).first().waitFor();
      await page.getByText("Loading…").first().waitFor({ state: "detached" });
      expect([view, await axe(page)]).toEqual([view, []]);
    }
  });

  it("speaks Arabic from right to left, arrows included", async () => {
    const { page } = await openSharedConsole({ locale: "ar" });
    await page.locator(".sentences").waitFor();
    // The console's own words beside an English sentence still run from right to left.
    const letters = await lettersOf(page.locator(".sentence[dir=ltr] > small").first());
    expect(letters.first).toBeGreaterThan(letters.last);
    await page.evaluate(() => (location.hash = "#/coverage"));
    await page.getByRole("gridcell").first().focus();
    expect(await page.evaluate(() => document.documentElement.dir)).toBe("rtl");
    await page.keyboard.press("ArrowLeft");
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute("data-at")))
      .toBe("0 1");
    await picture(page, "console-arabic");
    await page.evaluate(() => (location.hash = "#/texts/fr/welcome"));
    // The finding is in Arabic, and its values are isolated from the line's direction.
    const finding = page.locator(".findings li").first();
    await finding.getByText("الوسم \u2068<b>\u2069 بلا نظير").waitFor();
  });

  it.skipIf(LATENESS > 0)("transfers at most 130 KB, and requests nothing twice", async () => {
    const { page, running } = await openSharedConsole();
    await findWarning(page).waitFor();
    const loaded = await page.evaluate(() =>
      performance.getEntriesByType("resource").map((entry) => ({
        name: entry.name,
        size: entry instanceof PerformanceResourceTiming ? entry.transferSize : 0,
      })),
    );
    expect(loaded.reduce((sum, { size }) => sum + size, 0)).toBeLessThan(130_000);
    for (const part of ["/api/session", "/api/texts?"]) {
      expect(loaded.filter(({ name }) => name.includes(part))).toHaveLength(1);
    }
    const again = await fetch(`${running.url}/_afterword/console`);
    const headers = { "if-none-match": again.headers.get("etag") ?? "" };
    expect((await fetch(`${running.url}/_afterword/console`, { headers })).status).toBe(304);
    expect(again.headers.get("content-security-policy")).toContain("trusted-types 'none'");
    expect((await fetch(`${running.url}/_afterword/console/x/main.js`)).status).toBe(404);
  });
});
