import { isRecord } from "../../json/values.ts";

/** Tells whether a value is of a type. */
export type Check<Value> = (value: unknown) => value is Value;

/** The type that a check tells. */
export type Checked<Of> = Of extends Check<infer Value> ? Value : never;

/** The type of objects whose members pass these checks. Members that may be absent are optional. */
type Shape<Checks> = Flat<
  {
    readonly [
      Name in keyof Checks as undefined extends Checked<Checks[Name]> ? never : Name
    ]: Checked<Checks[Name]>;
  } & {
    readonly [
      Name in keyof Checks as undefined extends Checked<Checks[Name]> ? Name : never
    ]?: Exclude<Checked<Checks[Name]>, undefined>;
  }
>;
type Flat<Members> = { [Name in keyof Members]: Members[Name] };

export const isText: Check<string> = (value) => typeof value === "string";
export const isFlag: Check<boolean> = (value) => typeof value === "boolean";
export const isNumber: Check<number> = (value) => typeof value === "number";

/** Tells whether a value is a whole number that is not negative. */
export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

export function oneOf<const Word extends string>(...words: readonly Word[]): Check<Word> {
  return (value): value is Word => words.some((word) => word === value);
}

export function listOf<Item>(check: Check<Item>): Check<readonly Item[]> {
  return (value): value is readonly Item[] => Array.isArray(value) && value.every(check);
}

export function allowNull<Value>(check: Check<Value>): Check<Value | null> {
  return (value): value is Value | null => value === null || check(value);
}

export function allowAbsent<Value>(check: Check<Value>): Check<Value | undefined> {
  return (value): value is Value | undefined => value === undefined || check(value);
}

/** An object whose members pass their checks, and that may have others. */
export function shape<Checks extends Readonly<Record<string, Check<unknown>>>>(
  checks: Checks,
): Check<Shape<Checks>> {
  const members = Object.entries(checks);
  return (value): value is Shape<Checks> =>
    isRecord(value) && members.every(([name, check]) => check(value[name]));
}

export function anyOf<Checks extends readonly Check<unknown>[]>(
  ...checks: Checks
): Check<Checked<Checks[number]>> {
  return (value): value is Checked<Checks[number]> => checks.some((check) => check(value));
}
