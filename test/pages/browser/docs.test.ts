import { serve } from "@hono/node-server";
import type { AddressInfo } from "node:net";
import type { Browser, BrowserContextOptions, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { createDocsRoutes } from "../../../src/backend/docs/routes.ts";
import { loadReferenceParts } from "../../../src/backend/pages/load-page.ts";
import { axe, contrastOf, openBrowser, picture, shortenReference, watch } from "./chromium.ts";
import { openHouse } from "./desk/desk-house.ts";

let browser: Browser;
let url = "";
/** Undone in reverse order, as far as the setup came. */
const undo: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  browser = await openBrowser();
  const routes = createDocsRoutes({ version: "1.2.3", parts: loadReferenceParts });
  const { server, port } = await new Promise<{
    server: ReturnType<typeof serve>;
    port: number;
  }>((resolve) => {
    const server = serve(
      { fetch: routes.fetch, port: 0, hostname: "127.0.0.1" },
      (info: AddressInfo) => resolve({ server, port: info.port }),
    );
  });
  undo.push(() => new Promise((resolve) => server.close(resolve)));
  url = `http://127.0.0.1:${port}`;
});

afterAll(async () => {
  for (const step of undo.toReversed()) await step();
});

async function visit(
  options: BrowserContextOptions = {},
  path = "/docs",
  origin = url,
): Promise<{ page: Page; complaints: readonly string[] }> {
  const context = await browser.newContext(options);
  onTestFinished(() => context.close());
  const page = await context.newPage();
  // The recorder itself is a script: without scripts there are only the browser's messages.
  const complaints = options.javaScriptEnabled === false ? [] : await watch(page, origin);
  await page.goto(`${origin}${path}`);
  return { page, complaints };
}

describe("the page about the interfaces of an embedded backend", () => {
  it("sends the calls that it shows, and shows what comes back", async () => {
    const house = await openHouse();
    onTestFinished(() => house.close());
    const context = await browser.newContext();
    onTestFinished(() => context.close());
    const page = await context.newPage();
    const complaints = await watch(page, house.url);
    await page.goto(`${house.url}/docs`);
    const tryIt = async (id: string): Promise<Locator> => {
      const article = page.locator(`article[id="${id}"]`);
      await article.getByText("Try it", { exact: true }).click();
      return article;
    };
    await page.getByRole("searchbox").fill("POST conversation/message");
    const sending = await tryIt("chatbot.send");
    await sending
      .getByRole("textbox", { name: "Body" })
      .fill('{"message":"What are your opening hours?"}');
    await sending.getByRole("button", { name: "Send" }).click();
    await sending.getByRole("status").getByText(/^200/).waitFor();
    const answer = sending.getByRole("group", { name: "What came back: chatbot.send" });
    expect(await answer.textContent()).toContain("content-type: application/json");
    expect(await answer.textContent()).toContain("Monday to Friday");
    // People use the chat as themselves; a server's secret must not be in a browser.
    await page.getByRole("searchbox").fill("");
    const chats = await tryIt("chat.chats");
    await chats.getByRole("button", { name: "Send" }).click();
    await chats.getByRole("status").getByText(/^200/).waitFor();
    const secret = page.locator('article[id="chat.createAgent"]');
    expect(await secret.getByText("Try it", { exact: true }).count()).toBe(0);
    expect(complaints).toEqual([]);
    // A refusal is an answer as well.
    await chats.getByRole("textbox", { name: /^Address/ }).fill("/chat/v1/nowhere");
    await chats.getByRole("button", { name: "Send" }).click();
    await chats.getByRole("status").getByText(/^404/).waitFor();
    // Other operations are examined below.
    await page.evaluate(() => {
      for (const part of document.querySelectorAll("article")) {
        if (!["chatbot.send", "chat.chats"].includes(part.id)) part.remove();
      }
    });
    expect(await axe(page)).toEqual([]);
  });

  it("asks for an agent's token and for ids before it sends a call that needs them", async () => {
    const house = await openHouse();
    onTestFinished(() => house.close());
    const { page, complaints } = await visit({}, "/docs", house.url);
    const sent: string[] = [];
    page.on("request", (request) => sent.push(new URL(request.url()).pathname));
    const openForm = async (id: string): Promise<Locator> => {
      const article = page.locator(`article[id="${id}"]`);
      await article.getByText("Try it", { exact: true }).click();
      return article;
    };
    const send = async (article: Locator, status: RegExp): Promise<string> => {
      await article.getByRole("button", { name: "Send" }).click();
      await article.getByRole("status").getByText(status).waitFor();
      return (await article.getByRole("group", { name: /^What came back/ }).textContent()) ?? "";
    };
    const agents = await openForm("chat.agents");
    expect(await agents.textContent()).toContain("Only agents may call this.");
    const token = agents.getByRole("textbox", { name: "Agent's token" });
    await agents.getByRole("button", { name: "Send" }).click();
    expect(await token.evaluate((field) => field.matches(":invalid"))).toBe(true);
    expect(sent).not.toContain("/chat/v1/agents");
    // The demo's agent logs in as the form is, and the page keeps the token.
    await agents.getByRole("link", { name: "Log in as an agent" }).click();
    await send(await openForm("chat.loginAgent"), /^200 OK\. Later calls/);
    expect(await token.inputValue()).toMatch(/^[\w-]{20,}$/);
    expect(await send(agents, /^200/)).toContain('"login": "demo-agent"');
    // A place in the address is filled first.
    const chat = await openForm("chat.chat");
    const address = chat.getByRole("textbox", { name: /^Address/ });
    await chat.getByRole("button", { name: "Send" }).click();
    expect(await address.evaluate((field) => field.matches(":invalid"))).toBe(true);
    expect(await address.getAttribute("title")).toBe("Put a value in the place of {id}");
    // The reader's own user can open a chat, and read it.
    const user = JSON.parse(
      (await send(await openForm("chat.createUser"), /^200/)).split("\n\n")[1] ?? "",
    );
    const creating = await openForm("chat.createChat");
    const body = creating.getByRole("textbox", { name: "Body" });
    await body.fill(JSON.stringify({ room: 1, creator: user.user.id }));
    const { chat: opened } = JSON.parse((await send(creating, /^200/)).split("\n\n")[1] ?? "");
    await address.fill(`/chat/v1/chats/${opened.id}`);
    expect(await send(chat, /^200/)).toContain(opened.id);
    // Calls whose sample would be refused have the demo's values.
    for (const id of ["auth.authorize", "knowledge.search", "knowledge.contentsByIds"]) {
      await send(await openForm(id), /^200/);
    }
    expect(complaints).toEqual([]);
  });

  it("offers none where a vendor answers", async () => {
    const { page } = await visit();
    await page.locator("#find").waitFor();
    expect(await page.getByText("Try it", { exact: true }).count()).toBe(0);
  });
});

