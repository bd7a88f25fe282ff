import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { ADMIN } from "../gateway/console/console.ts";
import { axe, picture } from "./chromium.ts";
import { cell, opened, said } from "./console-page.ts";

const FR = '# Ours\nno-results: "Rien." # short\n';
const CLEAN = { "messages/fr.yaml": FR };

describe("the console, for translators,", () => {
  it("exports what the grid shows, and takes the file back into the draft, marked in the grid", async () => {
    const house = await opened({}, `#${ADMIN}`, CLEAN);
    const { page } = house;
    await cell(page, "no-results, French: Yours").waitFor();
    await page.getByText("Files for translators").click();
    const tools = page.locator(".translations");
    await tools.getByLabel("Language").selectOption("fr");
    await tools.getByLabel("Format").selectOption("xliff");
    const coming = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export these lines" }).click();
    const download = await coming;
    expect(download.suggestedFilename()).toBe("shop-fr.xlf");
    const text = await readFile(await download.path(), "utf8");
    expect(text.match(/<trans-unit /g)?.length).toBeGreaterThanOrEqual(17);
    const file = (name: string, buffer: Buffer) =>
      tools.getByLabel("Import a file").setInputFiles({ name, mimeType: "text/plain", buffer });
    await file("broken.xlf", Buffer.from(text.replace("Rien.", "{{no")));
    await tools.getByRole("alert").getByText("broken.xlf:").waitFor();
    await file("latin1.csv", Buffer.from([0x66, 0xe9]));
    await tools.getByRole("alert").getByText("not UTF-8").waitFor();
    await file("fr.xlf", Buffer.from(text.replace("Rien.", "Aucun résultat.")));
    await tools.getByText("Put into your draft: 1.").waitFor();
    const marked = cell(page, "no-results, French: Yours, In your draft");
    await marked.waitFor();
    await page.getByRole("button", { name: "In your draft 1" }).click();
    expect(await page.getByRole("row").count()).toBe(2);
    expect(await axe(page)).toEqual([]);
    await picture(page, "console-translations");
    await marked.click();
    await page.getByLabel("Your text").and(page.locator("textarea")).waitFor();
    expect(await page.getByLabel("Your text").inputValue()).toBe("Aucun résultat.");
    await page.getByRole("button", { name: "Take the change back" }).click();
    await page.getByText("No line fits this filter.").waitFor();
    expect(await said(house, "fr")).toContain("Rien.");
  });
});
