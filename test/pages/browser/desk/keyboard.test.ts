import type { Page } from "playwright-core";
import { expect, it, vi } from "vitest";
import { axe } from "../chromium.ts";
import { useDesk } from "./use-desk.ts";

const site = useDesk();

/** The focus: the words of its element, and whether it is visible. */
interface Focus {
  readonly words: string;
  readonly isSeen: boolean;
}

/** A keyboard user who notices a lost or invisible focus. */
class Typist {
  readonly #page: Page;
  readonly complaints: string[] = [];

  constructor(page: Page) {
    this.#page = page;
  }

  focus(): Promise<Focus> {
    return this.#page.evaluate(() => {
      const one = document.activeElement;
      if (one === null || one === document.body) return { words: "body", isSeen: false };
      const { outlineStyle, outlineWidth, opacity } = getComputedStyle(one);
      const { width, height, right, bottom, left, top } = one.getBoundingClientRect();
      const isRinged = outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2;
      const label = one.closest("label") ?? one;
      const ring = getComputedStyle(label);
      // A switch without its own appearance shows its label's ring; a heading is only read out.
      const isMarked = isRinged || (opacity === "0" && ring.outlineStyle !== "none");
      const isInside =
        right > 0 && bottom > 0 && left < innerWidth && top < innerHeight && width * height > 4;
      const isHeading = one.matches("h1, h2");
      const words = [one.id, one.getAttribute("aria-label"), one.textContent.trim()];
      return {
        words: words.filter(Boolean).join(" "),
        isSeen: isHeading || (isMarked && isInside),
      };
    });
  }

  async #look(after: string): Promise<Focus> {
    const focus = await this.focus();
    // After the last control, Tab leads through the document itself to the first.
    if (!focus.isSeen && focus.words !== "body")
      this.complaints.push(`after ${after}: ${focus.words.slice(0, 60)}`);
    return focus;
  }

  async press(key: string): Promise<void> {
    await this.#page.keyboard.press(key);
  }

  async type(text: string): Promise<void> {
    await this.#page.keyboard.type(text);
  }

  /** Presses Tab (or Shift+Tab) until the control with these words has the focus. */
  async tabTo(words: RegExp, key = "Tab"): Promise<void> {
    for (let presses = 0; presses < 60; presses++) {
      if (words.test((await this.#look(`${key} on the way to ${String(words)}`)).words)) return;
      await this.press(key);
    }
    throw new Error(
      `${String(words)} can’t be reached; the focus is at ${(await this.focus()).words}`,
    );
  }

  async #waitFor(isSo: (focus: Focus) => boolean, wanted: string): Promise<void> {
    const look = async (): Promise<void> => {
      const now = await this.focus();
      if (!isSo(now)) throw new Error(`the focus is at ${now.words}, not at ${wanted}`);
    };
    await vi.waitFor(look, { timeout: 60_000, interval: 20 });
  }

  /** Waits until an element with these words has the focus without a key press. */
  async meets(words: RegExp): Promise<void> {
    await this.#waitFor(({ words: now }) => words.test(now), String(words));
    await this.#look(`waiting for ${String(words)}`);
  }

  /** Waits until an element nearby has the focus after its control was removed. */
  async keepsFocus(): Promise<void> {
    await this.#waitFor(({ isSeen }) => isSeen, "something that is seen");
  }
}

async function logIn(page: Page): Promise<Typist> {
  const typist = new Typist(page);
  await typist.meets(/^login-login/);
  await typist.type("demo-agent");
  await typist.press("Tab");
  await typist.type("demo-agent");
  await typist.press("Enter");
  await page.getByText("Connected").waitFor();
  await typist.meets(/^Desk/);
  return typist;
}

it("a chat goes with the keyboard alone: accept, answer, canned answer, note, hand over, close", async () => {
  const { house } = site;
  const texts = { en: "Hello {user}, {agent} here." };
  await house.ask("PUT", "canned-answers", { cannedAnswers: [{ name: "hello", texts }] });
  const bea = await house.agent("bea");
  const { page, complaints } = await site.visit();
  // The link past the header is the first thing that the keyboard finds, also before the login.
  const newcomer = new Typist(page);
  await newcomer.meets(/^login-login/);
  expect(await page.locator("a[href], button, input").first().innerText()).toBe(
    "Skip to the content",
  );
  await newcomer.tabTo(/^Skip to the content/, "Shift+Tab");
  expect(await axe(page)).toEqual([]);
  await newcomer.press("Enter");
  await newcomer.press("Tab");
  await newcomer.meets(/^login-app/);
  await newcomer.press("Tab");
  const typist = await logIn(page);

  const first = await house.guest({ name: "Ana" });
  await first.assign();
  await page.getByRole("button", { name: "Accept: Ana" }).waitFor();
  const second = await house.guest({ name: "Bob" });
  await second.assign();
  await page.getByRole("button", { name: "Accept: Bob" }).waitFor();
  await typist.press("Alt+A");
  await typist.meets(/^message$/);
  await expect.poll(() => page.locator("#chat-name").innerText()).toBe("Ana");
  await typist.type("One moment.");
  await typist.press("Enter");
  await page.getByRole("log").getByText("One moment.").waitFor();
  await typist.type("/he");
  await page.getByRole("listbox").waitFor();
  await typist.press("Enter");
  await expect.poll(() => page.locator("#message").inputValue()).toBe("Hello Ana, Sam here.");
  await typist.press("Enter");
  await page.getByRole("log").getByText("Hello Ana, Sam here.").waitFor();

  await typist.tabTo(/^note$/);
  await typist.type("Wants the blue one.");
  await expect.poll(() => page.getByRole("button", { name: "Add note" }).isEnabled()).toBe(true);
  await typist.tabTo(/^Add note/);
  await typist.press("Enter");
  await page.locator(".log .noted").getByText("Wants the blue one.").waitFor();
  await typist.meets(/^note$/);

  await house.ask("PUT", `agents/${bea}`, { online: true });
  await typist.tabTo(/^More/, "Shift+Tab");
  await typist.press("Enter");
  await typist.press("Tab");
  await typist.meets(/^Hand over/);
  await typist.press("Enter");
  await typist.meets(/^transfer-to/);
  await typist.tabTo(/^transfer-note/);
  await typist.type("Please go on.");
  await typist.tabTo(/^Ask/);
  await typist.press("Enter");
  await page.getByText("bea has been asked to take over.").waitFor();
  await typist.meets(/^More/);
  await house.ask("POST", `chats/${first.chat}/join`, { userId: bea });
  await page.getByText("bea has joined").waitFor();

  // The second one, which nobody has opened yet.
  await typist.press("Alt+A");
  await expect.poll(() => page.locator("#chat-name").innerText()).toBe("Bob");
  await typist.meets(/^message$/);
  await typist.tabTo(/^Close chat/, "Shift+Tab");
  await typist.press("Enter");
  await page.getByRole("dialog").waitFor();
  await typist.tabTo(/^Close chat/);
  await typist.press("Enter");
  await page.getByText("This chat is closed.").waitFor();
  await typist.meets(/^chat-name/);
  // A rejected invitation disappears with its buttons.
  await house.ask("PUT", `agents/${bea}`, { online: false });
  const third = await house.guest({ name: "Carl" });
  await third.assign();
  await page.getByRole("button", { name: "Reject: Carl" }).waitFor();
  await typist.keepsFocus();
  await typist.press("Alt+S");
  await typist.tabTo(/^Reject: Carl/, "Shift+Tab");
  await typist.press("Enter");
  await page.getByRole("button", { name: "Reject: Carl" }).waitFor({ state: "detached" });
  await typist.keepsFocus();
  expect(typist.complaints).toEqual([]);
  expect(complaints).toEqual([]);
});

/** Two tickets of the demo's project. */
async function createTickets(): Promise<void> {
  const { askOwner } = site.house;
  const ana = { name: "Ana", address: "ana@shop.test" };
  const { uuid: creator } = await askOwner("POST", "users", ana);
  for (const title of ["Where is my parcel?", "Parcel again"]) {
    await askOwner("POST", "tickets", { title, message: "It is late.", creator });
  }
}

it("a ticket goes with the keyboard alone: open, answer, assign, change the state, merge", async () => {
  await createTickets();
  const { page, complaints } = await site.visit();
  const typist = await logIn(page);
  await typist.tabTo(/^Tickets/);
  await typist.press("Enter");
  await page.locator(".ticket-row").nth(1).waitFor();
  await typist.tabTo(/^Where is my parcel/);
  await typist.press("Enter");
  await typist.meets(/^ticket-title Where is my parcel/);
  await typist.tabTo(/^ticket-message/);
  await typist.type("It is on its way.");
  await typist.press("Control+Enter");
  await page.getByRole("log").getByText("It is on its way.").waitFor();
  await typist.meets(/^ticket-message/);

  await typist.tabTo(/^Notes/, "Shift+Tab");
  await typist.press("Space");
  await typist.meets(/^ticket-message/);
  await typist.type("Called twice.");
  await typist.press("Control+Enter");
  await page.getByRole("log").getByText("Called twice.").waitFor();

  await typist.tabTo(/^ticket-state/);
  await expect.poll(() => page.locator("#ticket-state").inputValue()).toBe("3");
  await typist.type("Sol");
  await page.getByRole("log").getByText("State: Solved").waitFor();
  await typist.meets(/^ticket-state/);
  await typist.tabTo(/^ticket-assignee/);
  await typist.type("Nob");
  await page.getByRole("log").getByText("Assignee: Nobody yet").waitFor();
  await typist.tabTo(/^Take/);
  await typist.press("Enter");
  await page.getByRole("log").getByText("Assignee: Sam").nth(1).waitFor();
  await typist.keepsFocus();
  await typist.tabTo(/^ticket-tags/);
  await typist.type("parcel");
  await typist.tabTo(/^Merge/);
  await typist.press("Enter");
  await typist.meets(/^merge-into/);
  const number = page.locator("#merge-others option", { hasText: "Parcel again" });
  await page.keyboard.type((await number.getAttribute("value")) ?? "");
  await typist.press("Enter");
  await page.getByRole("dialog").getByText("Parcel again").waitFor();
  await typist.tabTo(/^Merge/);
  await typist.press("Enter");
  await typist.meets(/^ticket-title Parcel again/);
  await page.getByRole("log").getByText("It is on its way.").waitFor();
  expect(typist.complaints).toEqual([]);
  expect(complaints).toEqual([]);
});

it("the figures, a chat’s ticket, its file and the log-out go with the keyboard alone", async () => {
  const { house } = site;
  await house.ask("PUT", "agents/demo-agent", { rights: { SUPERVISE: true } });
  const { page, complaints } = await site.visit();
  // The listener stands from the start: one that comes just before the key may be later than the
  // click, and the chooser then opens unseen.
  const file = { name: "note.txt", mimeType: "text/plain", buffer: Buffer.from("words") };
  page.on("filechooser", (chooser) => void chooser.setFiles(file));
  const typist = await logIn(page);
  const guest = await house.guest({ name: "Ana" });
  await guest.assign();
  await page.getByRole("button", { name: "Accept: Ana" }).waitFor();
  await typist.press("Alt+A");
  await typist.meets(/^message$/);
  await guest.say("Where is it?");
  await page.getByRole("log").getByText("Where is it?").waitFor();

  await typist.tabTo(/^Figures/, "Shift+Tab");
  await typist.press("Enter");
  await page.getByRole("heading", { name: "Figures" }).waitFor();
  await typist.tabTo(/^90 days/);
  await typist.press("Enter");
  await expect.poll(() => page.url()).toContain("#figures/quarter");
  await page
    .getByRole("button", { name: /^Download/ })
    .first()
    .waitFor();
  await typist.tabTo(/^Download/);
  const saved = page.waitForEvent("download");
  await typist.press("Enter");
  await saved;

  // Back to the chat, which becomes a ticket.
  await page.goBack();
  await page.goBack();
  await page.locator("#chat-name").waitFor();
  await typist.tabTo(/^More/);
  await typist.press("Enter");
  await typist.tabTo(/^Make a ticket/);
  await typist.press("Enter");
  await typist.meets(/^ticket-title/);
  await typist.tabTo(/^Send a file/);
  await typist.press("Enter");
  await page.getByText("note.txt").first().waitFor();
  await typist.tabTo(/^ticket-message/, "Shift+Tab");
  await typist.type("Here it is.");
  await typist.press("Control+Enter");
  await page.getByRole("log").getByText("note.txt").waitFor();
  await typist.keepsFocus();

  await typist.tabTo(/^Log out/, "Shift+Tab");
  await typist.press("Enter");
  await page.getByText("Open chats: 1").waitFor();
  await typist.tabTo(/^Log out anyway/);
  await typist.press("Enter");
  await typist.meets(/^login-/);
  expect(typist.complaints).toEqual([]);
  expect(complaints).toEqual([]);
});
