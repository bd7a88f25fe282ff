import type { BrowserContextOptions, Locator, Page } from "playwright-core";
import { expect, onTestFinished } from "vitest";
import { closeAfterFile } from "../../../fixtures/opened.ts";
import { ADMIN, PAUL, served, type Served } from "../../../gateway/console/console.ts";
import { servedOwnBot } from "../../../gateway/console/own-bot.ts";
import { flagged } from "../../../gateway/harness.ts";
import { closeContext, openBrowser, watch } from "../chromium.ts";
import { type Demo, serveDemo } from "../demo.ts";

/** The gateway that the tests of a file only read from. */
let read: Promise<Served> | null = null;

const FILES = {
  "messages/fr.yaml":
    'no-results: "Rien pour « {{query}} »."\nwelcome:\n  text: "Salut <b>vous"\n  channels: { voice: "Allô" }\n',
};

/** Opens the console of a gateway; any complaint of the page fails the test. */
export async function openConsole(
  options: BrowserContextOptions = {},
  fragment = `#${ADMIN}`,
  files: Readonly<Record<string, string>> = FILES,
  reloads = true,
): Promise<Served & { readonly page: Page }> {
  const house = await served(files, env, flagged("no-results"), reloads);
  return { ...house, page: await openConsoleAt(house.running.url, fragment, options) };
}

/** Opens the console of one gateway that all tests of a file share, and that none of them changes. */
export async function openSharedConsole(
  options: BrowserContextOptions = {},
  fragment = `#${ADMIN}`,
): Promise<Served & { readonly page: Page }> {
  read ??= serveForFile();
  const house = await read;
  return { ...house, page: await openConsoleAt(house.running.url, fragment, options) };
}

function serveForFile(): Promise<Served> {
  const ends: (() => unknown)[] = [];
  closeAfterFile(async () => {
    read = null;
    for (const end of ends.toReversed()) await end();
  });
  return served(FILES, env, flagged("no-results"), true, (end) => void ends.push(end));
}

const env = { AFTERWORD_ADMIN_TOKEN: ADMIN, AFTERWORD_ADMIN_TOKENS: `paul:publish:${PAUL}` };

/** Serves the demo with its embedded backend, and the tokens of this file. */
export function serveEmbedded(): Promise<Demo> {
  return serveDemo(env);
}

/** Opens the console of an embedded backend whose contents are in the owner's files. */
export async function openOwnBotConsole(
  options: BrowserContextOptions = {},
  settings = "",
): Promise<Awaited<ReturnType<typeof servedOwnBot>> & { readonly page: Page }> {
  const house = await servedOwnBot({}, settings);
  return { ...house, page: await openConsoleAt(house.running.url, `#${ADMIN}`, options) };
}

/**
 * @param url of a gateway
 * @param refusals the complaints of the page that the test expects
 */
export async function openConsoleAt(
  url: string,
  fragment = `#${ADMIN}`,
  options: BrowserContextOptions = {},
  refusals = /401|409|422/,
): Promise<Page> {
  const browser = await openBrowser();
  const context = await browser.newContext({ locale: "en", ...options });
  const page = await context.newPage();
  const complaints = await watch(page, new URL(url).origin);
  onTestFinished(async () => {
    await closeContext(context);
    expect(complaints.filter((one) => !refusals.test(one))).toEqual([]);
  });
  await page.goto(`${url}/_afterword/console${fragment}`);
  return page;
}

/** @param name such as `no-results, French: Yours, In your draft` */
export function sentence(page: Page, name: string): Locator {
  const [, line = "", marks = ""] = /^(.+?: )(.*)$/.exec(name) ?? [];
  const [start, end] = [line, marks.replaceAll(", ", " ")].map((one) =>
    one.replaceAll(/[^\w ,:]/g, "."),
  );
  return page.getByRole("link", { name: new RegExp(`^${start}.*${end}$`, "s") });
}

/** Where the first and the last letter of an element begin, in pixels from the left. */
export function lettersOf(element: Locator): Promise<{ first: number; last: number }> {
  return element.evaluate((node) => {
    const range = document.createRange();
    const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
    const texts: Text[] = [];
    for (let at = walker.nextNode(); at !== null; at = walker.nextNode()) {
      if (at instanceof Text && at.data.trim() !== "") texts.push(at);
    }
    const leftOf = (text: Text | undefined, letter: number): number => {
      if (text === undefined) throw new Error("the element has no text");
      range.setStart(text, letter);
      range.setEnd(text, letter + 1);
      return range.getBoundingClientRect().left;
    };
    const [first, last] = [texts.at(0), texts.at(-1)];
    return {
      first: leftOf(first, first?.data.search(/\S/) ?? 0),
      last: leftOf(last, (last?.data.trimEnd().length ?? 1) - 1),
    };
  });
}

/** Finds a cell of the view Coverage by its accessible name. */
export const cell = (page: Page, name: string) => page.getByRole("gridcell", { name, exact: true });

/** Finds the element that appears last, when no request is pending any more. */
export const findWarning = (page: Page) =>
  sentence(page, "welcome, French: Yours, A mistake, The check warns");

/** Reloads the page, and keeps it where the browser asks because of unsent text. */
export async function stayOnReload(page: Page): Promise<void> {
  const asked = page.waitForEvent("dialog");
  const reloading = page.evaluate(() => location.reload());
  const dialog = await asked;
  expect(dialog.type()).toBe("beforeunload");
  await dialog.dismiss();
  await reloading;
}
