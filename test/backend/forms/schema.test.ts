import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { formSchema } from "../../../src/backend/forms/schema.ts";

/** What the schema says of a form in YAML: `path: message`, one each. */
function problems(yaml: string): readonly string[] {
  const result = formSchema.safeParse(parse(yaml));
  return result.success
    ? []
    : result.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
}

function problemOfField(field: string): readonly string[] {
  return problems(`{ name: f, fields: [{ name: a, question: "A?", ${field} }] }`);
}

describe("a form in YAML", () => {
  it.each([
    ["without a webhook and actions", {}, true],
    ["with an action", { actions: [{ callback: "createTicket" }] }, false],
    ["with an action that says so", { actions: [{ callback: "x" }], ticket: true }, true],
    ["with a webhook", { webhook: "https://hooks.example.com/", finished: "Thanks" }, false],
    ["that says no", { ticket: false }, false],
  ])("%s: whether it becomes a ticket", (_, more, ticket) => {
    const fields = [{ name: "a", question: "A?" }];
    expect(formSchema.parse({ name: "f", fields, ...more }).ticket).toBe(ticket);
  });

  it("has short forms, and defaults for what is not written", () => {
    const written = parse(`
      name: contact
      fields:
        - { name: name, question: Your name? }
        - { name: size, type: list, question: Which size?, values: [S, 42, { label: Large, value: 3 }] }
      webhook: https://hooks.example.com/contact
      finished: Thank you.
    `);
    const common = {
      required: true,
      errorMessage: null,
      variable: null,
      prefill: false,
      pattern: null,
      min: null,
      max: null,
      display: "buttons",
    };
    expect(formSchema.parse(written)).toEqual({
      name: "contact",
      ticket: false,
      fields: [
        { name: "name", type: "text", question: "Your name?", values: [], ...common },
        {
          name: "size",
          type: "list",
          question: "Which size?",
          ...common,
          values: [
            { label: "S", value: "S" },
            { label: "42", value: "42" },
            { label: "Large", value: "3" },
          ],
        },
      ],
      webhook: {
        url: "https://hooks.example.com/contact",
        timeout: 5000,
        secret: null,
        headers: {},
      },
      finished: "Thank you.",
      actions: [],
    });
  });

  it("has bounds, patterns, variables and everything a webhook needs", () => {
    const written = parse(`
      name: visit
      fields:
        - { name: day, type: date, question: When?, min: 2026-01-01, max: today+30d, errorMessage: No. }
        - { name: code, question: Code?, pattern: '[A-Z]{2}\\d+', min: 3, max: 9, required: false }
        - { name: mail, type: email, question: Mail?, variable: E_Mail, prefill: true }
      webhook:
        url: http://127.0.0.1:9000/x
        timeout: 1500ms
        secret: 0123456789abcdef
        headers: { authorization: Bearer x }
      finished: "Done, {{mail}}."
      actions: [{ callback: createTicket, data: { INQUIRY: "{{code}}" } }]
    `);
    const parsed = formSchema.parse(written);
    expect(parsed.fields.map(({ min, max }) => [min, max])).toEqual([
      ["2026-01-01", "today+30d"],
      [3, 9],
      [null, null],
    ]);
    expect(parsed.fields[2]).toMatchObject({ variable: "e_mail", prefill: true });
    expect(parsed.webhook).toMatchObject({ timeout: 1500, headers: { authorization: "Bearer x" } });
    expect(parsed.actions).toEqual([{ callback: "createTicket", data: { INQUIRY: "{{code}}" } }]);
  });
});

