import type { Operation } from "../operation.ts";

/** An operation of the live chat. */
export interface ChatOperation extends Operation {
  readonly id: `chat.${string}`;
  /**
   * True: a user or an agent may do it too, with a token of their own in place of the secret, for
   * themselves.
   */
  readonly persons: boolean;
}

const errors: Operation["errors"] = [
  { status: 401, when: "The app's id, its secret or a token is missing, wrong or expired." },
  { status: 403, when: "These credentials do not allow it." },
  { status: 413, when: "The body is larger than 10 MB." },
  { status: 422, when: "A field is missing or cannot be read; the message names it." },
  { status: 429, when: "Too many calls; Retry-After says when to come back." },
];

export const unknownId: Operation["errors"][number] = {
  status: 404,
  when: "This app has nothing with this id.",
};

export const wrongState: Operation["errors"][number] = {
  status: 409,
  when: "The state of the chat does not allow it; the message says which state it is in.",
};

type More = Partial<
  Pick<ChatOperation, "aliases" | "query" | "body" | "bodyOptional" | "errors" | "persons">
> & { readonly credentials?: "app" };

/** One row of the table: who may call is the app with its secret unless said otherwise. */
export function operation(
  id: ChatOperation["id"],
  [method, path]: readonly [ChatOperation["method"], string],
  summary: string,
  answer: Operation["answer"],
  { credentials, errors: further = [], persons = false, ...more }: More = {},
): ChatOperation {
  return {
    id,
    method,
    path: `/v1${path}`,
    summary,
    credentials: credentials ?? "app-secret",
    persons,
    status: 200,
    answer,
    errors: [...errors, ...further],
    ...more,
  };
}