describe("the page about the interfaces", () => {
  it("opens without a complaint, in its own style", async () => {
    const { page, complaints } = await visit();
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toContain("Interfaces");
    // The style sheet applies: the policy's digest is that of the text in the page.
    const article = page.locator("article").first();
    expect(await article.evaluate((one) => getComputedStyle(one).borderTopStyle)).toBe("solid");
    await picture(page, "docs");
    expect(complaints).toEqual([]);
  });

  it("has a header in the reader's language, beside the reference in English", async () => {
    const { page, complaints } = await visit({ locale: "ar" });
    const header = page.locator("header.top");
    await expect.poll(() => header.getAttribute("lang")).toBe("ar");
    expect(await header.getAttribute("dir")).toBe("rtl");
    expect(await page.evaluate(() => document.documentElement.lang)).toBe("en");
    expect(await header.locator(".here").textContent()).not.toBe("API reference");
    await shortenReference(page);
    expect(await axe(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it("leads to an operation and to the document for programs", async () => {
    for (const path of ["/docs", "/docs/"]) {
      const { page, complaints } = await visit({}, path);
      await page.locator("nav summary").nth(1).click();
      await page.getByRole("link", { name: "POST /chatbot/v1/conversation/message" }).click();
      const target = page.locator("article:target");
      expect(await target.getAttribute("id")).toBe("chatbot.send");
      expect((await target.boundingBox())?.y).toBeLessThan(200);
      const link = page.getByRole("link", { name: "OpenAPI 3.1 document" });
      const address = await link.evaluate((element) => String(Reflect.get(element, "href")));
      expect(address).toBe(`${url}/docs/openapi.json`);
      expect(await (await page.request.get(address)).json()).toMatchObject({ openapi: "3.1.0" });
      expect(complaints).toEqual([]);
    }
  });

  it("finds operations by what stands in them, and tells curl its own address", async () => {
    const { page, complaints } = await visit();
    await page.getByRole("searchbox").fill("media POST ticketing");
    await page
      .getByRole("status")
      .getByText(/^\d+ operations?$/)
      .waitFor();
    const shown = page.locator("article:visible");
    expect(await shown.count()).toBeLessThan(20);
    expect(await page.locator("article#ticketing\\.createTicket").count()).toBe(1);
    const contents = page.getByRole("navigation").locator("li:visible");
    expect(await contents.count()).toBe(await shown.count());
    await page.getByRole("searchbox").fill("");
    expect(await page.locator("#shell").textContent()).toContain(`BASE=${url}\n`);
    // The contents stay where they are.
    await page.evaluate(() => globalThis.scrollTo(0, 5000));
    expect((await page.getByRole("searchbox").boundingBox())?.y).toBeLessThan(200);
    expect(complaints).toEqual([]);
  });

  it("says all of it without a script", async () => {
    const { page } = await visit({ javaScriptEnabled: false });
    const article = page.locator("article", { hasText: "/ticketing/v1/media" }).first();
    await article.getByText("Errors", { exact: true }).click();
    expect(await article.getByText("7,340,032").isVisible()).toBe(true);
  });

  it("fits a phone: a wide table moves inside its own frame", async () => {
    const { page, complaints } = await visit({ viewport: { width: 360, height: 640 } });
    const widths = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      return [scrollWidth, clientWidth];
    });
    expect(widths).toEqual([360, 360]);
    await picture(page, "docs-phone");
    expect(complaints).toEqual([]);
  });

  it.each(["light", "dark"] as const)("is readable in the %s scheme", async (colorScheme) => {
    const { page, complaints } = await visit({ colorScheme });
    for (const selector of ["h1", "h2", "article p", ".dim", ".method", "a", "td", "thead th"]) {
      expect([selector, (await contrastOf(page, selector)) >= 4.5]).toEqual([selector, true]);
    }
    expect(complaints).toEqual([]);
  });
});
