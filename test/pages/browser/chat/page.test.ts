import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, BrowserContextOptions, Locator, Page, Route } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { parse } from "yaml";
import {
  createWorkspace,
  root,
  type Server,
  startServer,
} from "../../../runtime/processes/processes.ts";
import { engineTexts, shippedTexts } from "../../../clients/connectors/texts.ts";
import { closeContext, contrastOf, openBrowser, picture, watch } from "../chromium.ts";
import { serveDemo } from "../demo.ts";

let browser: Browser;
let server: Server;
/** Undone in reverse order, as far as the setup came. */
const undo: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  browser = await openBrowser();
  const place = await createWorkspace();
  undo.push(() => rm(place.path, { recursive: true, force: true }));
  const command = join(root, "src", "cli", "main.ts");
  // A value in the process is known at once, while a turn waits only 50 ms for a file, which a busy
  // machine may exceed.
  const written = await readFile(place.config, "utf8");
  await place.write("afterword.yaml", written.replace("store: file", "store: memory"));
  server = await startServer([command, "serve", "--config", place.config, "--port", "0"], {});
  undo.push(() => server.stop());
});

afterAll(async () => {
  for (const step of undo.toReversed()) await step();
});

interface OpenedPage {
  readonly page: Page;
  /** The page's complaints so far. */
  readonly complaints: readonly string[];
  /** The newest answer: the reader's text, and the engine's. */
  readonly reader: Locator;
  readonly engine: Locator;
  answers(count: number): Promise<void>;
  type(text: string): Promise<void>;
}

/** Opens the page in a browser window of its own and waits for the first answer. */
async function visit(options: BrowserContextOptions = {}): Promise<OpenedPage> {
  const context = await browser.newContext(options);
  onTestFinished(() => closeContext(context));
  const page = await context.newPage();
  const complaints = await watch(page, server.url);
  await page.goto(server.url);
  const newest = page.locator("#log .answer").last();
  const answers = (count: number): Promise<void> =>
    page
      .locator("#log .answer")
      .nth(count - 1)
      .waitFor();
  await answers(1);
  return {
    page,
    complaints,
    reader: newest.locator(".reader"),
    engine: newest.locator(".engine"),
    answers,
    async type(text) {
      await page.getByLabel("Your message").fill(text);
      await page.getByRole("button", { name: "Send" }).click();
    },
  };
}

const textOf = (part: Locator): Promise<string | null> => part.locator(".text").textContent();
const badgesOf = (part: Locator): Promise<string[]> => part.locator(".badge").allTextContents();

