import type { Browser, BrowserContextOptions } from "playwright-core";
import { beforeAll, beforeEach, onTestFinished } from "vitest";
import { closeContext, openBrowser } from "../chromium.ts";
import { type AtDesk, type House, openDesk, openHouse } from "./desk-house.ts";

/** What the tests of a file work with. */
export interface DeskOfFile {
  readonly browser: Browser;
  /** The house of the running test. */
  readonly house: House;
  /** Opens its desk, and closes it at the end of the test. */
  readonly visit: (options?: BrowserContextOptions) => Promise<AtDesk>;
}

/**
 * Provides the browser of the process, and a house for each test of a file.
 *
 * @param ahead milliseconds by which the houses' clocks are put forward
 */
export function useDesk(ahead?: () => number): DeskOfFile {
  let browser: Browser;
  let house: House;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  beforeEach(async () => {
    const made = await openHouse(ahead);
    house = made;
    return () => made.close();
  });
  return {
    get browser() {
      return browser;
    },
    get house() {
      return house;
    },
    async visit(options = {}) {
      const desk = await openDesk(browser, `${house.url}/desk`, options);
      onTestFinished(() => closeContext(desk.context));
      return desk;
    },
  };
}
