import { fromEnvironment } from "./announce.ts";

/**
 * The request and the answer: one turn of a conversation whose answer has a flag and related
 * contents.
 */

/**
 * Field names and values as a client of the chatbot API sends them. The tokens are as long as real
 * ones, but invalid.
 */
export const requestHeaders: { readonly [name: string]: string } = {
  "Content-Type": "application/json",
  Accept: "application/json",
  "User-Agent": "bench/1.0",
  "x-inbenta-key": "bench-key-00000000000000000000000000000000",
  Authorization: `Bearer ${"bench-access-token".padEnd(480, "-0123456789")}`,
  "x-inbenta-session": `Bearer ${"bench-session-token".padEnd(180, "-0123456789")}`,
};

export const messagePath = "/v1/conversation/message";
/** A path that the gateway only passes on. */
export const passedPath = "/v1/tracking/events";
export const startPath = "/v1/conversation";

export const startRequest: string = JSON.stringify({ lang: "en" });
export const messageRequest: string = JSON.stringify({
  message: "When will the parcel that I ordered last week arrive?",
});

export const startAnswer: string = JSON.stringify({
  sessionToken: "bench-session-token".padEnd(180, "-0123456789"),
  sessionId: "bench-session",
});

/**
 * The same texts as in fixtures/messages/en.yaml, which the gateway and every other rewriting
 * contestant use.
 */
export const texts = {
  message: "I found nothing about that. Could you put it in other words, or choose a topic below?",
  relatedTitle: "These answers may help as well:",
} as const;

export type AnswerKind = "flagged" | "closed";

/** The answer that an upstream of the bench was told to send. */
export function answerAskedFor(): string {
  const kind = fromEnvironment("BENCH_KIND") === "closed" ? "closed" : "flagged";
  return answerOf(kind, Number(fromEnvironment("BENCH_SIZE")));
}

interface Answer {
  readonly flags: readonly string[];
  message: string;
  messageList: readonly string[];
  readonly parameters: {
    readonly contents: { readonly related: { relatedTitle: string } | null };
  };
}

export interface Response {
  readonly answers: readonly Answer[];
}

/**
 * A response body of about `size` bytes. `flagged` has a flag and a related title; `closed` has
 * neither, so that nothing in it can be rewritten.
 */
export function answerOf(kind: AnswerKind, size: number): string {
  const related: { id: number; title: string }[] = [];
  let length = JSON.stringify({ answers: [answerWith(kind, related)] }).length;
  while (length < size) {
    const one = { id: related.length, title: `How do I return order number ${related.length}?` };
    length += JSON.stringify(one).length + (related.length === 0 ? 0 : 1);
    related.push(one);
  }
  return JSON.stringify({ answers: [answerWith(kind, related)] });
}

function answerWith(kind: AnswerKind, contents: readonly object[]): object {
  const flagged = kind === "flagged";
  const message = flagged
    ? "I couldn't find any results for your query. Please try again with other words."
    : 'Your parcel is on its way: <a href="https://shop.example/orders/1">see where it is now</a>.';
  return {
    type: "answer",
    message,
    messageList: [message],
    options: null,
    flags: flagged ? ["no-results"] : [],
    attributes: { title: "", DIRECT_CALL: "", SIDEBUBBLE_TEXT: "" },
    parameters: {
      contents: {
        trackingCode: {
          clickCode: "click-0123456789abcdef0123456789abcdef",
          rateCode: "rate-01234567",
        },
        related: flagged
          ? { relatedTitle: "You might also be interested in:", relatedContents: contents }
          : null,
        subAnswers: flagged ? [] : contents,
      },
      score: 0.9731,
    },
    subAnswers: [],
    intent: { type: "QUESTION", score: 1 },
  };
}

/**
 * The usual code for rewriting without a gateway: parse, replace, and serialize everything again.
 */
export function replaceTexts(response: Response): Response {
  for (const answer of response.answers) {
    if (answer.flags.includes("no-results")) {
      answer.message = texts.message;
      answer.messageList = [texts.message];
    }
    const { related } = answer.parameters.contents;
    if (related !== null && related.relatedTitle !== "") related.relatedTitle = texts.relatedTitle;
  }
  return response;
}

/** Narrow enough for {@link replaceTexts}, since the bench's own upstream sends nothing else. */
export function parseResponse(body: string): Response {
  const value: unknown = JSON.parse(body);
  if (isResponse(value)) return value;
  throw new TypeError("not a response of the bench's upstream");
}

function isResponse(value: unknown): value is Response {
  return (
    typeof value === "object" &&
    value !== null &&
    "answers" in value &&
    Array.isArray(value.answers)
  );
}