describe("a mistake in a form is reported at its place", () => {
  it.each([
    ["name: 9a", "fields.0.name: must be letters, digits and _, beginning with a letter"],
    ["name: __proto__", "fields.0.name: must be letters, digits and _, beginning with a letter"],
    ['question: " "', "fields.0.question: must say something beside its {{variables}}"],
    ['question: "{{name}}"', "fields.0.question: must say something beside its {{variables}}"],
    ['errorMessage: ""', "fields.0.errorMessage: must say something beside its {{variables}}"],
    ["prefill: true", "fields.0.prefill: needs a variable: that is where the value comes from"],
    ["variable: sys_x", "fields.0.variable: must be a variable's name; sys_ ones are the engine's"],
    ["type: number, pattern: x", "fields.0.pattern: is for text only"],
    ["min: 1.5", "fields.0.min: must be a length: a whole number"],
    ["min: 3, max: 2", "fields.0.max: must not be less than min"],
    ["type: number, min: one", "fields.0.min: must be a number"],
    ["type: number, min: -1, max: -2", "fields.0.max: must not be less than min"],
    [
      "type: date, min: 2026-02-30",
      "fields.0.min: must be a day such as 2026-12-31, today or today-18y",
    ],
    ["type: date, min: 2027-01-01, max: 2026-01-01", "fields.0.max: must not be less than min"],
    ["type: file, max: 7000000", "fields.0.max: is for text (its length), numbers and dates only"],
    ["type: list", "fields.0.values: a list needs values to choose from"],
    ["values: [a]", "fields.0.values: are for a list only"],
    [
      "type: list, values: [{ label: A, value: x }, { label: B, value: x }]",
      'fields.0.values.1: the value "x" is there twice',
    ],
    [
      "type: list, values: [Resume, Résumé]",
      'fields.0.values.1: "Résumé" reads like another choice of this list',
    ],
  ])("%s", (field, problem) => {
    const rest = /^(?:name|question)/.test(field) ? "" : "name: a, ";
    const question = field.startsWith("question") ? "name: a, " : 'question: "A?", ';
    const base = field.startsWith("name") ? 'question: "A?", ' : `${rest}${question}`;
    const unique = [...new Set(base.split(/(?<=, )/))].join("");
    expect(problems(`{ name: f, fields: [{ ${unique}${field} }] }`)).toContain(problem);
  });

  it.each(["[", "(?=a)", "(.)\\1", "a{2000}", "((a{1,100}){1,100}){1,100}"])(
    "the pattern %s can't be matched in linear time, or not at all",
    (pattern) => {
      const found = problemOfField(`pattern: ${JSON.stringify(pattern)}`);
      expect(found).toEqual([expect.stringMatching(/^fields\.0\.pattern: ./)]);
    },
  );

  it("a relative bound is not compared with the other", () => {
    expect(problemOfField("type: date, min: today, max: 2020-01-01")).toEqual([]);
  });

  it("no fields, two fields of one name, an unknown key", () => {
    expect(problems("{ name: f, fields: [] }")).toEqual(["fields: a form needs a field"]);
    const two = '{ name: a, question: "?!a" }, { name: A, question: "?!b" }';
    expect(problems(`{ name: f, fields: [${two}] }`)).toEqual([
      "fields.1.name: there are two fields called A",
    ]);
    expect(problemOfField("validator: x")).toHaveLength(1);
  });

  it.each([
    ["ftp://example.com/", "webhook.url"],
    ["embedded:order", "the demo's embedded:orders"],
    ["https://user:pass@example.com/", "webhook.url"],
    ["https://example.com/#x", "webhook.url"],
    ["{ url: https://example.com/, timeout: 21s }", "webhook.timeout"],
    ["{ url: https://example.com/, timeout: 10ms }", "webhook.timeout"],
    ["{ url: https://example.com/, secret: short }", "webhook.secret"],
    ["{ url: https://example.com/, headers: { Host: x } }", "webhook.headers.Host"],
    ["{ url: https://example.com/, headers: { x-afterword-signature: x } }", "webhook.headers."],
    ['{ url: https://example.com/, headers: { a: "b\\r\\nc: d" } }', "webhook.headers.a"],
    ["{ url: https://example.com/, headers: { content-type: x } }", "webhook.headers."],
  ])("the webhook %s", (webhook, place) => {
    const found = problems(
      `{ name: f, fields: [{ name: a, question: "A?" }], finished: Done, webhook: ${webhook} }`,
    );
    expect(found).toEqual([expect.stringContaining(place)]);
  });

  it("a webhook without last words, which are said when it accepts without a message", () => {
    const yaml =
      '{ name: f, fields: [{ name: a, question: "A?" }], webhook: "https://a.example/" }';
    expect(problems(yaml)).toEqual([
      expect.stringContaining("webhook: a form with a webhook needs"),
    ]);
  });
});
