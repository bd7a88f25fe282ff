import { describe, expect, it } from "vitest";
import { CUSTOMIZABLE_FLAGS, FLAG_FACTS, FLAGS, toFlag } from "../../src/direct-answers/flags.ts";
import { isSpecified, SPECIFICATION } from "./specification.ts";

const specified = FLAG_FACTS.filter(({ name }) => isSpecified(name));

describe("the flags", () => {
  it("hold the 16 of the specification, in its order", () => {
    expect(Object.keys(SPECIFICATION)).toHaveLength(16);
    expect(FLAGS.filter(isSpecified)).toEqual(Object.keys(SPECIFICATION));
    expect(FLAG_FACTS.map((facts) => facts.name)).toEqual(FLAGS);
    expect(FLAGS).toEqual(FLAGS.toSorted());
  });

  it("have the specification's English texts, but for the two that it only describes", () => {
    const texts = specified.map(({ name, text, described }) => [name, described ? null : text]);
    expect(Object.fromEntries(texts)).toEqual(SPECIFICATION);
    const limit = specified.find(({ name }) => name === "character-limit-exceeded");
    expect(limit?.text).toContain("256");
  });

  it("say which can be customized and which have default content", () => {
    expect(CUSTOMIZABLE_FLAGS.filter(isSpecified)).toEqual([
      "all-options-discarded",
      "follow-up-question",
      "no-question",
      "no-results",
      "welcome",
    ]);
    const customizable = FLAG_FACTS.filter((facts) => facts.customizable);
    expect(customizable.map(({ name }) => name)).toEqual(CUSTOMIZABLE_FLAGS);
    const defaultContent = specified.filter((facts) => facts.defaultContent);
    expect(defaultContent.map((facts) => facts.name)).toEqual([
      "all-options-discarded",
      "no-results",
      "welcome",
    ]);
  });

  it("list their former names, and are found by them", () => {
    const renamed = specified.filter((facts) => facts.alias !== null);
    expect(renamed.map(({ name, alias }) => [name, alias])).toEqual([
      ["follow-up-question", "conversation-link"],
    ]);
    expect(renamed.map(({ alias }) => toFlag(alias ?? ""))).toEqual(["follow-up-question"]);
  });

  it("cannot be changed by their readers", () => {
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
  ])("%j is not a flag", (name) => {
    expect(toFlag(name)).toBeNull();
  });
});
