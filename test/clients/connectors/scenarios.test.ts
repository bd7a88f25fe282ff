// Suite: slow
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { engineTexts } from "./texts.ts";
import { startDemoGateway } from "../scenarios/gateway.ts";
import { play } from "../scenarios/play.ts";
import { SCENARIOS, WORDS } from "../scenarios/scenarios.ts";

let gateway: Awaited<ReturnType<typeof startDemoGateway>>;
beforeAll(async () => {
  gateway = await startDemoGateway();
});
afterAll(() => gateway.close());

describe.each(WORDS)("in $language", (words) => {
  test.each(SCENARIOS)("$flag: $cause", async (scenario) => {
    const { answer, engine, flags } = await play(gateway.url, scenario, words);
    expect(flags).toContain(scenario.flag);
    // The engine gives its plain default, the reader gets the better text, and the flag stays.
    expect(engine).toBe(engineTexts(words.language)[scenario.flag]);
    expect(answer?.message).not.toBe(engine);
    expect(answer?.messageList).toEqual([answer?.message]);
  });
});
