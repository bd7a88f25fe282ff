import { RECOGNITION } from "../fixtures/recognition.ts";
import { describe, expect, test } from "vitest";
import { type IdentityConfig, DEFAULT_ESCALATION } from "../../src/config/escalation-config.ts";
import {
  type PersonField,
  readKnownPerson,
  findNextField,
  readReply,
  withReply,
} from "../../src/escalation/questions.ts";
import { NOBODY } from "../../src/escalation/stores/record.ts";

const ALL: IdentityConfig = {
  ...DEFAULT_ESCALATION.identity,
  consent: true,
  variables: { name: "first_name", email: "mail" },
};
const ADA = { name: "Ada", email: "ada@example.com", id: "", consent: false };

describe("what is known", () => {
  test("comes from the caller's token, then from variables", () => {
    const variables = new Map([
      ["first_name", " Ada  Lovelace "],
      ["mail", "ada@example.com"],
    ]);
    expect(readKnownPerson(ALL, variables, null)).toEqual({ ...ADA, name: "Ada Lovelace" });
    const claims = { sub: 7, name: "Grace", email: "no address" };
    expect(readKnownPerson(ALL, variables, claims)).toEqual({
      name: "Grace",
      email: "ada@example.com",
      id: "7",
      consent: false,
    });
  });

  test("is nothing where no value is valid", () => {
    const variables = new Map([["name", "Ada"]]);
    expect(
      readKnownPerson(DEFAULT_ESCALATION.identity, variables, { name: ["Ada"], email: {} }),
    ).toEqual(NOBODY);
    expect(
      readKnownPerson({ ...ALL, claims: { ...ALL.claims, name: "constructor" } }, new Map(), {}),
    ).toEqual(NOBODY);
  });
});

describe("what is asked next", () => {
  test.each<[Partial<typeof ADA>, PersonField | null, PersonField | null]>([
    [{}, null, "name"],
    [{}, "name", "email"],
    [{}, "email", "consent"],
    [{}, "consent", null],
    [{ name: "Ada" }, null, "email"],
    [{ name: "Ada", email: "a@b.example" }, null, "consent"],
    [{ name: "Ada", email: "a@b.example", consent: true }, null, null],
  ])("%j after %j is %j", (person, after, field) => {
    expect(findNextField(ALL, { ...NOBODY, ...person }, after)).toBe(field);
  });

  test("is only what the owner wants, in the owner's order", () => {
    const identity: IdentityConfig = { ...ALL, ask: ["email", "name"], consent: false };
    expect(findNextField(identity, NOBODY, null)).toBe("email");
    expect(findNextField(identity, NOBODY, "email")).toBe("name");
    expect(findNextField(identity, NOBODY, "name")).toBeNull();
    expect(findNextField({ ...identity, ask: [] }, NOBODY, null)).toBeNull();
  });
});

describe("a reply", () => {
  const value = (text: string): object => ({ kind: "value", value: text });

  test.each<[PersonField, string | null, object]>([
    ["name", " Ada\tLovelace ", value("Ada Lovelace")],
    ["name", "José María", value("José María")],
    ["name", "王小明", value("王小明")],
    ["name", "می\u200cنا", value("می\u200cنا")],
    ["name", "a".repeat(120), value("a".repeat(120))],
    ["name", "a".repeat(121), { kind: "invalid" }],
    ["name", "", { kind: "invalid" }],
    ["name", "12345", { kind: "invalid" }],
    ["name", "<script>", { kind: "invalid" }],
    ["name", "a\u0000b", { kind: "invalid" }],
    ["name", "\u202bדנה לוי\u202c", value("דנה לוי")],
    ["name", "محمد علي\u200f", value("محمد علي")],
    ["name", "\u200b\u200f", { kind: "invalid" }],
    ["name", null, { kind: "invalid" }],
    ["name", "cancelar", { kind: "cancel" }],
    ["name", "no, gracias", { kind: "cancel" }],
    ["email", "Ada@Example.com", value("Ada@example.com")],
    ["email", "ada at example", { kind: "invalid" }],
    ["email", "no", { kind: "cancel" }],
    ["consent", "sí", { kind: "yes" }],
    ["consent", "vale", { kind: "yes" }],
    ["consent", "yes", { kind: "yes" }],
    ["consent", "no", { kind: "no" }],
    ["consent", "cancelar", { kind: "cancel" }],
    ["consent", "quizás", { kind: "invalid" }],
    ["consent", null, { kind: "invalid" }],
  ])("to %s: %j", (field, text, reply) => {
    expect(readReply(RECOGNITION, field, text, null, "es")).toEqual(reply);
  });

  test("that is a bare no in Polish is asked again when typed, and a no when chosen", () => {
    for (const field of ["name", "email", "consent"] as const)
      expect(readReply(RECOGNITION, field, "no", null, "pl")).toEqual({ kind: "invalid" });
    const no = { kind: "no", epoch: 1 } as const;
    expect(readReply(RECOGNITION, "consent", "no", no, "pl")).toEqual({ kind: "no" });
    expect(readReply(RECOGNITION, "name", "nie", null, "pl")).toEqual({ kind: "cancel" });
  });

  test("may be one of our options", () => {
    const yes = { kind: "yes", epoch: 1 } as const;
    expect(readReply(RECOGNITION, "consent", null, yes, "en")).toEqual({ kind: "yes" });
    expect(readReply(RECOGNITION, "consent", "yes", { kind: "no", epoch: 1 }, "en")).toEqual({
      kind: "no",
    });
    expect(readReply(RECOGNITION, "consent", null, { kind: "unknown" }, "en")).toEqual({
      kind: "invalid",
    });
    expect(readReply(RECOGNITION, "name", null, { kind: "cancel", epoch: 1 }, "en")).toEqual({
      kind: "cancel",
    });
    expect(readReply(RECOGNITION, "name", null, yes, "en")).toEqual({ kind: "invalid" });
  });

  test("becomes part of the person", () => {
    expect(withReply(NOBODY, "name", { kind: "value", value: "Ada" }).name).toBe("Ada");
    expect(withReply(NOBODY, "email", { kind: "value", value: "a@b.example" }).email).toBe(
      "a@b.example",
    );
    expect(withReply(ADA, "consent", { kind: "yes" }).consent).toBe(true);
    expect(withReply({ ...ADA, consent: true }, "consent", { kind: "no" }).consent).toBe(false);
    expect(withReply(ADA, "email", { kind: "invalid" })).toEqual(ADA);
  });
});
