import type { OwnStatus } from "../exchange/errors.ts";

/** The result of an operation of the console's API. */
export type ConsoleAnswer =
  | { readonly kind: "value"; readonly value: unknown }
  | {
      readonly kind: "refused";
      readonly status: OwnStatus;
      readonly message: string;
      /** Further members beside the message. */
      readonly more?: Readonly<Record<string, unknown>>;
    };

export function answerValue(content: unknown): ConsoleAnswer {
  return { kind: "value", value: content };
}

export function refuseWith(
  status: OwnStatus,
  message: string,
  more?: Readonly<Record<string, unknown>>,
): ConsoleAnswer {
  return { kind: "refused", status, message, ...(more !== undefined && { more }) };
}
