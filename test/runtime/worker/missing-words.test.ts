import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { InstanceConfig } from "../../../src/config/config.ts";
import type { EscalationConfig } from "../../../src/config/escalation-config.ts";
import { DEFAULT_ESCALATION } from "../../../src/config/escalation-defaults.ts";
import type { Phase } from "../../../src/escalation/record.ts";
import { createMemoryEscalations } from "../../../src/escalation/stores/memory.ts";
import type { Core } from "../../../src/gateway/core.ts";
import { createClimbing } from "../../../src/gateway/escalation/climbing.ts";
import type * as escalations from "../../../src/gateway/escalation/escalations.ts";
import { createRecords } from "../../../src/gateway/escalation/records.ts";
import { createScopes } from "../../../src/gateway/escalation/scopes.ts";
import { createFetchTransport } from "../../../src/runtime/web/fetch-transport.ts";
import { createWebGateway } from "../../../src/runtime/web/gateway.ts";
import { createWebPlatform } from "../../../src/runtime/web/web-platform.ts";
import { bundleConfig, unbundleConfig } from "../../../src/runtime/worker/bundle.ts";
import type * as fetchedLines from "../../../src/runtime/worker/escalation/fetched-lines.ts";
import {
  languageFiles,
  wordsInScript,
} from "../../../src/runtime/worker/escalation/language-file.ts";
import { copySource } from "../../../src/runtime/worker/escalation/source-copy.ts";
import { respond } from "../../../src/runtime/worker/respond.ts";
import { record, talking } from "../../escalation/suites/records.ts";
import { config, instance, tables } from "../../fixtures/config.ts";

const root = join(import.meta.dirname, "../../..");
const keys = ["offer", "yes", "no", "declined", "ask-name", "cancel", "not-now", "not-delivered"];
const lines = (tag: string): Record<string, string> =>
  Object.fromEntries(keys.map((key) => [`escalation.${key}`, `${tag} ${key}`]));

// The sources of a worker that hands over: those of Node know all words from the start.
const copy = await mkdtemp(join(tmpdir(), "afterword-missing-"));
afterAll(() => rm(copy, { recursive: true }));
await copySource(join(root, "src"), copy, { instances: [] });
const { createFetchedLines }: typeof fetchedLines = await import(
  join(copy, "runtime/worker/escalation/fetched-lines.ts")
);
const { createEscalations }: typeof escalations = await import(
  join(copy, "gateway/escalation/escalations.ts")
);

describe("a reader whose language cannot be fetched", () => {
  it("gives no name with a no", async () => {
    const { say, assets, stored } = await isolate("fr");
    assets.fail = true;
    expect(await say("aide")).toEqual(["bot", "en offer"]);
    expect(await say("yes")).toEqual(["en ask-name"]);
    expect(await say("non")).toEqual(["en ask-name"]);
    expect((await stored())?.person.name).toBe("");
    // English is the fallback's: it is in the script.
    expect(await say("cancel")).toEqual(["en declined"]);
  });

  it("is asked again, in the fallback's, and understood as soon as it is there", async () => {
    const { say, assets } = await isolate("de");
    assets.fail = true;
    expect(await say("Hilfe")).toEqual(["bot", "en offer"]);
    expect(await say("ja")).toEqual(["en offer"]);
    assets.fail = false;
    // Within the ten seconds in which nobody else looks for it again.
    expect(await say("ja ")).toEqual(["de ask-name"]);
    expect(await say("nein")).toEqual(["de declined"]);
  });

  it("is not made to wait where texts of it were pushed, and the deployment has none", async () => {
    const { say, assets } = await isolate("it", { lacking: true });
    expect(await say("aiuto")).toEqual(["bot", "en offer"]);
    expect(assets.asked).toEqual([]);
  });
});

