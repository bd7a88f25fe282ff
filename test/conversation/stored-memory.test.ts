import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ConversationMemory, emptyMemory } from "../../src/conversation/memory.ts";
import { decodeMemory, encodeMemory } from "../../src/conversation/stored-memory.ts";
import { anyText } from "../fixtures/runs.ts";

const text = anyText();
const memory: fc.Arbitrary<ConversationMemory> = fc.record({
  lang: fc.option(text),
  env: fc.option(text),
  userType: fc.option(text),
  source: fc.option(text),
  variables: fc.dictionary(text, text),
  shown: fc.array(fc.tuple(text, text)),
});

describe("a conversation as text", () => {
  it("reads back as what was written, whatever clients put into it", () => {
    fc.assert(
      fc.property(memory, (value) => {
        expect(decodeMemory(encodeMemory(value))).toEqual(value);
      }),
    );
  });

  it("keeps a variable named as a part of every object", () => {
    const variables = JSON.parse('{"__proto__":"x","constructor":"y"}') as Record<string, string>;
    const read = decodeMemory(encodeMemory({ ...emptyMemory, variables }));
    expect(Object.entries(read?.variables ?? {})).toEqual(Object.entries(variables));
    expect(Object.getPrototypeOf(read?.variables)).toBe(Object.prototype);
  });

  it("is null for any other text, and never throws", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          text,
          fc.json(),
          fc.jsonValue().map((v) => JSON.stringify(v)),
        ),
        (other) => {
          expect(decodeMemory(other)).toBeNull();
        },
      ),
    );
  });

  it("is null or a memory for every text with one character missing", () => {
    const whole = encodeMemory({ ...emptyMemory, lang: "fr", shown: [["a", "b"]] });
    for (let i = 0; i < whole.length; i++) {
      const read = decodeMemory(whole.slice(0, i) + whole.slice(i + 1));
      if (read !== null) expect(decodeMemory(encodeMemory(read))).toEqual(read);
    }
  });

  it("says the version, so that another release knows what it reads", () => {
    expect(JSON.parse(encodeMemory(emptyMemory))).toMatchObject({ v: 1 });
  });
});
