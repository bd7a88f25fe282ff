import { describe, expect, it } from "vitest";
import { FLAG_FACTS, FLAGS, toFlag } from "../../src/direct-answers/flags.ts";

describe("the flags", () => {
  it("are the 16 of the specification, in its order", () => {
    expect(FLAGS).toEqual([
      "all-options-discarded",
      "character-limit-exceeded",
      "conversation-error-message",
      "end-form",
      "follow-up-question",
      "form-continue",
      "form-retry",
      "generic-error-message",
      "multiple-options",
      "no-question",
      "no-results",
      "no-subset-match",
      "refinement",
      "webhook-bad-request",
      "webhook-wrong-field",
      "welcome",
    ]);
    expect(FLAG_FACTS.map((facts) => facts.name)).toEqual(FLAGS);
  });

  it("have the specification's English texts, but for the two that it only describes", () => {
    const texts = Object.fromEntries(FLAG_FACTS.map(({ name, text }) => [name, text]));
    expect(texts).toMatchObject({
      "all-options-discarded":
        "It seems like none of the options I found are helpful. Please search for another word or phrase.",
      "end-form": "Your inquiry has been submitted",
      "follow-up-question": "Please tell me how else I can help you.",
      "form-continue": "Do you want to continue with this form?",
      "form-retry": "Would you like to try to fill in this form again?",
      "generic-error-message": "The format of your answer is not valid",
      "multiple-options": "Maybe these answers will help you",
      "no-question": "Please ask me a question",
      "no-results": "Sorry, we could not find any answers to your question.",
      "no-subset-match": "It seems like you want to talk about something else",
      refinement: "Please give me some more information about what you want to know.",
      "webhook-bad-request": "Sorry, we could not complete your request",
      "webhook-wrong-field": "Sorry, we could not complete your request",
      welcome: "Hello, how can I help you?",
    });
    expect(FLAG_FACTS.filter((facts) => facts.described).map((facts) => facts.name)).toEqual([
      "character-limit-exceeded",
      "conversation-error-message",
    ]);
    expect(texts["character-limit-exceeded"]).toContain("256");
  });

  it("say which can be customized and which have default content", () => {
    const customizable = FLAG_FACTS.filter((facts) => facts.customizable);
    const defaultContent = FLAG_FACTS.filter((facts) => facts.defaultContent);
    expect(customizable.map((facts) => facts.name)).toEqual([
      "all-options-discarded",
      "follow-up-question",
      "no-question",
      "no-results",
      "welcome",
    ]);
    expect(defaultContent.map((facts) => facts.name)).toEqual([
      "all-options-discarded",
      "no-results",
      "welcome",
    ]);
  });

  it("say which had another name before, and by that name each is found", () => {
    const renamed = FLAG_FACTS.filter((facts) => facts.alias !== null);
    expect(renamed.map(({ name, alias }) => [name, alias])).toEqual([
      ["follow-up-question", "conversation-link"],
    ]);
    expect(renamed.map(({ alias }) => toFlag(alias ?? ""))).toEqual(["follow-up-question"]);
  });

  it("can't be changed by who reads them", () => {
    expect(
      Object.isFrozen(FLAGS) && Object.isFrozen(FLAG_FACTS) && FLAG_FACTS.every(Object.isFrozen),
    ).toBe(true);
  });
});

describe("a name", () => {
  it.each([...FLAGS])("%s is a flag", (name) => {
    expect(toFlag(name)).toBe(name);
  });

  it("of old is the flag it became", () => {
    expect(toFlag("conversation-link")).toBe("follow-up-question");
  });

  it.each([
    "escalate",
    "no-rating",
    "",
    "No-Results",
    " no-results",
    "__proto__",
    "constructor",
    "toString",
  ])("%j is none", (name) => {
    expect(toFlag(name)).toBeNull();
  });
});
