import { type AnswerKind, messagePath, passedPath } from "./traffic.ts";

/** One way to stand between a client and the chatbot, and what it has to give back. */
export interface Contestant {
  readonly name: string;
  readonly what: string;
  /** A program of bench/ that announces itself. */
  readonly program: string;
  /** What the upstream answers it. */
  readonly answer: AnswerKind;
  readonly path: string;
  readonly gives: "the upstream's bytes" | "the new texts";
}

/** Everything that is measured is measured against this one. */
export const baseline = "bare-dispatch";
export const rival = "reply-from";

const passing = { answer: "flagged", path: messagePath, gives: "the upstream's bytes" } as const;
const rewriting = { answer: "flagged", path: messagePath, gives: "the new texts" } as const;

export const contestants: readonly Contestant[] = [
  {
    name: baseline,
    what: "node:http and undici dispatch, nothing else: the limit on Node",
    program: "contestants/bare-dispatch.ts",
    ...passing,
  },
  {
    name: "afterword",
    what: "rewriting a flagged answer and its related title",
    program: "contestants/afterword.ts",
    ...rewriting,
  },
  {
    name: "afterword-closed",
    what: "an answer without flags: read, found to need nothing",
    program: "contestants/afterword.ts",
    answer: "closed",
    path: messagePath,
    gives: "the upstream's bytes",
  },
  {
    name: "afterword-pass",
    what: "a path that it only passes on",
    program: "contestants/afterword.ts",
    ...passing,
    path: passedPath,
  },
  {
    name: rival,
    what: "@fastify/reply-from, passing through",
    program: "contestants/reply-from.ts",
    ...passing,
  },
  {
    name: "reply-from-json",
    what: "@fastify/reply-from with JSON.parse, replace, JSON.stringify",
    program: "contestants/reply-from-json.ts",
    ...rewriting,
  },
  {
    name: "hono-proxy",
    what: "Hono proxy() with JSON.parse, replace, c.json, on @hono/node-server",
    program: "contestants/hono-proxy.ts",
    ...rewriting,
  },
  {
    name: "nginx-pass",
    what: "nginx, passing through: the limit on this machine",
    program: "contestants/nginx-pass.ts",
    ...passing,
  },
];
