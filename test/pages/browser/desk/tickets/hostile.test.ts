import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { picture } from "../../chromium.ts";
import { logIn } from "../desk-house.ts";
import { useDesk } from "../use-desk.ts";

const site = useDesk();

const MARKUP = `<img src=x onerror="window.hit=1"><script>window.hit=1</script>"'><svg onload=window.hit=1>`;
/** Reverses the text after it, up to the end of its line's element. */
const OVERRIDE = "\u202e";
const LONG = "x".repeat(20_000);

/** Describes the harm that a page has suffered, whoever wrote its content. */
function findHarm(page: Page): Promise<readonly unknown[]> {
  return page.evaluate(() => {
    const links = [...document.querySelectorAll("a[href]")].map((one) =>
      one instanceof HTMLAnchorElement ? one.protocol : "",
    );
    const sideways = [...document.querySelectorAll(".list, .ticket, .log, .row, .bubble, main")]
      .filter((one) => one.checkVisibility() && one.scrollWidth > one.clientWidth + 1)
      .map((one) => `${one.tagName}.${one.className} scrolls sideways`);
    // Overrides end with their isolating element, so its content does not affect anything else.
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const loose: string[] = [];
    while (walker.nextNode()) {
      const { textContent, parentElement } = walker.currentNode;
      if (parentElement === null || !(textContent ?? "").includes("\u202e")) continue;
      const { unicodeBidi, display } = getComputedStyle(parentElement);
      const isAlone = /isolate|plaintext/.test(unicodeBidi) || !display.startsWith("inline");
      if (!isAlone)
        loose.push(`${parentElement.tagName}.${parentElement.className}: ${textContent}`);
    }
    return [
      Reflect.get(window, "hit") ?? null,
      links.filter((one) => !["http:", "https:", "mailto:"].includes(one)),
      document.querySelectorAll("#desk :is(script, iframe, form[action], base, meta, style)")
        .length,
      document.documentElement.scrollWidth > innerWidth,
      sideways,
      loose,
    ];
  });
}

const NONE = [null, [], 0, false, [], []];

describe.each([1400, 390])("a ticket with hostile content, on a page %d pixels wide", (width) => {
  it("is not executed, links to no script, and changes neither the page's width nor its neighbours' direction", async () => {
    const { askOwner } = site.house;
    const evil = `${OVERRIDE}${MARKUP}`;
    const { uuid: creator } = await askOwner("POST", "users", {
      name: `Ann ${evil}`,
      address: "ann@x.test",
    });
    const message =
      `<p>${LONG}</p><a href="javascript:window.hit=1">one</a> <a href="java&#10;script:window.hit=1">two</a>` +
      `<a href="data:text/html,<script>window.hit=1</script>">three</a><img src="https://elsewhere.example/x.png" onerror="window.hit=1">` +
      `<style>*{display:none}</style><form action="https://elsewhere.example"><input name=a></form><iframe src="javascript:window.hit=1"></iframe><p>END ${OVERRIDE}</p>`;
    const ticket = await askOwner("POST", "tickets", {
      title: `${LONG.slice(0, 200)} ${evil}`,
      message,
      creator,
      language: "en",
      transcript: {
        lines: [
          { who: "reader", message: `${evil} ${LONG.slice(0, 900)}`, created: 1_700_000_000 },
          { who: "agent", name: `Ben ${evil}`, message: "One moment", created: 1_700_000_002 },
        ],
      },
    });
    await askOwner("POST", `tickets/${ticket.id}/replies`, { message, creator });
    await site.house.agent("Bea", {
      name: `Bea ${evil}`,
      rights: { TICKET_VIEW: true, TICKET_EDIT: true },
    });
    const { page, complaints } = await site.visit({ viewport: { width, height: 850 } });
    await logIn(page);
    await page.evaluate((hash) => void (location.hash = hash), `#tickets/${ticket.id}`);
    await page.locator("#ticket-message").waitFor();
    await page.getByText("END").first().waitFor();
    await page.locator("#ticket-message").fill(`${evil} ${LONG}`);
    await picture(page, `desk-hostile-${width}`);
    expect(await findHarm(page)).toEqual(NONE);
    expect(complaints).toEqual([]);
  });
});
