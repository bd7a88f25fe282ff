import type { OwnStatus } from "../exchange/errors.ts";

/** The result of an operation of the console's API. */
export type ConsoleAnswer = { readonly kind: "value"; readonly value: unknown } | Refusal;

export interface Refusal {
  readonly kind: "refused";
  readonly status: OwnStatus;
  readonly message: string;
  /** The name of the sentence that the page says instead; absent if it says the message. */
  readonly reason?: string;
  readonly params?: Readonly<Record<string, string | number>>;
  /** Further members beside the message. */
  readonly more?: Readonly<Record<string, unknown>>;
}

export function answerValue(content: unknown): ConsoleAnswer {
  return { kind: "value", value: content };
}

export function refuseWith(
  status: OwnStatus,
  message: string,
  more?: Readonly<Record<string, unknown>>,
): Refusal {
  return { kind: "refused", status, message, ...(more !== undefined && { more }) };
}
