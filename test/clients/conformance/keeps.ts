import type { Keeps } from "./runtime.ts";

/**
 * What each runtime keeps: the columns of the table in docs/runtimes.md. A suite measures each of
 * them.
 */
export const node: Keeps = {
  "reason phrase": "yes",
  "order of the answer's fields": "yes",
  "case of the answer's fields": "yes",
  "duplicates of the answer's fields": "yes",
  "nothing added to the answer's fields": "yes",
  "each Set-Cookie a line of its own": "yes",
  "order of the request's fields": "yes",
  "case of the request's fields": "yes",
  "duplicates of the request's fields": "yes",
  "dot segments of the target seen and refused": "yes",
  "content coding of an answer that is not edited": "yes",
  "edits in gzip": "yes",
  "edits in deflate": "yes",
  "edits in br": "yes",
  "trailers of an answer": "yes",
  "answer streamed as it comes": "yes",
  "request streamed as it comes": "yes",
  "body of a GET": "yes",
  "answer that breaks off, broken off": "yes",
  "WebSocket upgrade": "yes",
};

/** What every runtime based on `Request` and `Response` keeps, unless it is overridden below. */
const byFetch: Keeps = {
  "reason phrase": "yes",
  "order of the answer's fields": "no",
  "case of the answer's fields": "no",
  "duplicates of the answer's fields": "no",
  "nothing added to the answer's fields": "yes",
  "each Set-Cookie a line of its own": "yes",
  "order of the request's fields": "no",
  "case of the request's fields": "no",
  "duplicates of the request's fields": "no",
  "dot segments of the target seen and refused": "no",
  "content coding of an answer that is not edited": "yes",
  "edits in gzip": "yes",
  "edits in deflate": "yes",
  "edits in br": "yes",
  "trailers of an answer": "no",
  "answer streamed as it comes": "yes",
  "request streamed as it comes": "yes",
  "body of a GET": "no",
  "answer that breaks off, broken off": "yes",
  "WebSocket upgrade": "no",
};

export const wranglerDev: Keeps = byFetch;

export const workerd: Keeps = {
  ...byFetch,
  "content coding of an answer that is not edited": "no",
};
