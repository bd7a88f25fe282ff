import { describe, expect, it } from "vitest";
import { ADMIN, CONFIG, served } from "../../../gateway/console/console.ts";
import { openConsole, openConsoleAt, sentence } from "./console-page.ts";

const FILES = { "messages/fr.yaml": 'no-results: "Rien."\n' };

describe("a draft in the console", () => {
  it("is no longer offered once it is published, though the answer was lost", async () => {
    const { running } = await served(FILES);
    const refusals = /422|draft\/publish|ERR_CONNECTION_RESET/;
    const page = await openConsoleAt(running.url, `#${ADMIN}`, {}, refusals);
    await sentence(page, "no-results, French: Yours").click();
    await page.getByLabel("Your text").fill("Rien trouvé.");
    await page.getByRole("button", { name: "See the changes" }).click();
    const publish = page.getByRole("button", { name: "Publish", exact: true });
    await page.route(/api\/draft\/publish/, async (route) => {
      await route.fetch();
      await route.abort("connectionreset");
    });
    await publish.click();
    await page.getByRole("alert").getByText("The gateway does not answer.").waitFor();
    await page.unroute(/api\/draft\/publish/);
    await publish.click();
    await page.getByText("Your draft has no changes.").waitFor();
    await page.locator(".history li").getByText("#1").waitFor();
    await expect.poll(() => publish.count()).toBe(0);
    expect(await page.locator(".pairs .new").count()).toBe(0);
  });

  it("lists its texts as the owner's, in their language's direction", async () => {
    const own = `${CONFIG}messages: { dir: ./messages, use: [own], fallback: { default: en } }\n`;
    const { page } = await openConsole({}, `#${ADMIN}`, {
      "afterword.yaml": own,
      "messages/en.yaml": "welcome: Hello.\n",
      "messages/ar.yaml": 'no-results: "لا شيء."\n',
    });
    await page.getByLabel("Language", { exact: true }).first().selectOption("ar");
    const link = sentence(page, "welcome, Arabic: ");
    const words = link.locator("bdi");
    expect(await words.getAttribute("dir")).toBe("ltr");
    await link.click();
    await page.getByLabel("Your text").fill("أهلًا.");
    await link.getByText("In your draft").waitFor();
    expect(await link.textContent()).toContain("أهلًا.Yours");
    expect(await words.getAttribute("dir")).toBe("rtl");
    expect(await words.getAttribute("lang")).toBe("ar");
  });
});
