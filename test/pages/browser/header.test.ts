import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { loadConfig, serve } from "../../../src/runtime/node/index.ts";
import { axe, openBrowser, shortenReference, watch } from "./chromium.ts";

let browser: Browser;
/** The gateway with the embedded backend, and one in front of a vendor. */
let embedded = "";
let vendor = "";
/** By gateway: the token that opens its console. */
const tokens = new Map<string, string>();
const undo: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  browser = await openBrowser();
  embedded = await started("version: 1\nupstream: embedded\n");
  vendor = await started("version: 1\nupstream: { auth: https://bot.example.com }\n");
});
afterAll(async () => {
  for (const step of undo.toReversed()) await step();
});

async function started(text: string): Promise<string> {
  const data = await mkdtemp(join(tmpdir(), "afterword-header-"));
  undo.push(() => rm(data, { recursive: true, force: true }));
  await writeFile(join(data, "afterword.yaml"), text);
  const config = await loadConfig(join(data, "afterword.yaml"), { env: {} });
  const running = await serve({ config: { ...config, data }, port: 0, env: {}, log: () => {} });
  undo.push(() => running.close());
  tokens.set(running.url, running.adminToken ?? "");
  return running.url;
}

/** Each page, with an element that shows once it is complete, and the links of its header. */
const ADDRESSES = {
  Start: "/",
  Chat: "/",
  Console: "/_afterword/console",
  Desk: "/desk",
  "API reference": "/docs",
};
const EMBEDDED = ["Chat", "Console", "Desk", "API reference"] as const;
const VENDOR = ["Start", "Console", "API reference"] as const;
const PAGES = [
  ["Chat", () => `${embedded}/`, "#log .answer", EMBEDDED],
  ["Console", () => `${embedded}/_afterword/console`, ".bar", EMBEDDED],
  ["Desk", () => `${embedded}/desk`, ".login", EMBEDDED],
  ["API reference", () => `${embedded}/docs`, "article", EMBEDDED],
  ["Start", () => `${vendor}/`, ".start", VENDOR],
  ["Console", () => `${vendor}/_afterword/console`, ".bar", VENDOR],
  ["API reference", () => `${vendor}/docs/`, "article", VENDOR],
] as const;

interface Options {
  readonly width?: number;
  readonly colorScheme?: "light" | "dark";
  readonly locale?: string;
}

async function visit(
  address: string,
  ready: string,
  { width = 1280, colorScheme = "light", locale = "en" }: Options = {},
): Promise<Page> {
  const viewport = { width, height: 844 };
  const context = await browser.newContext({ viewport, colorScheme, locale });
  const page = await context.newPage();
  // The suite's own limit ends a test that hangs.
  page.setDefaultTimeout(0);
  const { origin } = new URL(address);
  const complaints = await watch(page, origin);
  onTestFinished(async () => {
    await context.close();
    // A page that is left cancels its pending requests.
    expect(complaints.filter((one) => !one.startsWith("failed:"))).toEqual([]);
  });
  const token = address.endsWith("console") ? `#${tokens.get(origin)}` : "";
  await page.goto(address + token);
  await page.locator(ready).first().waitFor();
  return page;
}

const ground = (page: Page): Promise<string> =>
  page.evaluate(() => getComputedStyle(document.body).backgroundColor);

