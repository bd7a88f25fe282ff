import { execFile } from "node:child_process";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import {
  createWorkspace,
  root,
  type Server,
  startServer,
} from "../../../runtime/processes/processes.ts";
import { shippedTexts } from "../../../clients/connectors/texts.ts";
import { openBrowser, picture, watch } from "../chromium.ts";

const run = promisify(execFile);
const token = "a token of sixteen characters";
let browser: Browser;
let server: Server;
const undo: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  browser = await openBrowser();
  const place = await createWorkspace();
  undo.push(() => rm(place.path, { recursive: true, force: true }));
  // On a busy machine a file may be read too late for a turn, which then keeps the engine's words
  // unless a browser names the language. The copied command runs without a browser.
  const written = await readFile(place.config, "utf8");
  await place.write("afterword.yaml", written.replace("store: file, ret", "store: memory, ret"));
  const command = join(root, "src", "cli", "main.ts");
  const env = { AFTERWORD_ADMIN_TOKEN: token };
  server = await startServer([command, "serve", "--config", place.config, "--port", "0"], { env });
  undo.push(() => server.stop());
});
afterAll(async () => {
  for (const step of undo.toReversed()) await step();
});

interface OpenedPage {
  readonly page: Page;
  readonly complaints: readonly string[];
}

async function visit(address = "", options: BrowserContextOptions = {}): Promise<OpenedPage> {
  const context = await browser.newContext({ locale: "en-US", ...options });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const complaints = await watch(page, server.url);
  await page.goto(`${server.url}/${address}`);
  await page.locator("#log .answer").first().waitFor();
  return { page, complaints };
}

const withToken = `#${encodeURIComponent(token)}`;
const panelOf = (page: Page) => page.getByRole("complementary", { name: "Why?" });

async function ask(page: Page, text: string): Promise<void> {
  await page.getByLabel("Your message").fill(text);
  await page.getByRole("button", { name: "Send" }).click();
  // The first answer may be that of a conversation that has just begun anew.
  await page.locator("#log .turn[aria-busy]").first().waitFor({ state: "detached" });
}

async function copied(page: Page, button: string): Promise<string> {
  // The word is shown for two seconds, so a look after the click may miss it.
  const confirmation = panelOf(page).getByRole("button", { name: "Copied" }).waitFor();
  await panelOf(page).getByRole("button", { name: button }).click();
  await confirmation;
  await panelOf(page).getByRole("button", { name: button }).waitFor();
  return page.evaluate(() => navigator.clipboard.readText());
}

it("says beside the conversation why the reader sees these words", async () => {
  const { page, complaints } = await visit(withToken, { viewport: { width: 1300, height: 850 } });
  expect(page.url()).not.toContain("sixteen");
  await page.locator("#why-open").click();
  await ask(page, "qwertz uiop asdf");
  const panel = panelOf(page);
  await panel.getByText("no-results rewritten").waitFor();
  await expect.poll(() => panel.innerText()).toMatch(/English \(en\): exactly/);
  await expect.poll(() => panel.innerText()).toContain("Afterword’s: en, no-results");
  await picture(page, "playground");
  await page.locator("#log .answer").first().getByRole("button", { name: "Why?" }).click();
  await panel.getByText("welcome rewritten").waitFor();
  await panel.getByText("Trace as JSON").click();
  expect(JSON.parse(await panel.locator("pre").first().innerText())).toMatchObject({
    locale: "en",
    steps: [{ flag: "welcome" }, { twin: true }],
  });
  await page.keyboard.press("Escape");
  await panel.waitFor({ state: "hidden" });
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("why-open");
  expect(complaints).toEqual([]);
});

it("plays a situation for the reader that is chosen, without sending anything", async () => {
  const { page } = await visit(withToken, { viewport: { width: 390, height: 844 } });
  await page.getByLabel("Language").selectOption("fr");
  await page
    .locator("#log")
    .getByText(shippedTexts("fr")["welcome"] ?? "")
    .waitFor();
  await page.locator("#why-open").click();
  await panelOf(page).getByText("Situations").click();
  await panelOf(page).getByRole("button", { name: "webhook-wrong-field" }).click();
  // On a phone the panel closes to show the requested view.
  await panelOf(page).waitFor({ state: "hidden" });
  const last = page.locator("#log .answer").last();
  await expect
    .poll(() => last.locator(".reader .text").innerText())
    .toBe(shippedTexts("fr")["webhook-wrong-field"]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
});

it("needs the token, says when it is wrong, and works as a chat without it", async () => {
  const { page } = await visit();
  await page.locator("#why-open").click();
  const panel = panelOf(page);
  await panel.getByLabel("Token").fill("not the token at all");
  await panel.getByRole("button", { name: "Open" }).click();
  await panel.getByRole("alert").getByText("This token is not known here.").waitFor();
  await ask(page, "hello");
  expect(await panel.getByText("rewritten").count()).toBe(0);
  await panel.getByLabel("Token").fill(token);
  await panel.getByRole("button", { name: "Open" }).click();
  await panel.getByText("Situations").waitFor();
  await ask(page, "qwertz uiop asdf");
  await panel.getByText("no-results rewritten").waitFor();
});

it("copies a link that repeats the state, a command and a test that do", async () => {
  const { page } = await visit(`?lang=de${withToken}`, { viewport: { width: 1300, height: 850 } });
  await page.locator("#why-open").click();
  await panelOf(page).getByText("Which reader").click();
  await panelOf(page).getByLabel("User type").fill("7");
  await panelOf(page).getByLabel("User type").blur();
  await ask(page, "qwertz uiop asdf");
  // The panel copies the turn that it shows.
  await panelOf(page).getByText("no-results rewritten").waitFor();
  const link = await copied(page, "Copy link");
  expect(link).not.toContain("sixteen");
  const again = await visit(new URL(link).search);
  const german = shippedTexts("de")["no-results"] ?? "";
  await again.page.locator("#log").getByText(german).waitFor();
  await expect.poll(() => panelOf(again.page).getByLabel("User type").inputValue()).toBe("7");

  const command = await copied(page, "Copy as curl");
  const { stdout } = await run("sh", ["-c", command]);
  expect(JSON.parse(stdout).answers[0].message).toBe(german);

  const file = join(root, "node_modules", ".cache", "playground-copy.test.mjs");
  onTestFinished(() => rm(file, { force: true }));
  const test = (await copied(page, "Copy as test"))
    .replace('from "afterword"', `from ${JSON.stringify(join(root, "src/runtime/web/index.ts"))}`)
    .replace(
      'from "afterword/node"',
      `from ${JSON.stringify(join(root, "src/runtime/node/index.ts"))}`,
    )
    .replace("config/afterword.yaml", join(root, "config/afterword.yaml"));
  await writeFile(file, test);
  await run(process.execPath, ["--test", file]);
  await writeFile(file, test.replace("assert.equal", "assert.notEqual"));
  await expect(run(process.execPath, ["--test", file])).rejects.toThrow("Command failed");
});
