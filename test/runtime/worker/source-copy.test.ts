import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { EscalationConfig } from "../../../src/config/escalation-config.ts";
import { DEFAULT_ESCALATION } from "../../../src/config/escalation-defaults.ts";
import { languageFiles } from "../../../src/runtime/worker/escalation/language-file.ts";
import { copySource } from "../../../src/runtime/worker/escalation/source-copy.ts";
import { unusedParts } from "../../../src/runtime/worker/escalation/unused-parts.ts";
import { config, instance, tables } from "../../fixtures/config.ts";

const managed: EscalationConfig = { ...DEFAULT_ESCALATION, mode: "managed" };
const source = join(import.meta.dirname, "../../../src");

describe("the sources of a worker that hands over", () => {
  let copy: string;
  const of = (file: string): Promise<Record<string, unknown>> => import(join(copy, file));

  beforeAll(async () => {
    copy = await mkdtemp(join(tmpdir(), "afterword-copy-"));
    await copySource(source, copy, { instances: [instance({ escalation: managed })] });
  });
  afterAll(() => rm(copy, { recursive: true }));

  it("know no words until a language's are learnt, and then those", async () => {
    const { learnWords } = await of("runtime/worker/escalation/known-words.ts");
    const { asksForPerson } = await of("escalation/words.ts");
    const { polarOf } = await of("locales/polar-words.ts");
    if (
      typeof asksForPerson !== "function" ||
      typeof polarOf !== "function" ||
      typeof learnWords !== "function"
    ) {
      throw new Error("the copy lacks what others call");
    }
    const asks = (text: string, locale: string): unknown =>
      asksForPerson(managed.triggers, text, locale);
    expect(asks("¡Quiero hablar con un agente humano!", "es")).toBe(false);
    expect(polarOf("¡Sí, claro!", "es")).toBe(null);
    const files = languageFiles(config(tables({ es: {} })));
    learnWords(files.get("es")?.words);
    expect(asks("¡Quiero hablar con un agente humano!", "es")).toBe(true);
    expect(asks("No quiero hablar con un agente humano", "es")).toBe(false);
    expect(asks("Ich möchte mit einem Menschen sprechen", "de")).toBe(false);
    expect(polarOf("¡Sí, claro!", "es")).toBe("yes");
    expect(polarOf("Ja", "de")).toBe(null);
    // English is understood by the side of every language.
    expect(polarOf("no", "es")).toBe("no");
  });

  it("take everything for open, and answer hooks as addresses that are none, where there are no hours and no secret", async () => {
    const { isOpen } = await of("escalation/hours.ts");
    expect(typeof isOpen === "function" && isOpen(null, 0)).toBe(true);
    const { answerHook } = await of("gateway/escalation/chat-hook.ts");
    const sent: unknown[] = [];
    const reply = { send: (status: number) => sent.push(status) };
    if (typeof answerHook === "function") {
      await answerHook({}, { exchange: { method: "POST", headers: [], reply } }, "shop");
    }
    expect(sent).toEqual([404]);
  });

  it("leave out only what no instance has a use for", () => {
    const files = (...settings: readonly EscalationConfig[]): readonly string[] =>
      unusedParts({
        instances: settings.map((escalation) => instance({ escalation })),
      }).map(({ file }) => file);
    const hours = { zone: "Europe/Paris", weekly: {}, holidays: [] };
    const hooked = { ...managed, chat: { ...managed.chat, hookSecret: "a secret" } };
    expect(files(managed)).toEqual(["escalation/hours.ts", "gateway/escalation/chat-hook.ts"]);
    expect(files(managed, { ...managed, hours })).toEqual(["gateway/escalation/chat-hook.ts"]);
    expect(files(managed, hooked)).toEqual(["escalation/hours.ts"]);
    expect(files({ ...hooked, hours })).toEqual([]);
  });
});
