import type { ContextField, LineContext } from "./types.ts";

/** Tells whether a line's condition holds in a context. */
export type Condition = (context: LineContext) => boolean;

/**
 * Compiles the `when` of a line: every field must have its value, compared as strings. An unknown
 * field, or one whose value is not known, never holds. `source`, `env` and `lang` are spelled in
 * any case on the wire and compared without it.
 *
 * @example
 * compileCondition({ env: "production", "variables.plan": "gold" });
 */
export function compileCondition(when: Readonly<Record<string, string>>): Condition {
  const tests = Object.entries(when).map(([field, value]) => compileTest(field, value));
  return (context) => tests.every((test) => test(context));
}

const VARIABLE = "variables.";
const FACTS: ReadonlyMap<string, { readonly fact: ContextField; readonly anyCase: boolean }> =
  new Map([
    ["instance", { fact: "instance", anyCase: false }],
    ["channel", { fact: "channel", anyCase: false }],
    ["env", { fact: "env", anyCase: true }],
    ["userType", { fact: "userType", anyCase: false }],
    ["source", { fact: "source", anyCase: true }],
    ["lang", { fact: "lang", anyCase: true }],
  ]);

function compileTest(field: string, value: string): Condition {
  if (field.startsWith(VARIABLE)) {
    const name = field.slice(VARIABLE.length).toLowerCase();
    return (context) => context.variables.get(name) === value;
  }
  const known = FACTS.get(field);
  if (known === undefined) return () => false;
  const { fact } = known;
  if (!known.anyCase) return (context) => context.facts[fact] === value;
  const folded = value.toLowerCase();
  return (context) => context.facts[fact]?.toLowerCase() === folded;
}
