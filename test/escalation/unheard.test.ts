import { describe, expect, test } from "vitest";
import { DEFAULT_ESCALATION } from "../../src/config/escalation-defaults.ts";
import { readChoice } from "../../src/escalation/choice.ts";
import type { EscalationRecord, Phase } from "../../src/escalation/record.ts";
import { type Taken, take, type TurnScope } from "../../src/escalation/turn.ts";
import { record } from "./suites/records.ts";

// A language of which nobody here knows how its readers say yes and no: its words are to be
// fetched, and could not be.
const language = "xx";

const offered: Phase = { name: "offered", reason: "words", at: 0 };
const asks = (field: "name" | "email" | "consent"): Phase => ({
  name: "identity",
  field,
  tries: 0,
});
const tried = (field: "email" | "consent"): Phase => ({
  name: "identity",
  field,
  tries: 1,
  unheard: 3,
});

describe("what is typed while the words of its language are missing", () => {
  test.each(["tak", "ano", "ne, hvala", "Was kostet das?"])(
    "is no answer to an offer, which is made again: %s",
    (text) => {
      const { record: now, step } = typed(text, at(offered));
      expect(step).toBe("answer");
      expect(now.phase).toMatchObject(offered);
      expect(now.sayings.at(-1)?.text).toBe("escalation.offer");
      expect(choose("yes", now).record.phase.name).toBe("identity");
    },
  );

  test("is nobody's name: it may be a no", () => {
    for (const text of ["nein", "abbrechen", "Ada"]) {
      const { record: now, step } = typed(text, at(asks("name")));
      expect([text, step, now.person.name]).toEqual([text, "answer", ""]);
      expect(now.phase).toMatchObject({ field: "name", tries: 0 });
      expect(now.sayings.at(-1)?.text).toBe("escalation.ask-name");
    }
  });

  test("is an address where it can be nothing else", () => {
    const { record: now } = typed("ada@example.com", at(asks("email")));
    expect([now.person.email, now.phase]).toEqual(["ada@example.com", asks("consent")]);
    expect(typed("nein", at(asks("email"))).record.phase).toMatchObject({ tries: 0 });
  });

  test("uses up no try at a consent", () => {
    expect(typed("ja", at(asks("consent"))).record.phase).toMatchObject({ tries: 0 });
  });

  test("is understood where it is English, or a sign", () => {
    expect(typed("yes", at(offered)).record.phase.name).toBe("identity");
    expect(typed("👍", at(asks("consent"))).step).toBe("climb");
    expect(typed("cancel", at(asks("name"))).record.phase.name).toBe("bot");
  });

  test.each<[string, Phase, (taken: Taken) => unknown, unknown]>([
    ["goes to the engine", offered, ({ step }) => step, "forward"],
    ["is a name", asks("name"), (taken) => taken.record.person.name, "nein"],
    ["is no address", asks("email"), (taken) => taken.record.phase, tried("email")],
    ["is no consent", asks("consent"), (taken) => taken.record.phase, tried("consent")],
  ])("%s after the question was put three times more: nobody is caught in it", (...row) => {
    const [, phase, what, expected] = row;
    let now = at(phase);
    for (let time = 0; time < 3; time++) {
      const taken = typed("nein", now);
      expect(taken.record.phase).toMatchObject(phase);
      now = taken.record;
    }
    expect(what(typed("nein", now))).toEqual(expected);
  });

  test("is taken as ever once the words are there, or where there are none to come", () => {
    expect(typed("nein", at(offered), true).step).toBe("forward");
    expect(typed("nein", at(asks("name")), true).record.person.name).toBe("nein");
  });
});

function at(phase: Phase): EscalationRecord {
  return record({ phase, epoch: 1, locale: language });
}

let sent = 0;

function typed(question: string, before: EscalationRecord, understands = false): Taken {
  const digest = String(sent++);
  const says = { question, option: null, choice: null, unread: false, digest, at: 0 };
  return take(scope(understands), before, says);
}

function choose(kind: string, before: EscalationRecord): Taken {
  const option = `aw:${kind}:${before.epoch}`;
  const choice = readChoice(option);
  const digest = String(sent++);
  return take(scope(false), before, {
    question: null,
    option,
    choice,
    unread: false,
    digest,
    at: 0,
  });
}

function scope(understands: boolean): TurnScope {
  const { identity } = DEFAULT_ESCALATION;
  return {
    settings: { ...DEFAULT_ESCALATION, identity: { ...identity, consent: true } },
    say: (_, key) => key,
    understands: () => understands,
    now: () => 1_000_000,
  };
}