describe("the chat page", () => {
  it("opens without an error, and shows the reader's text beside the engine's", async () => {
    const { page, complaints, reader, engine } = await visit();
    expect(await textOf(reader)).toBe(shippedTexts("en")["welcome"]);
    expect(await textOf(engine)).toBe(engineTexts("en")["welcome"]);
    expect(await badgesOf(reader)).toEqual(["welcome"]);
    const [left, right] = [await reader.boundingBox(), await engine.boundingBox()];
    expect(left?.y).toBe(right?.y);
    expect(left?.x).toBeLessThan(right?.x ?? 0);
    await picture(page, "first");
    expect(complaints).toEqual([]);
  });

  it("keeps every button inside its card", async () => {
    const { page, answers, type } = await visit({ viewport: { width: 390, height: 844 } });
    await type("My parcel is missing");
    await answers(2);
    await type("Where can I buy shoes?");
    await answers(3);
    const boxes = await page.locator("#log .answer").evaluateAll((cards) =>
      cards.flatMap((card) => {
        const outer = card.getBoundingClientRect();
        return [...card.querySelectorAll("button")].map((button) => {
          const inner = button.getBoundingClientRect();
          const sides = [inner.left - outer.left, outer.right - inner.right];
          return Math.min(...sides, inner.top - outer.top, outer.bottom - inner.bottom);
        });
      }),
    );
    expect(boxes.length).toBeGreaterThan(0);
    for (const space of boxes) expect(space).toBeGreaterThanOrEqual(8);
    await picture(page, "cards");
  });

  it("reports in words that the server failed, and asks again", async () => {
    const { page, answers, type } = await visit();
    await page.route("**/conversation/message", (route) =>
      route.fulfill({ status: 502, contentType: "text/html", body: "<html>bad</html>" }),
    );
    await type("xyzzy");
    await page.getByText("Not answered. The server answered 502, not with JSON.").waitFor();
    await page.unroute("**/conversation/message");
    await page.route("**/conversation/history", (route) => route.abort());
    await page.getByRole("button", { name: "Try again" }).click();
    await answers(2);
    await page.getByText("what the engine said is not known").waitFor();
    expect(await page.locator("#log .said").count()).toBe(1);
  });

  it("goes on with the same conversation when it is loaded again, and asks once", async () => {
    const { page, complaints, answers, type, reader } = await visit();
    await page.getByLabel("Language").selectOption("fr");
    await page.getByText(shippedTexts("fr")["welcome"] ?? "").waitFor();
    await type("Mon colis a disparu");
    await answers(2);
    const before = await page.locator("#log").innerText();
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    await page.reload();
    await answers(2);
    expect(await page.locator("#log").innerText()).toBe(before);
    expect(await page.getByLabel("Language").inputValue()).toBe("fr");
    expect(asked.filter((path) => path.endsWith("/message"))).toEqual([]);
    // The engine still waits for the answer to its question.
    await page.getByRole("button", { name: "Oui", exact: true }).click();
    await answers(3);
    expect(asked.filter((path) => path.endsWith("/conversation"))).toEqual([]);
    await page.getByRole("button", { name: "New conversation" }).click();
    await page.waitForFunction(() => document.querySelectorAll("#log .answer").length === 1);
    await page.reload();
    await answers(1);
    expect(await textOf(reader)).toBe(shippedTexts("fr")["welcome"]);
    expect(complaints).toEqual([]);
  });

  it("asks what was not answered again, after it was loaded again meanwhile", async () => {
    const { page, answers, type } = await visit();
    await page.route("**/conversation/message", () => undefined);
    await type("Opening hours");
    await page.locator("#log [aria-busy]").waitFor();
    await page.reload();
    await page.getByText("Not answered. This page was loaded again.").waitFor();
    // Not earlier: it would release the delayed message.
    await page.unroute("**/conversation/message");
    await page.getByRole("button", { name: "Try again" }).click();
    await answers(2);
    expect(await page.locator("#log .said").allTextContents()).toEqual(["Opening hours"]);
  });

  it("shows answers below their question, and shows that it waits for them", async () => {
    const { page, answers, type } = await visit();
    const waiting: (() => void)[] = [];
    await page.route("**/conversation/message", async (route) => {
      await new Promise<void>((resolve) => waiting.push(resolve));
      await route.continue();
    });
    await type("Opening hours");
    await type("Where is my order?");
    const messages = page.locator("#log .said");
    await messages.nth(1).waitFor();
    for (const one of await messages.all()) expect(await one.isVisible()).toBe(true);
    const dots = page.locator("#log .turn[aria-busy]");
    expect(await dots.count()).toBe(2);
    expect(
      await dots.first().evaluate((turn) => getComputedStyle(turn, "::after").content),
    ).not.toBe("none");
    for (const count of [1, 2]) {
      await expect.poll(() => waiting.length).toBe(count);
      waiting.at(-1)?.();
      await answers(count + 1);
    }
    const order = await page
      .locator("#log :is(.said, .answer)")
      .evaluateAll((parts) => parts.map((part) => part.className));
    expect(order).toEqual(["answer", "said", "answer", "said", "answer"]);
    await expect.poll(() => dots.count()).toBe(0);
  });

  it("offers the options of the newest question alone", async () => {
    const { page, answers, type } = await visit();
    await type("My parcel is missing");
    await answers(2);
    const options = page.locator("#log .choices button");
    expect(await options.first().isEnabled()).toBe(true);
    await type("Opening hours");
    await answers(3);
    expect(await options.first().isEnabled()).toBe(false);
  });

  it("says so when a rating was not accepted, and when it cannot start", async () => {
    const { page, answers, type } = await visit();
    await type("Opening hours");
    await answers(2);
    await page.route("**/tracking/events", (route) => route.fulfill({ status: 500, body: "{}" }));
    await page.getByRole("button", { name: "This helped" }).click();
    await page.getByText("The rating was not accepted.").waitFor();
    for (const part of ["config.json", "words-en.json"]) {
      const refuse = (route: Route): Promise<void> => route.fulfill({ status: 404, body: "{}" });
      const address = new RegExp(`\\?file=(?:\\w+/)?${part.replace(".", "\\.")}$`, "u");
      await page.route(address, refuse);
      await page.reload();
      await page.getByText("This page could not start").waitFor();
      expect(await page.locator("#composer").isVisible()).toBe(false);
      await page.unroute(address, refuse);
    }
  });

  it("begins in the language that its address names", async () => {
    const context = await browser.newContext();
    onTestFinished(() => context.close());
    const page = await context.newPage();
    await page.goto(`${server.url}/?lang=pt-BR`);
    await page.getByText(shippedTexts("pt-BR")["welcome"] ?? "").waitFor();
    expect(await page.getByLabel("Language").inputValue()).toBe("pt-BR");
  });

  it("names the mistakes in the owner's files while there are any", async () => {
    const own = await serveDemo();
    const page = await (await visit()).page.context().newPage();
    await page.goto(own.url);
    await page.locator("#log .answer").waitFor();
    const comeBack = async (): Promise<string> => {
      await page.evaluate(() => dispatchEvent(new Event("focus")));
      return page.locator("#standing").innerText();
    };
    expect(await comeBack()).toBe("");
    await own.write("messages/fr.yaml", 'no-results: "one\n');
    await vi.waitFor(
      async () => expect(await comeBack()).toMatch(/last good texts are in use.*fr\.yaml:1 /s),
      { timeout: 60_000 },
    );
    await own.write("messages/fr.yaml", 'no-results: "Rien."\n');
    await vi.waitFor(async () => expect(await comeBack()).toBe(""), { timeout: 60_000 });
  });

  it.each([
    ["ar", 390],
    ["de-AT", 390],
    ["ja-JP", 1280],
  ])("speaks the browser's language, %s, beside the reader's", async (locale, width) => {
    const { page, complaints, reader } = await visit({
      locale,
      viewport: { width, height: 844 },
    });
    const [language = "en"] = locale.split("-");
    const file = join(root, "locales", "pages", `${language}.yaml`);
    const words = parse(await readFile(file, "utf8")).playground;
    const html = page.locator("html");
    expect(await html.getAttribute("lang")).toBe(language);
    expect(await html.getAttribute("dir")).toBe(language === "ar" ? "rtl" : "ltr");
    await page.getByRole("button", { name: words.send }).waitFor();
    const restart = width < 500 ? words.new : words.newConversation;
    await page.getByRole("button", { name: restart, exact: true }).waitFor();
    expect(await reader.locator(".who").getAttribute("lang")).toBe(language);
    expect(await textOf(reader)).toBe(shippedTexts("en")["welcome"]);
    expect(await page.locator("body").innerText()).not.toContain("undefined");
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(
      true,
    );
    const composer = await page.locator("#composer").boundingBox();
    expect((composer?.y ?? 0) + (composer?.height ?? 0)).toBe(844);
    await picture(page, `words-${language}`);
    expect(complaints).toEqual([]);
  });

  it("shows when the kill switch is on, and only then", async () => {
    const notice = (page: Page): Locator => page.getByText("The kill switch is on");
    const usual = await visit();
    expect(await notice(usual.page).isVisible()).toBe(false);
    const switched = await serveDemo({ AFTERWORD_DISABLE: "true" });
    const page = await usual.page.context().newPage();
    const complaints = await watch(page, switched.url);
    await page.goto(switched.url);
    await notice(page).waitFor();
    const words = page.locator("#log .answer .reader .text");
    await words.waitFor();
    expect(await words.textContent()).toBe(engineTexts("en")["welcome"]);
    await picture(page, "kill-switch");
    expect(complaints).toEqual([]);
  });

  it("shows the flag, what the reader typed, and both texts when nothing is found", async () => {
    const { page, complaints, reader, engine, answers, type } = await visit();
    await type("xyzzy <b>plugh</b> & frobozz");
    await answers(2);
    expect(await page.locator("#log .said").allTextContents()).toEqual([
      "xyzzy <b>plugh</b> & frobozz",
    ]);
    expect(await badgesOf(reader)).toEqual(["no-results"]);
    expect(await textOf(reader)).toBe(shippedTexts("en")["no-results"]);
    expect(await textOf(engine)).toBe(engineTexts("en")["no-results"]);
    await picture(page, "no-results");
    expect(complaints).toEqual([]);
  });

  it("shows related contents under Afterword's title, and asks the one that is clicked", async () => {
    const { page, complaints, reader, engine, answers, type } = await visit();
    await type("Where is my order?");
    await answers(2);
    await engine.getByText("The engine said the same").waitFor();
    expect(await textOf(engine)).toBe("");
    expect(await reader.locator("b").first().textContent()).toBe("tracking link");
    expect(await page.locator(".related .title").textContent()).toBe(
      shippedTexts("en")["related-title"],
    );
    await picture(page, "related");
    await page.getByRole("button", { name: "Delivery times" }).click();
    await answers(3);
    expect(await page.locator("#log .said").last().textContent()).toBe("Delivery times");
    expect(await textOf(reader)).toContain("2 to 4 working days");
    expect(complaints).toEqual([]);
  });

  it.each([
    ["fr", "ltr"],
    ["ar", "rtl"],
    ["ja", "ltr"],
  ])("begins again in %s, written %s, when the language is switched", async (locale, direction) => {
    const { page, complaints, reader, engine, answers, type } = await visit();
    await type("hm");
    await answers(2);
    await page.getByLabel("Language").selectOption(locale);
    await page.waitForFunction(
      (text) => document.querySelector("#log .reader .text")?.textContent === text,
      shippedTexts(locale)["welcome"],
    );
    expect(await page.locator("#log .answer").count()).toBe(1);
    expect(await textOf(engine)).toBe(engineTexts(locale)["welcome"]);
    const log = page.getByRole("log");
    expect([await log.getAttribute("lang"), await log.getAttribute("dir")]).toEqual([
      locale,
      direction,
    ]);
    const [mine, theirs] = [await reader.boundingBox(), await engine.boundingBox()];
    expect((mine?.x ?? 0) > (theirs?.x ?? 0)).toBe(direction === "rtl");
    await type("xyzzy");
    await answers(2);
    // The reader's messages are at the far side, whatever their direction.
    const [message, whole] = [await page.locator(".said").boundingBox(), await log.boundingBox()];
    expect(message?.x === whole?.x).toBe(direction === "rtl");
    expect(await textOf(reader)).toBe(shippedTexts(locale)["no-results"]);
    await picture(page, `language-${locale}`);
    expect(complaints).toEqual([]);
  });

  it("speaks its own words in a language that the engine does not know", async () => {
    const { page, complaints } = await visit();
    const named = await page.getByLabel("Language").locator("option").allTextContents();
    expect(named).toEqual(expect.arrayContaining(["euskara (Basque)", "galego (Galician)"]));
    await page.getByLabel("Language").selectOption("it");
    await page.waitForFunction(
      (text) => document.querySelector("#log .reader .text")?.textContent === text,
      shippedTexts("it")["welcome"],
    );
    expect(complaints).toEqual([]);
  });

  it("shows default content as the engine's own, known by its title, on the modern bot", async () => {
    const { page, complaints, reader, engine, answers, type } = await visit();
    await page.getByLabel("Bot").selectOption("demo-modern");
    await page.waitForFunction(
      (text) => document.querySelector("#log .reader .text")?.textContent === text,
      engineTexts("en")["welcome"],
    );
    await type("xyzzy");
    await answers(2);
    expect(await textOf(reader)).toBe(engineTexts("en")["no-results"]);
    expect(await badgesOf(reader)).toEqual([]);
    expect(await badgesOf(engine)).toEqual(["title: No Results"]);
    await picture(page, "modern");
    expect(complaints).toEqual([]);
  });

  it("can be used with the keyboard alone, and always shows where one is", async () => {
    const { page, complaints, reader, answers } = await visit();
    const reached = new Set<string>();
    const here = (): Promise<string> =>
      page.evaluate(() => {
        const element = document.activeElement;
        if (element === null) return "";
        const { outlineStyle, outlineWidth } = getComputedStyle(element);
        const seen = outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2;
        return `${element.id}${seen ? "" : " unseen"}`;
      });
    // The first Tab may focus anything, because the page has scrolled. One round ends at the
    // message, or two if the first Tab focuses the element after it.
    for (let presses = 0; presses < 40; presses++) {
      await page.keyboard.press("Tab");
      const id = await here();
      if (id === "message" && reached.size >= 6) break;
      if (id !== "" && id !== " unseen") reached.add(id);
    }
    expect([...reached].toSorted()).toEqual(
      ["instance", "language", "restart", "why-open", "log", "message", "send"].toSorted(),
    );
    await page.keyboard.type("Where is my order?");
    await page.keyboard.press("Enter");
    await answers(2);
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("message");
    await page.keyboard.press("Shift+Tab");
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.textContent))
      .toBe("How do I return an item?");
    await page.keyboard.press("Enter");
    await answers(3);
    expect(await textOf(reader)).toContain("30 days");
    expect(complaints).toEqual([]);
  });

  it("fits a phone: nothing wider than the screen, and the newest answer in sight", async () => {
    const { page, complaints, engine, answers, type } = await visit({
      viewport: { width: 360, height: 640 },
    });
    await type("Where is my order?");
    await answers(2);
    await type("w".repeat(300));
    await answers(3);
    const widths = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      return [scrollWidth, clientWidth];
    });
    expect(widths).toEqual([360, 360]);
    const [answer, composer] = [
      await engine.boundingBox(),
      await page.locator("#composer").boundingBox(),
    ];
    expect((answer?.y ?? 0) + (answer?.height ?? 0)).toBeLessThanOrEqual(
      Math.ceil(composer?.y ?? 0),
    );
    expect((composer?.y ?? 0) + (composer?.height ?? 0)).toBeLessThanOrEqual(640);
    await picture(page, "phone");
    for (const control of await page
      .locator("button:visible, select:visible, input:visible")
      .all()) {
      expect((await control.boundingBox())?.height).toBeGreaterThanOrEqual(44);
    }
    expect(complaints).toEqual([]);
  });

  it.each(["light", "dark"] as const)("is readable in the %s scheme", async (colorScheme) => {
    const { page, complaints, answers, type } = await visit({ colorScheme });
    await type("Where is my order?");
    await answers(2);
    const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const [red = 0] = (/\d+/u.exec(ground) ?? []).map(Number);
    expect(red > 127).toBe(colorScheme === "light");
    for (const selector of [
      "h1",
      ".controls p",
      ".reader .text",
      ".engine .text",
      ".who",
      ".badge",
      ".said",
      "#send",
      "select",
      ".chips button",
      "label",
    ]) {
      expect([selector, (await contrastOf(page, selector)) >= 4.5]).toEqual([selector, true]);
    }
    await picture(page, colorScheme);
    expect(complaints).toEqual([]);
  });

  it("asks for the owner's own key when the demo credentials are not there", async () => {
    const other = await serveDemo({ AFTERWORD_DEMO_CREDENTIALS: "generate" });
    const context = await browser.newContext();
    onTestFinished(() => context.close());
    const page = await context.newPage();
    const complaints = await watch(page, other.url);
    await page.goto(other.url);
    await page.getByRole("heading", { name: "Use your own key" }).waitFor();
    expect(await page.locator("#recipe").textContent()).toContain(`${other.url}/v1/auth`);
    expect(await page.locator("#composer").isVisible()).toBe(false);
    await picture(page, "own-key");
    expect(complaints).toEqual([]);
  });

  it("offers options as buttons, in the reader's language, and leads through a form", async () => {
    const { page, complaints, answers, reader } = await visit({ locale: "fr-FR" });
    const type = async (text: string): Promise<void> => {
      await page.getByLabel("Votre message").fill(text);
      await page.getByRole("button", { name: "Envoyer" }).click();
    };
    await page.getByLabel("Langue").selectOption("fr");
    await page
      .locator("#log .answer")
      .getByText(shippedTexts("fr")["welcome"] ?? "")
      .waitFor();
    await type("Mon colis a disparu");
    await answers(2);
    await page.getByRole("button", { name: "Oui", exact: true }).click();
    await answers(3);
    await type("Il y a un problème avec ma commande");
    await answers(5);
    await type("nobody");
    await answers(7);
    expect(await badgesOf(reader)).toEqual(["form-continue"]);
    await page.getByRole("button", { name: "Non", exact: true }).last().click();
    await answers(8);
    expect(await badgesOf(reader)).toEqual(["follow-up-question"]);
    await picture(page, "form");
    expect(complaints).toEqual([]);
  });

  it("sends the rating of an answer", async () => {
    const { page, complaints, answers, type } = await visit();
    await type("Opening hours");
    await answers(2);
    const sent = page.waitForRequest((request) => request.url().endsWith("/tracking/events"));
    await page.getByRole("button", { name: "This helped" }).click();
    expect((await sent).postDataJSON()).toMatchObject({ type: "rate", data: { value: 1 } });
    await page.getByText("Thank you.").waitFor();
    expect(complaints).toEqual([]);
  });
});
