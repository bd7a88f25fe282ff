import { describe, expect, it } from "vitest";
import { DEFAULT_ESCALATION } from "../../../src/config/escalation-defaults.ts";
import type { EscalationConfig } from "../../../src/config/escalation-config.ts";
import { OWN_LINES } from "../../../src/locales/own-lines.ts";
import {
  saysLine,
  withReachableLines,
} from "../../../src/runtime/worker/escalation/reachable-lines.ts";
import { line, tables } from "../../fixtures/config.ts";

const managed: EscalationConfig = { ...DEFAULT_ESCALATION, mode: "managed" };
const { identity, chat } = managed;
const everything: EscalationConfig = {
  ...managed,
  identity: { ...identity, ask: ["name", "email"], consent: true },
  hours: { zone: "Europe/Paris", weekly: {}, holidays: [] },
  ladder: ["agents", "queue", "ticket"],
  chat: { ...chat, survey: "s1" },
};
const silent = (settings: EscalationConfig): readonly string[] =>
  OWN_LINES.filter((key) => !saysLine(settings, key)).map(nameOf);

describe("the lines of escalation that go to the edge", () => {
  it.each<[string, Partial<EscalationConfig>, readonly string[]]>([
    ["everything is in use", {}, []],
    [
      "nobody is asked",
      { identity: { ...identity, ask: [], consent: false } },
      ["ask-name", "ask-email", "ask-email-again", "ask-consent", "consent-refused"],
    ],
    ["there are no hours", { hours: null }, ["outside-hours"]],
    ["there is no survey", { chat }, ["survey"]],
    [
      "there are no tickets",
      { ladder: ["agents"] },
      ["ticket", "ticket-number", "ticket-pending", "ticket-title"],
    ],
    [
      "there are only tickets",
      { ladder: ["ticket"] },
      [
        ...["connecting", "joined", "queued", "queued-next", "wait-minutes", "passed-on"],
        ...["closed", "survey", "outside-hours", "no-agents", "file", "transcript-cut"],
      ],
    ],
    ["only flags are set", { mode: "signal" }, OWN_LINES.map(nameOf)],
  ])("leave out what is never said when %s", (_, settings, expected) => {
    expect(silent({ ...everything, ...settings }).toSorted()).toEqual([...expected].toSorted());
  });

  it("are those of the fallback, where another language never says them, and their own in the instances' languages", () => {
    const shipped = (locale: string, text: string) => line(text, locale, "shipped");
    const survey = { en: shipped("en", "How was it?"), fr: shipped("fr", "Alors ?") };
    const offer = { en: shipped("en", "A person?"), fr: shipped("fr", "Quelqu’un ?") };
    const german = line("Wie war es?", "de", "own");
    const set = tables({
      en: { "escalation.survey": survey.en, "escalation.offer": offer.en },
      fr: { "escalation.survey": survey.fr, "escalation.offer": offer.fr },
      de: { "escalation.survey": german },
    });
    const said = (language: string, escalation = managed) =>
      Object.entries(withReachableLines(set, [{ language, escalation }]).channels[""] ?? {}).map(
        ([tag, { lines }]) => [tag, lines],
      );
    const whole = Object.entries(set.channels[""] ?? {}).map(([tag, { lines }]) => [tag, lines]);
    expect(said("en", everything)).toEqual(whole);
    expect(said("fr")).toEqual(whole);
    expect(said("en")).toEqual([
      whole[0],
      ["fr", { "escalation.survey": [survey.en], "escalation.offer": [offer.fr] }],
      ["de", { "escalation.survey": [german] }],
    ]);
  });
});

function nameOf(key: string): string {
  return key.slice("escalation.".length);
}