describe("lines are not waited for", () => {
  const silent = { ...DEFAULT_ESCALATION.triggers, words: false };

  it("with the kill switch, or where only a signal is given and no words are listened for", async () => {
    const off = await isolate("es", { disabled: true });
    expect(await off.say("ayuda")).toEqual(["bot"]);
    const signal = await isolate("es", { escalation: { mode: "signal", triggers: silent } });
    expect(await signal.say("ayuda")).toEqual(["bot"]);
    expect([off.assets.asked, signal.assets.asked]).toEqual([[], []]);
  });

  it("but where words are listened for, and where a person has the conversation", async () => {
    const signal = await isolate("pt", { escalation: { mode: "signal" } });
    await signal.say("ajuda");
    expect(signal.assets.asked).toEqual(["pt"]);
    const held = await isolate("nl", { disabled: true, phase: talking });
    // There is no chat here: what was typed could not be passed on.
    expect(await held.say("hallo")).toEqual(["nl not-delivered"]);
  });
});

it("what is said to a reader who has changed the language meanwhile is fetched first", async () => {
  const phase: Phase = { name: "reaching", rung: 0, since: 0, why: "" };
  const { store, scopeOf, stored } = await isolate("sv", { phase });
  const now = await stored();
  if (now === null) throw new Error("nothing is stored");
  const scope = await scopeOf("da");
  const climbing = createClimbing(store, "one", null, () => undefined);
  const { sayings } = await climbing.attend(scope, { ...now, locale: "da" });
  expect(sayings.map(({ text }) => text)).toEqual(["sv not-now"]);
});

interface IsolateOptions {
  readonly escalation?: Partial<EscalationConfig>;
  readonly disabled?: boolean;
  readonly phase?: Phase;
  /** The deployment has no file for the language. */
  readonly lacking?: boolean;
}

/**
 * A gateway from the sources of a worker that hands over, whose one reader has this language and
 * asks the bot things.
 */
async function isolate(language: string, options: IsolateOptions = {}) {
  const { escalation, disabled = false, phase, lacking = false } = options;
  const whole = config(tables({ en: lines("en"), da: lines("da"), [language]: lines(language) }), {
    instances: [
      instance({
        language,
        upstream: { ...instance().upstream, apis: { chatbot: "https://api.example.com/chatbot" } },
        escalation: {
          ...DEFAULT_ESCALATION,
          mode: "managed",
          identity: { ...DEFAULT_ESCALATION.identity, ask: ["name"] },
          ...escalation,
        },
      }),
    ],
  });
  const files = languageFiles(whole);
  const assets = {
    fail: false,
    asked: Array<string>(),
    async fetch(url: string) {
      const [, locale = ""] = /\/(\w+)\.json$/.exec(url) ?? [];
      assets.asked.push(locale);
      if (assets.fail) throw new Error("network");
      return new Response(JSON.stringify(files.get(locale)));
    },
  };
  const platform = createWebPlatform({
    transport: createFetchTransport({
      fetch: async () => Response.json({ answers: [{ message: "bot", flags: ["escalate"] }] }),
    }),
  });
  const written = [...files.keys()].filter((locale) => !lacking || locale !== language);
  const late = createFetchedLines("folder", written, wordsInScript(whole))(assets, platform);
  const store = createMemoryEscalations({ now: platform.now });
  const gateway = createWebGateway(
    {
      config: unbundleConfig(bundleConfig(whole)),
      routeKeys: ["a route key of good length"],
      platform,
      disabled,
    },
    undefined,
    createEscalations({ store, apart: { outlive: () => undefined }, lateLines: late }),
  );
  const key = await platform.digest(`shop\nsession`);
  if (phase !== undefined) await store.put(record({ key, phase, locale: language, channel: "" }));
  const records = createRecords(store, platform.now);
  const scopes = createScopes(gateway.core, records, late);
  return {
    assets,
    store,
    stored: () => store.get(key),
    scopeOf: (locale: string) => scopes(gateway.core.snapshot(), instanceOf(gateway.core), locale),
    async say(message: string) {
      const request = new Request("https://bot.example/v1/conversation/message", {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "x-vendor-key": "key",
          authorization: "Bearer token",
          "x-inbenta-session": "Bearer session",
        },
        body: JSON.stringify({ message }),
      });
      const response = await respond(gateway, request, {});
      const { answers } = (await response.json()) as { answers: { message: string }[] };
      return answers.map((answer) => answer.message);
    },
  };
}

function instanceOf({ snapshot }: Core): InstanceConfig {
  const [only] = snapshot().config.instances;
  if (only === undefined) throw new Error("no instance");
  return only;
}
