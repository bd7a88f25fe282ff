import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { ADMIN } from "../../gateway/console/console.ts";
import { root, startServer, workspace } from "../../runtime/processes/processes.ts";
import { axe, picture } from "./chromium.ts";
import { openedAt, PAUL } from "./console-page.ts";

const SHEET =
  'question,answer,alternatives\nQuand ouvrez-vous ?,À **neuf** heures.,Vos horaires ?\nOù êtes-vous ?,"12, rue du Moulin",\n';
const VERA = "token-of-vera-123456789";
const EVE = "token-of-eve-1234567890";

/** A gateway in front of the embedded backend, and the folder of its configuration. */
async function started() {
  const { config } = await workspace();
  const command = join(root, "src", "cli", "main.ts");
  const tokens = `paul:publish:${PAUL},vera:view:${VERA},eve:edit:fr:${EVE}`;
  const env = { AFTERWORD_ADMIN_TOKEN: ADMIN, AFTERWORD_ADMIN_TOKENS: tokens };
  const server = await startServer([command, "serve", "--config", config, "--port", "0"], { env });
  onTestFinished(async () => void (await server.stop()));
  const ask = async (token: string, json: object) => {
    const response = await fetch(`${server.url}/_afterword/api/contents/import`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify(json),
    });
    return { status: response.status, body: await response.json() };
  };
  return { url: server.url, backend: join(dirname(config), "backend"), ask };
}

const sheet = (name = "faq.csv") => ({
  name,
  mimeType: "text/csv",
  buffer: Buffer.from(SHEET),
});

describe("the console, for who brings contents along,", () => {
  it("shows what a sheet would become, and writes it by keyboard alone", async () => {
    const { url, backend } = await started();
    const page = await openedAt(url, `#${ADMIN}`);
    await page.getByRole("link", { name: "Contents", exact: true }).click();
    await page.getByRole("link", { name: "Bring contents along" }).focus();
    await page.keyboard.press("Enter");
    const field = page.getByLabel("Choose a file, or drop it here");
    await field.setInputFiles(sheet());
    const languages = page.getByLabel("The file does not say which language it is in.");
    await languages.focus();
    await languages.selectOption("fr");
    await page.getByText("Contents: 2. Ways to ask for them: 3.").waitFor();
    await page.locator("blockquote b").getByText("neuf").waitFor();
    expect(await readdir(backend)).not.toContain("faq.fr.yaml");
    expect(await axe(page)).toEqual([]);
    await picture(page, "console-import");
    await page.getByRole("button", { name: "Bring these contents along" }).focus();
    await page.keyboard.press("Enter");
    await page.getByText("Written: backend/faq.fr.yaml. The bot answers").waitFor();
    expect(await readFile(join(backend, "faq.fr.yaml"), "utf8")).toContain("Quand ouvrez-vous ?");
    // A second one goes beside it: nothing of the owner's is written over.
    await field.setInputFiles(sheet());
    await languages.selectOption("fr");
    await page.getByText("Becomes the file backend/faq-2.fr.yaml.").waitFor();
    await field.setInputFiles({ ...sheet("notes.txt"), buffer: Buffer.from("Dear diary") });
    await page.getByText("no questions and answers in this file").waitFor();
  });

  it.each([
    ["fr", { locale: "fr", viewport: { width: 1280, height: 800 } }],
    ["ar", { locale: "ar", viewport: { width: 390, height: 800 }, hasTouch: true }],
  ] as const)("speaks %s, on a phone too", async (language, options) => {
    const { url } = await started();
    const page = await openedAt(url, `#${ADMIN}`, options);
    await page.locator(".sentences").waitFor();
    await page.evaluate(() => (location.hash = "#/import"));
    await page.locator(".drop input").setInputFiles(sheet());
    await page.locator(".bring select").selectOption("fr");
    await page.locator(".coming blockquote[dir=ltr]").first().waitFor();
    expect(await page.evaluate(() => document.documentElement.lang)).toBe(language);
    const width = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(width).toBe(0);
    expect(await axe(page)).toEqual([]);
    await picture(page, `console-import-${language}`);
  });

  it("lets those look who may edit, and only those write who may publish", async () => {
    const { ask, backend } = await started();
    const file = Buffer.from(SHEET).toString("base64");
    const json = { name: "faq.csv", file, language: "fr" };
    expect((await ask(VERA, json)).status).toBe(403);
    expect(await ask(EVE, json)).toMatchObject({
      status: 200,
      body: { format: "sheet", written: false, files: [{ contents: 2, phrases: 3 }] },
    });
    expect((await ask(EVE, { ...json, write: true })).status).toBe(403);
    expect(await readdir(backend)).not.toContain("faq.fr.yaml");
    expect((await ask(PAUL, { ...json, file: "%" })).status).toBe(422);
    expect((await ask(PAUL, { ...json, file: "A".repeat(5_000_000) })).status).toBe(413);
    expect(await ask(PAUL, { ...json, write: true })).toMatchObject({
      status: 200,
      body: { written: true, files: [{ file: "backend/faq.fr.yaml" }] },
    });
  });
});
