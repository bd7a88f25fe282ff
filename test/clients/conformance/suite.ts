import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { measure } from "./measures.ts";
import { type Runtime, setups, type Setup, type Started } from "./runtime.ts";
import { areas } from "./scenarios/all.ts";

/**
 * Every behaviour of the gateway, on one runtime.
 *
 * @param played the setups to play; others are for a further file of the same runtime
 */
export function describeConformance(runtime: Runtime, played: readonly Setup[] = setups): void {
  describe(`on ${runtime.name},`, () => {
    describe.each(played)("started %s,", (setup) => {
      describeSetup(runtime, setup);
    });

    it("no other case is left out", () => {
      const names = areas.flatMap(({ scenarios }) => scenarios.map(({ name }) => name));
      const left = Object.keys(runtime.lacks ?? {});
      expect(left.filter((name) => !names.includes(name))).toEqual([]);
    });
  });
}

function describeSetup(runtime: Runtime, setup: Setup): void {
  const { lacks = {} } = runtime;
  let started: Started | null = null;
  const bed = (): Started => started ?? expect.fail("the gateway is not running");

  beforeAll(async () => {
    started = await runtime.start(setup);
  });
  afterAll(() => started?.stop());

  const here = areas.filter((area) => (area.setup ?? "plain") === setup);
  describe.each(here)("$name", ({ scenarios }) => {
    const playable = scenarios.filter(({ name }) => lacks[name] === undefined);
    it.each(playable)("$name", (scenario) => scenario.run(bed()));
  });

  if (setup !== "plain") return;
  it("the stored part of a message is what docs/runtimes.md states", async () => {
    expect(await measure(bed())).toEqual(runtime.keeps);
  });
}