it.each(PAGES)(
  "the header of %s (%#) fits 390 to 1920 px, keeps light or dark, and leads to what is served there",
  async (name, address, ready, links) => {
    const page = await visit(address(), ready);
    // Both gateways serve the same reference: all of it is laid out at every width once.
    if (links === VENDOR) await shortenReference(page);
    const found = page.getByRole("banner").getByRole("navigation").getByRole("link");
    await expectFit(page, name, links);
    const light = await ground(page);
    await page.getByRole("radio", { name: "Dark" }).check();
    await expect.poll(() => ground(page)).not.toBe(light);
    const dark = await ground(page);
    await page.reload();
    await page.locator(ready).first().waitFor();
    await shortenReference(page);
    await expect.poll(() => ground(page)).toBe(dark);
    await page.getByRole("radio", { name: "Dark", checked: true }).waitFor();
    await page.getByRole("radio", { name: "System" }).check();
    await expect.poll(() => ground(page)).toBe(light);

    // The system's scheme applies again.
    await page.emulateMedia({ colorScheme: "dark" });
    await expect.poll(() => ground(page)).toBe(dark);
    await expectFit(page, name, links);

    const { origin } = new URL(address());
    await expect
      .poll(() => found.evaluateAll((all) => all.map((one) => Reflect.get(one, "href"))))
      .toEqual(links.map((link) => `${origin}${ADDRESSES[link]}`));
    const next = links.at(links.findIndex((link) => link === name) - 1) ?? name;
    await found.getByText(next, { exact: true }).click();
    const current = page.getByRole("banner").locator("[aria-current=page]");
    await current.getByText(next, { exact: true }).waitFor();
  },
);

it("the link past the header complains about nothing while the page is still loading", async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const complaints = await watch(page, vendor);
  await page.route("**/*", (route) =>
    route.request().resourceType() === "fetch" ? undefined : route.continue(),
  );
  await page.goto(`${vendor}/_afterword/console#${tokens.get(vendor)}`);
  expect(await page.locator("main").count()).toBe(0);
  await page.locator(".skip").focus();
  await page.keyboard.press("Enter");
  await context.close();
  expect(complaints).toEqual([]);
});

/** The header and its links lie within every width, and axe finds nothing on a phone. */
async function expectFit(page: Page, name: string, links: readonly string[]): Promise<void> {
  const header = page.getByRole("banner");
  const found = header.getByRole("navigation").getByRole("link");
  for (const width of [1920, 1280, 390]) {
    await page.setViewportSize({ width, height: 844 });
    if (width === 390) {
      await header.getByText(name, { exact: true }).first().waitFor();
      await header.getByRole("button", { name: "Menu" }).click();
    }
    await expect.poll(() => header.boundingBox()).toMatchObject({ x: 0, y: 0, width, height: 48 });
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    await expect.poll(() => found.allTextContents()).toEqual(links);
    for (const part of await found.all()) {
      const box = await part.boundingBox();
      expect(box !== null && box.x >= 0 && box.x + box.width <= width).toBe(true);
    }
  }
  expect(await header.locator("[aria-current=page]").textContent()).toBe(name);
  expect(await page.getByRole("heading", { level: 1 }).count()).toBe(1);
  await shortenReference(page);
  expect(await axe(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await page.setViewportSize({ width: 1280, height: 844 });
}

it("the header speaks the reader's language, from the right where that runs so", async () => {
  const page = await visit(`${embedded}/desk`, ".login", { locale: "ar" });
  const link = page.getByRole("banner").getByRole("link", { name: "لوحة التحكم" });
  await expect.poll(async () => (await link.boundingBox())?.x).toBeGreaterThan(640);
  const menu = page.getByRole("banner").getByRole("group", { name: "المظهر" });
  await expect.poll(async () => (await menu.boundingBox())?.x).toBeLessThan(320);
});

it("light or dark holds for the other pages too, also for those that are open", async () => {
  const page = await visit(`${embedded}/`, "#log .answer");
  const beside = await page.context().newPage();
  await beside.goto(`${embedded}/desk`);
  await page.getByRole("radio", { name: "Dark" }).check();
  await beside.locator('html[data-scheme="dark"]').waitFor();
});

it("the menu of a phone is reached and left by keyboard", async () => {
  const page = await visit(`${embedded}/desk`, ".login", { width: 390 });
  const menu = page.getByRole("banner").getByRole("button", { name: "Menu" });
  await menu.focus();
  await page.keyboard.press("Enter");
  const pages = page.getByRole("navigation", { name: "Pages" });
  await pages.waitFor();
  await page.keyboard.press("Tab");
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("Chat");
  await page.keyboard.press("Escape");
  await pages.waitFor({ state: "hidden" });
  await expect.poll(() => menu.evaluate((one) => one === document.activeElement)).toBe(true);
});
