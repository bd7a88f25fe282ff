import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { measure } from "./measures.ts";
import type { Runtime, Started } from "./runtime.ts";
import { areas } from "./scenarios/all.ts";

/** Every behaviour of the gateway, on one runtime. */
export function describeConformance(runtime: Runtime): void {
  const { lacks = {} } = runtime;
  describe(`on ${runtime.name},`, () => {
    let started: Started | null = null;
    const bed = (): Started => started ?? expect.fail("the gateway is not running");

    beforeAll(async () => {
      started = await runtime.start();
    }, 60_000);
    afterAll(() => started?.stop());

    describe.each(areas)("$name", ({ scenarios }) => {
      const here = scenarios.filter(({ name }) => lacks[name] === undefined);
      it.each(here)("$name", (scenario) => scenario.run(bed()));
    });

    it("nothing else is left out", () => {
      const names = areas.flatMap(({ scenarios }) => scenarios.map(({ name }) => name));
      expect(Object.keys(lacks).filter((name) => !names.includes(name))).toEqual([]);
    });

    it("what is kept of a message is what docs/runtimes.md says", async () => {
      expect(await measure(bed())).toEqual(runtime.keeps);
    });
  });
}
