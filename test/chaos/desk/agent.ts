import { setTimeout as sleep } from "node:timers/promises";
import type { Browser, BrowserServer, Page } from "playwright-core";
import { chromium } from "playwright-core";
import { browserOptions } from "../../pages/browser/chromium.ts";
import { logIn } from "../../pages/browser/desk/desk-house.ts";
import type { Line } from "./line.ts";

/** The time for which an agent was at the desk; `until` is Infinity while they are. */
export interface Presence {
  readonly from: number;
  until: number;
}

export interface AgentOptions {
  readonly line: Line;
  readonly id: string;
  readonly login: string;
  readonly password: string;
  readonly random: () => number;
  readonly over: () => boolean;
  /** Notes the events of the tab, to investigate a fault. */
  readonly note: (what: string) => void;
  /** Milliseconds between two events of a tab, approximately. */
  readonly between: number;
  /** The reader and their words, as the desk shows them before a chat is closed. */
  readonly seen: (reader: string, words: readonly string[]) => void;
}

/** An agent at a desk in a separate browser, whose tab does not live long. */
export class Agent {
  readonly presences: Presence[] = [];
  readonly id: string;
  /** The failures of the desk or the browser. */
  readonly problems: string[] = [];
  readonly #options: AgentOptions;
  #server: BrowserServer | null = null;
  #browser: Browser | null = null;
  #page: Page | null = null;
  #next = 0;

  constructor(options: AgentOptions) {
    this.#options = options;
    this.id = options.id;
  }

  async work(): Promise<void> {
    const { over, random } = this.#options;
    await this.#come();
    this.#plan();
    while (!over()) {
      await sleep(300 + random() * 700);
      if (Date.now() >= this.#next) await this.#suffer();
      else await this.#act().catch((error: unknown) => this.problems.push(firstLine(error)));
    }
  }

  /** Stays to the end, so that nothing is left over because no tab is open. */
  async end(): Promise<void> {
    this.#leave();
    await this.#server?.kill();
    await this.#options.line.end();
  }

  #plan(): void {
    const { random, between } = this.#options;
    this.#next = Date.now() + between * (0.4 + random() * 1.2);
  }

  #leave(): void {
    const last = this.presences.at(-1);
    if (last?.until === Infinity) last.until = Date.now();
  }

  #return(): void {
    if (this.presences.at(-1)?.until !== Infinity) {
      this.presences.push({ from: Date.now(), until: Infinity });
    }
  }

  async #come(): Promise<void> {
    const { line, login, password } = this.#options;
    for (let attempt = 0; ; attempt++) {
      try {
        this.#server ??= await chromium.launchServer(browserOptions());
        this.#browser ??= await chromium.connect(this.#server.wsEndpoint());
        const context = await this.#browser.newContext({ locale: "en-US" });
        const page = await context.newPage();
        page.setDefaultTimeout(8_000);
        await page.goto(`${line.url}/desk?app=demo-app`);
        await logIn(page, login, password);
        this.#page = page;
        this.#return();
        return;
      } catch (error) {
        this.problems.push(`coming: ${firstLine(error)}`);
        if (attempt > 5 || this.#options.over()) return;
        await sleep(1_000);
      }
    }
  }

  /** Does something to the tab. */
  async #suffer(): Promise<void> {
    const { random, note, line } = this.#options;
    const chance = random();
    const away = 1_000 + random() ** 2 * 110_000;
    const seconds = Math.round(away / 1000);
    const page = this.#page;
    if (chance < 0.25) {
      note("reloads the tab");
      await page?.reload().catch(() => undefined);
      await page
        ?.getByText("Connected")
        .waitFor()
        .catch(() => undefined);
    } else if (chance < 0.5) {
      note(`is cut from the network for ${seconds} s`);
      this.#leave();
      line.cut();
      await this.#wait(away);
      line.mend();
      note("has the network again");
      await page
        ?.getByRole("button", { name: "Try now" })
        .click({ timeout: 1_000 })
        .catch(() => undefined);
      await page
        ?.getByText("Connected")
        .waitFor({ timeout: 30_000 })
        .catch(() => undefined);
      this.#return();
    } else if (chance < 0.8) {
      note(`closes the tab, back in ${seconds} s`);
      this.#leave();
      await page
        ?.context()
        .close()
        .catch(() => undefined);
      await this.#wait(away);
      await this.#come();
      note("is back");
    } else {
      note(`the browser is killed, back in ${seconds} s`);
      this.#leave();
      await this.#server?.kill();
      [this.#server, this.#browser, this.#page] = [null, null, null];
      await this.#wait(away);
      await this.#come();
      note("is back");
    }
    this.#plan();
  }

  async #wait(milliseconds: number): Promise<void> {
    const until = Date.now() + milliseconds;
    while (Date.now() < until && !this.#options.over()) await sleep(200);
  }

  /** Takes an invitation, or answers a chat with something new in it, or closes one. */
  async #act(): Promise<void> {
    const { random } = this.#options;
    const page = this.#page;
    if (page === null) return;
    const accept = page.getByRole("button", { name: /^Accept: / }).first();
    if ((await accept.count()) > 0) {
      const chance = random();
      if (chance < 0.05) return;
      const name = chance < 0.1 ? /^Reject: / : /^Accept: /;
      await page.getByRole("button", { name }).first().click({ timeout: 2_000 });
      return;
    }
    const mine = page.getByRole("region", { name: "My chats" }).locator("a.row");
    const unread = mine.and(page.locator(".unread")).first();
    const isUnread = (await unread.count()) > 0;
    if (!isUnread && random() < 0.7) return;
    const row = isUnread ? unread : mine.first();
    if ((await row.count()) === 0) return;
    const reader = await row.locator("strong").innerText({ timeout: 2_000 });
    await row.click({ timeout: 2_000 });
    await page.locator("#chat-name").getByText(reader, { exact: true }).waitFor({ timeout: 2_000 });
    await page.locator(".log[aria-busy=false]").waitFor({ timeout: 4_000 });
    const words = await page.locator(".log .said.theirs:not(.assistant) .text").allInnerTexts();
    this.#options.seen(reader, words);
    if (words.length > 5 && random() < 0.15) {
      await page.getByRole("button", { name: "Close chat" }).click({ timeout: 2_000 });
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("button", { name: "Close chat" }).click({ timeout: 2_000 });
      return;
    }
    const field = page.getByLabel("Your message");
    await field.fill(`About ${words.at(-1)}: ${this.#options.login} ${Date.now()}`, {
      timeout: 2_000,
    });
    await field.press("Enter", { timeout: 2_000 });
  }
}

function firstLine(error: unknown): string {
  return String(error).split("\n")[0]?.slice(0, 200) ?? "";
}
