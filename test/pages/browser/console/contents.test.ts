import { describe, expect, it } from "vitest";
import type { InsightsAnswer } from "../../../../src/api/console-insights.ts";
import { startConversation } from "../../../clients/connectors/client.ts";
import { axe, picture } from "../chromium.ts";
import { lettersOf, openOwnBotConsole } from "./console-page.ts";

describe("the contents in the console", () => {
  it("get a new one that is tried, seen in the changes, published and answered by the bot", async () => {
    const { page, asked } = await openOwnBotConsole();
    await page.getByRole("link", { name: "Contents", exact: true }).click();
    await page.getByRole("link", { name: "Where is my order?" }).waitFor();
    await picture(page, "console-contents");
    expect(await axe(page)).toEqual([]);
    await page.getByRole("link", { name: "New content" }).click();
    await page.getByLabel("Title").fill("Do you ship to Norway?");
    await page.getByLabel("Other ways to ask").fill("Delivery times\nShipping abroad");
    const answer = page.getByRole("textbox", { name: "Answer" });
    await answer.click();
    await page.getByRole("button", { name: "Bold" }).click();
    await page.keyboard.type("Yes, for 9.90.");
    await page.getByText("“Delivery times” also finds: Delivery times (100%)").waitFor();
    await page.getByLabel("Ask a question").fill("shipping to norway");
    await page.locator(".hits").getByText("Do you ship to Norway?").waitFor();
    await page.getByText("Saved in your draft.").waitFor();
    expect(await axe(page)).toEqual([]);
    await picture(page, "console-content");
    expect(await asked("Do you ship to Norway?")).not.toContain("9.90");
    await page.getByRole("link", { name: "See the changes" }).click();
    await page.locator(".pairs .new").getByText("Yes, for 9.90.").waitFor();
    expect(await axe(page)).toEqual([]);
    await page.getByRole("button", { name: "In the files" }).click();
    await page.getByText('answer: "<b>Yes, for 9.90.</b>"').waitFor();
    const publish = page.getByRole("button", { name: "Publish", exact: true });
    const inSpite = page.getByLabel("Publish despite the warnings");
    if (await inSpite.isVisible()) await inSpite.check();
    await publish.click();
    await page.getByText("Published: readers get it now").waitFor();
    expect(await asked("Do you ship to Norway?")).toContain("9.90");
    await page.getByText("admin changed “Do you ship to Norway?” (English)").waitFor();
  });

  it("show how often they answered, what readers did next, and the questions of readers", async () => {
    const { page, asked, api, running } = await openOwnBotConsole(
      {},
      "insights: { questions: true }\n",
    );
    await asked("track my parcel");
    await asked("Where is my order?");
    await asked("Où est ma commande ?", "fr");
    const { say } = await startConversation(running.url, { lang: "en" });
    await say({ message: "Where is my parcel?" });
    await say({ message: "is the moon a balloon?" });
    await expect
      .poll(async () => ((await api("insights")).body as InsightsAnswer).messages, {
        timeout: 10_000,
      })
      .toBe(5);
    await page.getByRole("link", { name: "Contents", exact: true }).click();
    const row = page.getByRole("link", { name: "Where is my order?" });
    await row.getByText("Said 3× · 0% helped").waitFor();
    expect(await axe(page)).toEqual([]);
    await row.click();
    const readers = page.getByRole("region", { name: "Readers", exact: true });
    await readers.getByText("Said 3× · 0% helped").waitFor();
    expect(await readers.locator("tbody tr").allInnerTexts()).toEqual(["Failed again\t1\t100%"]);
    const questions = readers.locator(".asked > li");
    await expect.poll(() => questions.count()).toBe(3);
    await readers.getByRole("heading", { name: "track my parcel" }).waitFor();
    expect(await questions.getByText("Conversations: 1, last on").count()).toBe(3);
    expect(await axe(page)).toEqual([]);
    await readers.scrollIntoViewIfNeeded();
    await picture(page, "console-content-readers");
    await readers.getByLabel("Period").selectOption({ label: "7 days" });
    await readers.getByText("Said 3×").waitFor();
    await page.getByRole("link", { name: "Back", exact: true }).click();
    await page.getByRole("link", { name: "Delivery times" }).click();
    await readers.getByText("Nothing was counted in this period.").waitFor();
    expect(await questions.count()).toBe(0);
    expect(await axe(page)).toEqual([]);
    // A long title among the related contents does not exceed a phone's width.
    const fields = { title: "How long does a delivery take, and what may I do when nobody comes?" };
    await api("draft/contents/en/2", { method: "PUT", json: { fields } });
    await page.setViewportSize({ width: 320, height: 700 });
    await page.getByRole("link", { name: "Back", exact: true }).click();
    await page.getByRole("link", { name: "Où est ma commande ?" }).getByText("Said 1×").waitFor();
    await page.getByRole("link", { name: "Où est ma commande ?" }).click();
    await readers.getByText("Said 1× · Too few readers yet").waitFor();
    await page.getByRole("link", { name: "Back", exact: true }).click();
    await page.getByRole("link", { name: "Where is my order?" }).click();
    await questions.first().waitFor();
    expect(await axe(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      320,
    );
  });

  it("show paragraphs and lists as readers see them, and are no longer counted once published", async () => {
    const { page, api } = await openOwnBotConsole();
    const answer = ["<p>You can pay by</p><ul><li>card</li><li>invoice</li></ul>"];
    await api("draft/contents/en/2", { method: "PUT", json: { fields: { answer } } });
    await page.getByRole("link", { name: "Contents", exact: true }).click();
    await page.getByRole("link", { name: "Delivery times" }).click();
    const listIn = (place: string) =>
      page
        .locator(place)
        .getByRole("list")
        .last()
        .evaluate((list) => getComputedStyle(list).listStyleType);
    expect(await listIn(".answer")).toBe("disc");
    const changes = page.getByRole("link", { name: /^Changes/ });
    await page.getByRole("link", { name: "See the changes" }).click();
    expect(await listIn(".pairs .new")).toBe("disc");
    expect(await changes.textContent()).toContain("1");
    await page.getByRole("button", { name: "Publish", exact: true }).waitFor();
    // The owner continues before the draft is read again.
    const held = Promise.withResolvers<void>();
    let reads = 0;
    await page.route("**/_afterword/api/draft", async (route) => {
      reads++;
      await held.promise;
      await route.continue();
    });
    const inSpite = page.getByLabel("Publish despite the warnings");
    if (await inSpite.isVisible()) await inSpite.check();
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    await page.getByText("Published: readers get it now").waitFor();
    await page.getByRole("link", { name: "Health" }).click();
    held.resolve();
    await expect.poll(() => changes.textContent()).not.toContain("1");
    expect(reads).toBe(1);
    // The bot's text is shown without its markup.
    await page.getByRole("link", { name: "Try", exact: true }).click();
    await page.getByLabel("Your message").fill("Delivery times");
    await page.keyboard.press("Enter");
    await page.locator(".spot blockquote li").first().getByText("card", { exact: true }).waitFor();
  });

  it("are named in the changes by the names of their categories and related contents", async () => {
    const { page, api } = await openOwnBotConsole();
    const fields = { categories: [2], related: [1, 3] };
    await api("draft/contents/en/2", { method: "PUT", json: { fields } });
    await page.getByRole("link", { name: /^Changes/ }).click();
    const fresh = page.locator(".pairs .new");
    await fresh.getByText("Categories: Delivery", { exact: true }).waitFor();
    const related = "Related contents: Where is my order?, Help with a complaint";
    await fresh.getByText(related, { exact: true }).waitFor();
    const inSpite = page.getByLabel("Publish despite the warnings");
    if (await inSpite.isVisible()) await inSpite.check();
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    await page.locator(".history").getByText("Details").first().click();
    await page.locator(".history .new").getByText(related, { exact: true }).waitFor();
  });

  it("take a link with the address as people write it, and say so when it is none", async () => {
    const { page } = await openOwnBotConsole();
    page.setDefaultTimeout(10_000);
    await page.getByRole("link", { name: "Contents", exact: true }).click();
    await page.getByRole("link", { name: "Delivery times" }).click();
    const answer = page.getByRole("textbox", { name: "Answer" });
    const link = async (typed: string): Promise<void> => {
      page.once("dialog", (dialog) => void dialog.accept(typed));
      await page.getByRole("button", { name: "Link", exact: true }).press("Enter");
    };
    await answer.press("Control+A");
    await link("not an address");
    await page.getByRole("alert").getByText("This is not an address for a link.").waitFor();
    expect(await axe(page)).toEqual([]);
    await link("example.com/delivery");
    expect(await answer.locator("a").getAttribute("href")).toBe("https://example.com/delivery");
    expect(await page.getByRole("alert").count()).toBe(0);
    // Without chosen words the address is what readers see.
    await answer.press("End");
    await page.keyboard.type(" or ");
    await link("help@example.com");
    const mail = answer.locator("a[href='mailto:help@example.com']");
    expect(await mail.textContent()).toBe("mailto:help@example.com");
  });

  it("keep what was typed while the gateway did not answer, and send it later", async () => {
    const { page, api } = await openOwnBotConsole();
    page.setDefaultTimeout(10_000);
    const open = async (): Promise<void> => {
      await page.getByRole("link", { name: "Contents", exact: true }).click();
      await page.getByRole("link", { name: "Delivery times" }).click();
    };
    await open();
    const drafts = "**/_afterword/api/draft/contents/**";
    const refuse = () => page.route(drafts, (route) => route.fulfill({ status: 409, body: "{}" }));
    await refuse();
    await page.getByLabel("Title").fill("Delivery days");
    await page.getByRole("button", { name: "Try again" }).waitFor();
    expect(await axe(page)).toEqual([]);
    // The owner goes on, reads it there, and finds the words again.
    await page.getByRole("link", { name: "Try", exact: true }).click();
    await page.getByRole("alert").getByRole("link", { name: "Open this content" }).click();
    await expect.poll(() => page.getByLabel("Title").inputValue()).toBe("Delivery days");
    // Once the opened form was refused too, it sends nothing by itself.
    await page.getByRole("button", { name: "Try again" }).waitFor();
    await page.unroute(drafts);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByText("Saved in your draft.").waitFor();
    const { contents } = (await api("draft")).body as { contents: readonly object[] };
    expect(contents).toMatchObject([{ id: 2, after: { title: "Delivery days" } }]);
    // Nobody has to press anything once the browser is online again.
    await refuse();
    await page.getByLabel("Other ways to ask").fill("how fast");
    await page.getByRole("button", { name: "Try again" }).waitFor();
    await page.unroute(drafts);
    await page.evaluate(() => dispatchEvent(new Event("online")));
    await page.getByText("Saved in your draft.").waitFor();
  });

  it("ask whose words stay where another tab changed those that could not be sent", async () => {
    const { page, api } = await openOwnBotConsole();
    page.setDefaultTimeout(10_000);
    await page.getByRole("link", { name: "Contents", exact: true }).click();
    await page.getByRole("link", { name: "Delivery times" }).click();
    const drafts = "**/_afterword/api/draft/contents/**";
    await page.route(drafts, (route) => route.fulfill({ status: 409, body: "{}" }));
    await page.getByLabel("Title").fill("Delivery days");
    await page.getByRole("button", { name: "Try again" }).waitFor();
    await page.getByRole("link", { name: "Try", exact: true }).click();
    const other = { fields: { title: "Delivery weeks" }, seen: { title: "Delivery times" } };
    expect((await api("draft/contents/en/2", { method: "PUT", json: other })).status).toBe(200);
    await page.unroute(drafts);
    await page.getByRole("alert").getByRole("link", { name: "Open this content" }).click();
    await page.locator(".theirs").getByText("Delivery weeks", { exact: true }).waitFor();
    expect(await page.getByLabel("Title").inputValue()).toBe("Delivery days");
    const { contents } = (await api("draft")).body as { contents: readonly object[] };
    expect(contents).toMatchObject([{ id: 2, after: { title: "Delivery weeks" } }]);
  });

  it("are asked again once the draft has changed, with what it says then", async () => {
    const { page, api } = await openOwnBotConsole();
    await page.getByRole("link", { name: "Contents", exact: true }).click();
    await page.getByRole("link", { name: "Where is my order?" }).click();
    await page.getByLabel("Ask a question").fill("Is the moon a balloon?");
    await page.getByText("No content answers.").waitFor();
    // The same owner continues elsewhere: another content gets the question.
    const fields = { alternatives: ["Is the moon a balloon?"] };
    const put = await api("draft/contents/en/2", { method: "PUT", json: { fields } });
    expect(put.status).toBe(200);
    await page.getByText("More", { exact: true }).click();
    await page.getByLabel("Shown until").fill("2099-01-01");
    await page.locator(".hits").getByText("Delivery times").waitFor();
    await page.getByText("answers (100%)").waitFor();
  });

  it("are searched and changed on a phone, in Arabic, with what is typed kept for who goes on", async () => {
    const viewport = { width: 390, height: 844 };
    const { page } = await openOwnBotConsole({ viewport, locale: "ar" });
    await page.getByRole("link", { name: "المحتويات", exact: true }).click();
    await page.getByLabel("البحث في المحتويات").fill("ou commande");
    await expect.poll(() => page.locator(".rows li").count()).toBe(1);
    expect(await axe(page)).toEqual([]);
    // A French title ends with its question mark on the right, and is aligned with the page.
    const title = await lettersOf(page.locator(".rows li b").first());
    expect(title.first).toBeLessThan(title.last);
    expect(title.last).toBeGreaterThan(viewport.width / 2);
    await page.getByRole("link", { name: "Où est ma commande ?" }).click();
    const heading = await lettersOf(page.getByRole("heading", { name: "Où est ma commande ?" }));
    expect(heading.first).toBeLessThan(heading.last);
    expect(heading.last).toBeGreaterThan(viewport.width / 2);
    await page.getByLabel("العنوان", { exact: true }).fill("Où est mon colis ?");
    // Going back at once loses no typed letter.
    await page.getByRole("link", { name: "رجوع" }).click();
    await page.getByLabel("البحث في المحتويات").fill("colis");
    await page.getByRole("link", { name: "Où est mon colis ?" }).waitFor();
    await page.getByRole("link", { name: "Où est mon colis ?" }).click();
    await page.getByLabel("العنوان", { exact: true }).waitFor();
    expect(await axe(page)).toEqual([]);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(wide).toBeLessThanOrEqual(viewport.width);
    await picture(page, "console-content-phone");
  });

  it("of the draft are found in Try by a question that the bot cannot answer yet", async () => {
    const { page, api } = await openOwnBotConsole();
    page.setDefaultTimeout(30_000);
    const fields = { title: "Can I bring my dog?", answer: ["<p>Yes.</p>"] };
    expect((await api("draft/contents/en", { json: { fields } })).status).toBe(200);
    await page.getByRole("link", { name: "Try", exact: true }).click();
    await page.getByLabel("Your message").fill("can i bring my dog");
    await page.keyboard.press("Enter");
    await page.locator(".spot").getByText("no-results", { exact: true }).waitFor();
    const found = page.locator(".outcome .hits");
    await found.getByText("answers (100%)").waitFor();
    expect(await found.getByRole("listitem").count()).toBe(1);
    expect(await axe(page)).toEqual([]);
    await page.getByLabel("With my draft").uncheck();
    await expect.poll(() => found.count()).toBe(0);
  });

  it("offer a question in Try, which a key sends, on a phone", async () => {
    const viewport = { width: 390, height: 844 };
    const { page, api } = await openOwnBotConsole({ viewport });
    page.setDefaultTimeout(10_000);
    // Readers do not get the drafted title.
    const fields = { title: "Where is it?" };
    await api("draft/contents/en/1", { method: "PUT", json: { fields } });
    await page.getByRole("link", { name: "Try", exact: true }).click();
    const sample = page.locator(".talk").getByRole("button", { name: "Delivery times" });
    await sample.waitFor();
    expect(await page.locator(".talk").getByText("For example:").count()).toBe(1);
    expect(await axe(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      viewport.width,
    );
    // No content is in German.
    await page.getByLabel("The reader’s language").selectOption("de");
    await expect.poll(() => sample.count()).toBe(0);
    await page.getByLabel("The reader’s language").selectOption("en");
    await sample.press("Enter");
    await page.locator(".spot").getByText("Two to four working days.").first().waitFor();
    expect(await page.getByText("For example:").count()).toBe(0);
  });
});
