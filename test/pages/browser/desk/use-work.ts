import type { BrowserContextOptions, Page } from "playwright-core";
import { type AtDesk, type House, logIn } from "./desk-house.ts";
import { type DeskOfFile, useDesk } from "./use-desk.ts";

/** The demo agent at work, for the tests of a file. */
export interface Work {
  readonly site: DeskOfFile;
  readonly visit: DeskOfFile["visit"];
  /** Opens the desk, and logs the demo agent in. */
  readonly openDesk: (options?: BrowserContextOptions) => Promise<AtDesk>;
  /** Starts a chat, which the demo agent accepts and opens at the desk. */
  readonly startChat: (page: Page, about?: object, chat?: object) => ReturnType<House["guest"]>;
}

/** @param ahead milliseconds by which the houses' clocks are put forward */
export function useWork(ahead?: () => number): Work {
  const site = useDesk(ahead);
  const { visit } = site;
  return {
    site,
    visit,
    async openDesk(options = {}) {
      const desk = await visit(options);
      await logIn(desk.page);
      return desk;
    },
    async startChat(page, about = {}, chat = {}) {
      const guest = await site.house.guest(about, chat);
      await guest.assign();
      const accept = page.getByRole("button", { name: /^Accept:/ });
      await accept.click();
      await accept.waitFor({ state: "detached" });
      // Until then, the field may be another chat's, and the new one would take the focus later.
      await page
        .locator(`a.row[href$="${guest.chat}"][aria-current]`)
        .waitFor({ state: "attached" });
      await message(page).waitFor();
      return guest;
    },
  };
}

export const message = (page: Page): ReturnType<Page["locator"]> => page.getByLabel("Your message");
export const log = (page: Page): ReturnType<Page["locator"]> => page.getByRole("log");
export const rows = (page: Page, section: string): ReturnType<Page["locator"]> =>
  page.getByRole("region", { name: section }).locator("a.row");

export async function say(page: Page, text: string): Promise<void> {
  await message(page).fill(text);
  await message(page).press("Enter");
}

/** Records the desk's announcements from now on, because each disappears after ten seconds. */
export async function recordAnnouncements(page: Page): Promise<() => Promise<readonly string[]>> {
  await page.evaluate(() => {
    const texts: (string | null)[] = [];
    Object.assign(globalThis, { announced: texts });
    const observer = new MutationObserver((changes) => {
      for (const { addedNodes } of changes)
        for (const one of addedNodes) texts.push(one.textContent);
    });
    for (const region of document.querySelectorAll("#announced, #urgent"))
      observer.observe(region, { childList: true });
  });
  return () => page.evaluate("globalThis.announced");
}
