import { describe, expect, it } from "vitest";
import { PERSON_WORDS } from "../../../src/escalation/person-words.ts";
import { POLAR_PHRASES } from "../../../src/locales/polar-phrases.ts";
import { spokenForm } from "../../../src/locales/spoken-form.ts";
import { spokenPerson, spokenPolar } from "../../../src/runtime/worker/escalation/spoken-words.ts";

/** What is compared with what readers say: the phrases' forms, and which of them anything may follow. */
const compared = (phrases: string, language: string): ReadonlySet<string> =>
  new Set(
    phrases
      .split("|")
      .map((phrase) => [spokenForm(phrase.replace("~", "\ua66e"), language), phrase.endsWith("…")])
      .filter(([form]) => form !== "")
      .map((pair) => JSON.stringify(pair)),
  );

describe("words as they go to the edge", () => {
  it.each([...PERSON_WORDS])("ask for a person in %s as they did", (language, words) => {
    const spoken = spokenPerson(words, language);
    for (const list of ["person", "ask", "alone", "before", "after"] as const) {
      expect(compared(spoken[list], language)).toEqual(compared(words[list], language));
    }
    expect(spoken.joined).toBe(words.joined);
  });

  it.each([...POLAR_PHRASES])("say yes and no in %s as they did", (language, phrases) => {
    const spoken = spokenPolar(phrases, language);
    for (const list of ["yes", "no", "cancel"] as const) {
      const forms = phrases[list].split("|").map((phrase) => spokenForm(phrase, language));
      expect(new Set(spoken[list].split("|"))).toEqual(new Set(forms));
      expect(spoken[list].split("|").map((form) => spokenForm(form, language))).toEqual(
        spoken[list].split("|"),
      );
    }
  });

  it("stand there once, without what is not compared", () => {
    const words = { person: "Ágent|agent", ask: "an ~ !|Habla con ~", alone: "", before: "…" };
    expect(spokenPerson({ ...words, after: "über…|please" }, "en")).toEqual({
      person: "agent",
      ask: "an ~|habla con ~",
      alone: "",
      before: "",
      after: "uber…|please",
    });
  });
});
