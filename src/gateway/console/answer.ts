import type { OwnStatus } from "../exchange/errors.ts";

/** What an operation of the console's API came to. */
export type Answer =
  | { readonly kind: "value"; readonly value: unknown }
  | {
      readonly kind: "refused";
      readonly status: OwnStatus;
      readonly message: string;
      /** What stands beside the message. */
      readonly more?: Readonly<Record<string, unknown>>;
    };

export function value(content: unknown): Answer {
  return { kind: "value", value: content };
}

export function refused(
  status: OwnStatus,
  message: string,
  more?: Readonly<Record<string, unknown>>,
): Answer {
  return { kind: "refused", status, message, ...(more !== undefined && { more }) };
}
