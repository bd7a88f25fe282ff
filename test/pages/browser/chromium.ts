import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import {
  type Browser,
  type BrowserContext,
  chromium,
  type LaunchOptions,
  type Page,
} from "playwright-core";

/** The shell has the same engine without a window of its own, and tests take two thirds of the time. */
const executables = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"] as const;
const executable =
  process.env["CHROMIUM"] ?? executables.find((path) => existsSync(path)) ?? executables[0];

let open: Promise<Browser> | null = null;

/**
 * The browser of this process, which ends with it: test files share one, and each opens contexts of
 * its own. It sends no requests but those of its pages. @throws Error as below
 */
export function openBrowser(): Promise<Browser> {
  open ??= launch();
  return open;
}

async function launch(): Promise<Browser> {
  const browser = await chromium.launch(browserOptions());
  // A browser that was closed, or that crashed, is replaced.
  browser.on("disconnected", () => {
    open = null;
  });
  // As patient as the tests, because a busy machine is slow.
  browser.on("context", (context) => context.setDefaultTimeout(120_000));
  return browser;
}

/** How such a browser is started. @throws Error when there is none on this machine */
export function browserOptions(): LaunchOptions {
  if (!existsSync(executable)) {
    throw new Error(
      `There is no Chromium at ${executable}. Install it (Debian: apt-get install -y chromium-headless-shell fonts-noto-core), or say where it is with CHROMIUM=/path/to/chromium.`,
    );
  }
  return {
    executablePath: executable,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  };
}

/**
 * Closes a context whose pages have routes. A page may ask once more as its test ends, and a handler
 * that is then still fetching would fail the file, or the test after it.
 */
export async function closeContext(context: BrowserContext): Promise<void> {
  await Promise.all(context.pages().map((page) => page.unrouteAll({ behavior: "ignoreErrors" })));
  await context.close();
}

/**
 * Records a page's complaints: errors, warnings, refused policies, failed requests, and foreign
 * addresses.
 */
export async function watch(page: Page, origin: string): Promise<readonly string[]> {
  const complaints: string[] = [];
  if (LATENESS > 0) await delayRequests(page, origin);
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("requestfailed", (request) => {
    // A page that is left or closed cancels its pending requests.
    if (request.failure()?.errorText === "net::ERR_ABORTED") return;
    complaints.push(`failed: ${request.url()}`);
  });
  page.on("request", (request) => {
    const { origin: to, protocol } = new URL(request.url());
    if (to !== origin && protocol !== "data:") complaints.push(`elsewhere: ${request.url()}`);
  });
  await page.exposeFunction("complain", (text: string) => void complaints.push(text));
  await page.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => {
      const complain: unknown = Reflect.get(globalThis, "complain");
      if (typeof complain === "function") complain(`policy: ${violatedDirective} ${blockedURI}`);
    });
  });
  return complaints;
}

/**
 * The most milliseconds by which requests are late, from AFTERWORD_LATE. Races show then that a fast
 * machine hides.
 */
export const LATENESS = Number(process.env["AFTERWORD_LATE"] ?? 0);

/** Delays half of a page's calls of the services by chance. Tests of sizes leave that out: routes bypass the cache. */
async function delayRequests(page: Page, origin: string): Promise<void> {
  const isCall = (url: URL): boolean =>
    url.origin === origin && /\/(?:v\d+|api)\/(?!.*events)/.test(url.pathname);
  await page.route(isCall, async (route) => {
    if (Math.random() < 0.5) await setTimeout(Math.random() * LATENESS);
    // The page may be closed by now.
    await route.fallback().catch(() => undefined);
  });
}

/** A picture for people, where AFTERWORD_SCREENSHOTS names a folder; tests don't compare it. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env["AFTERWORD_SCREENSHOTS"];
  if (folder !== undefined) await page.screenshot({ path: join(folder, `${name}.png`) });
}

/**
 * Keeps three operations of each interface in the API reference. The others are like them, and
 * examining all 130 takes a minute. Other pages stay as they are.
 */
export function shortenReference(page: Page): Promise<void> {
  return page.evaluate(() => {
    const kept = new Map<string, number>();
    for (const part of document.querySelectorAll("article")) {
      const [name = ""] = part.id.split(".");
      kept.set(name, (kept.get(name) ?? 0) + 1);
      if ((kept.get(name) ?? 0) > 3) part.remove();
    }
  });
}

let axeSource: string | null = null;

/** What axe finds against WCAG 2.2 A and AA: the rule and the first element of each. */
export async function axe(page: Page): Promise<readonly string[]> {
  axeSource ??= readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
  // Evaluated by the tools' protocol, which the page's policy does not bind; once per document.
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axeSource);
  return page.evaluate(async () => {
    const { run } = Reflect.get(globalThis, "axe") as {
      run(options: object): Promise<{
        violations: { id: string; nodes: { html: string; failureSummary: string }[] }[];
      }>;
    };
    const values = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
    const runOnly = { type: "tag", values };
    // Passed rules are not listed, which would take most of the time on a large page.
    const { violations } = await run({ runOnly, resultTypes: ["violations"] });
    return violations.map(
      ({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`,
    );
  });
}

/** The contrast between an element's text and its background (WCAG 2.2, 1.4.3), from 1 to 21. */
export function contrastOf(page: Page, selector: string): Promise<number> {
  return page
    .locator(selector)
    .first()
    .evaluate((element) => {
      const canvas = document
        .createElement("canvas")
        .getContext("2d", { willReadFrequently: true });
      const paint = (colour: string, over: readonly number[]): number[] => {
        if (canvas === null) throw new Error("no canvas");
        canvas.fillStyle = `rgb(${over.join(" ")})`;
        canvas.fillRect(0, 0, 1, 1);
        canvas.fillStyle = colour;
        canvas.fillRect(0, 0, 1, 1);
        return [...canvas.getImageData(0, 0, 1, 1).data.slice(0, 3)];
      };
      const luminance = (rgb: readonly number[]): number => {
        const [r = 0, g = 0, b = 0] = rgb
          .map((part) => part / 255)
          .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const layers: Element[] = [];
      for (let at: Element | null = element; at !== null; at = at.parentElement) layers.unshift(at);
      let ground = [255, 255, 255];
      for (const layer of layers) ground = paint(getComputedStyle(layer).backgroundColor, ground);
      const text = paint(getComputedStyle(element).color, ground);
      const [dark = 0, light = 0] = [luminance(ground), luminance(text)].toSorted((a, b) => a - b);
      return (light + 0.05) / (dark + 0.05);
    });
}
