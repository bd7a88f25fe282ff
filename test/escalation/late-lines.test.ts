import { describe, expect, it } from "vitest";
import type { EscalationRecord } from "../../src/escalation/record.ts";
import type { Core } from "../../src/gateway/core.ts";
import type { LateLines } from "../../src/gateway/escalation/late-lines.ts";
import { createRecords } from "../../src/gateway/escalation/records.ts";
import { createScopes } from "../../src/gateway/escalation/scopes.ts";
import { createRewriter } from "../../src/gateway/rewriter.ts";
import { createSpeakers } from "../../src/locales/speaker.ts";
import { createMemoryEscalations } from "../../src/escalation/stores/memory.ts";
import { createWebPlatform } from "../../src/runtime/web/web-platform.ts";
import { config, instance, tables } from "../fixtures/config.ts";
import { record } from "./suites/records.ts";

const offer = "escalation.offer";
const own = instance({ language: "fr" });
const whole = config(tables({ en: { [offer]: "A person?" }, fr: {}, de: {} }), {
  instances: [own],
});
const rewriter = createRewriter({ config: whole });
const late = createSpeakers([
  tables({ fr: { [offer]: "Quelqu’un ?" }, de: { [offer]: "Jemand?" } }),
]);

describe("what a conversation says whose lines come later", () => {
  it("is in its language once that is there, which is waited for", async () => {
    expect(await said("fr", "fr", "de")).toBe("Quelqu’un ?");
    expect(await said("de-AT", "fr", "de")).toBe("Jemand?");
  });

  it("is in the fallback's language where it cannot be had: never nothing", async () => {
    expect(await said("fr")).toBe("A person?");
    expect(await said("de", "fr")).toBe("A person?");
  });

  it("is in the script for the fallback, and in the instance's language for a reader of none that it has", async () => {
    expect(await said("en")).toBe("A person?");
    expect(await said("xx", "fr")).toBe("Quelqu’un ?");
  });
});

/** What a reader of this language is told where these can be fetched. */
async function said(locale: string, ...there: readonly string[]): Promise<string | null> {
  const fetched = new Set<string>();
  const lateLines: LateLines = {
    async ready(wanted) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      if (there.includes(wanted)) fetched.add(wanted);
    },
    understands: (wanted) => fetched.has(wanted),
    say: (name, key, scene, count) =>
      name === own.name && fetched.has(scene.locale) ? late.say(0, key, scene, count) : null,
  };
  const platform = createWebPlatform();
  const records = createRecords(createMemoryEscalations({ now: () => 0 }), () => 0);
  const core: Pick<Core, "platform" | "via"> = { platform, via: "1.1 afterword-test" };
  const scopeOf = createScopes(core, records, lateLines);
  const scope = await scopeOf({ rewriter }, own, locale);
  const told: EscalationRecord = record({ locale, channel: "" });
  return scope.say(told, offer);
}
