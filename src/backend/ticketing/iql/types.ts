export type IqlOperator = "IS" | "IS NOT" | "IS EMPTY" | "IS NOT EMPTY" | ">" | "<" | ">=" | "<=";

export type Operand = string | number;

export interface Comparison {
  readonly field: string;
  /** The character, from 1, at which it begins. */
  readonly at: number;
  readonly operator: IqlOperator;
  /** Null for EMPTY. */
  readonly operand: Operand | null;
}

export type Condition =
  | Comparison
  | { readonly all: readonly Condition[] }
  | { readonly any: readonly Condition[] };
