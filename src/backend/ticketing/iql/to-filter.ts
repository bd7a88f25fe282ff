import type { Expression, ExpressionBuilder, SqlBool } from "kysely";
import { toStorable } from "../../../storage/storable.ts";
import type { Tables } from "../../storage/tables/database.ts";
import { Refusal } from "../../http/refusal.ts";
import { parseIql, type Comparison, type TicketCondition, type IqlOperator } from "./parse.ts";

type Builder = ExpressionBuilder<Tables, "tickets">;
export type TicketColumn = keyof Tables["tickets"];

interface Field {
  readonly column: TicketColumn;
  readonly kind: "text" | "number" | "time";
}

/**
 * The fields that a filter may name, by their names on the wire. Times are Unix seconds, or dates
 * in quotes.
 */
const fields: ReadonlyMap<string, Field> = new Map<string, Field>([
  ["id", { column: "id", kind: "number" }],
  ["uuid", { column: "id", kind: "number" }],
  ["hash_uuid", { column: "hash_uuid", kind: "text" }],
  ["title", { column: "title", kind: "text" }],
  ["message", { column: "message", kind: "text" }],
  ["creator", { column: "creator", kind: "number" }],
  ["solver", { column: "solver", kind: "number" }],
  ["source", { column: "source", kind: "number" }],
  ["queue", { column: "queue", kind: "number" }],
  ["status", { column: "status", kind: "number" }],
  ["classification", { column: "classification", kind: "number" }],
  ["external_id", { column: "external_id", kind: "text" }],
  ["parent", { column: "parent", kind: "number" }],
  ["created", { column: "created", kind: "time" }],
  ["last_update", { column: "updated", kind: "time" }],
]);

/** Reads a ticket filter in IQL. Throws a {@link Refusal} that names the mistake and its position. */
export function toIqlFilter(text: string) {
  const parsed = parseIql(text);
  if (!parsed.ok) throw new Refusal(422, `iql: character ${parsed.at}: ${parsed.message}`);
  const checked = checkFields(parsed.condition);
  return {
    where: (builder: Builder) => toExpression(builder, checked),
    /** Every column that it compares. */
    columns: new Set(columnsOf(checked)),
    /** The columns that must equal one value. */
    fixed: new Set(fixedBy(checked)),
  };
}

function columnsOf(condition: Checked): readonly TicketColumn[] {
  if ("all" in condition) return condition.all.flatMap(columnsOf);
  if ("any" in condition) return condition.any.flatMap(columnsOf);
  return [condition.field.column];
}

function fixedBy(condition: Checked): readonly TicketColumn[] {
  if ("all" in condition) return condition.all.flatMap(fixedBy);
  if ("any" in condition) return [];
  return condition.operator === "IS" ? [condition.field.column] : [];
}

type Checked =
  | { readonly all: readonly Checked[] }
  | { readonly any: readonly Checked[] }
  | {
      readonly field: Field;
      readonly operator: IqlOperator;
      readonly value: string | number | null;
    };

function checkFields(condition: TicketCondition): Checked {
  if ("all" in condition) return { all: condition.all.map((part) => checkFields(part)) };
  if ("any" in condition) return { any: condition.any.map((part) => checkFields(part)) };
  const field = fields.get(condition.field.toLowerCase());
  if (field === undefined) {
    const known = [...fields.keys()].join(", ");
    throw createRefusal(condition, `there is no field ${condition.field}; these are: ${known}`);
  }
  return { field, operator: condition.operator, value: valueOf(condition, field) };
}

function valueOf(comparison: Comparison, { kind }: Field): string | number | null {
  const { operand } = comparison;
  if (operand === null) return null;
  if (kind === "text") return toStorable(String(operand));
  const number = kind === "time" ? timeOf(operand) : Number(operand);
  if (!Number.isFinite(number) || String(operand).trim() === "") {
    const expected = kind === "time" ? 'Unix seconds or a date such as "2026-01-31"' : "a number";
    throw createRefusal(comparison, `${comparison.field} is compared with ${expected}`);
  }
  return Math.max(-MAX_NUMBER, Math.min(MAX_NUMBER, number));
}

/** The greatest number to compare with. No column holds more, and PostgreSQL rejects numbers out of a column's range. */
const MAX_NUMBER = Number.MAX_SAFE_INTEGER - 1000;

function timeOf(operand: string | number): number {
  return typeof operand === "number" || /^\d+$/.test(operand)
    ? Number(operand) * 1000
    : Date.parse(operand);
}

function createRefusal({ at }: Comparison, message: string): Refusal {
  return new Refusal(422, `iql: character ${at}: ${message}`);
}

function toExpression(builder: Builder, condition: Checked): Expression<SqlBool> {
  if ("all" in condition) {
    return builder.and(condition.all.map((part) => toExpression(builder, part)));
  }
  if ("any" in condition) {
    return builder.or(condition.any.map((part) => toExpression(builder, part)));
  }
  const { field, operator, value } = condition;
  if (operator === "IS EMPTY") return matchEmpty(builder, field);
  if (operator === "IS NOT EMPTY") return builder.not(matchEmpty(builder, field));
  // An empty field differs from every value, so `IS NOT 3` finds it too.
  if (operator === "IS NOT") {
    return builder.or([
      builder(field.column, "is", null),
      ...matchSecond(builder, field, value, true),
    ]);
  }
  if (operator === "IS") return builder.and(matchSecond(builder, field, value, false));
  return builder(field.column, operator, boundOf(field, operator, value));
}

/** Rounds a bound. Times are stored in milliseconds but compared in seconds. */
function boundOf(
  { kind }: Field,
  operator: IqlOperator,
  value: string | number | null,
): string | number | null {
  if (typeof value !== "number") return value;
  if (operator !== ">" && operator !== "<=") return Math.ceil(value);
  return Math.floor(value) + (kind === "time" ? 999 : 0);
}

function matchSecond(
  builder: Builder,
  { column, kind }: Field,
  value: string | number | null,
  negated: boolean,
): readonly Expression<SqlBool>[] {
  if (kind !== "time" || typeof value !== "number") {
    const isWhole = typeof value !== "number" || Number.isInteger(value);
    return [builder(column, negated ? "!=" : "=", isWhole ? value : MAX_NUMBER)];
  }
  const first = Math.floor(value);
  return negated
    ? [builder(column, "<", first), builder(column, ">=", first + 1000)]
    : [builder(column, ">=", first), builder(column, "<", first + 1000)];
}

/** Matches empty fields: no elements, no characters, 0 or null (ticketing.md 6). */
function matchEmpty(builder: Builder, { column, kind }: Field): Expression<SqlBool> {
  return builder.or([builder(column, "is", null), builder(column, "=", kind === "text" ? "" : 0)]);
}
