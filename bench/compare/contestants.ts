import { type AnswerKind, messagePath, passedPath } from "../traffic.ts";

/** One way to stand between a client and the chatbot, and the answer that it has to return. */
export interface Contestant {
  readonly name: string;
  readonly what: string;
  /** A program of bench/ that announces itself. */
  readonly program: string;
  /** The upstream's answer to it. */
  readonly answer: AnswerKind;
  readonly path: string;
  /**
   * The last one because Lua's tables have no order of members, and Debian's cjson writes an empty
   * array as an empty object.
   */
  readonly gives: "the upstream's bytes" | "the new texts" | "the new texts, as Lua can";
  /**
   * True if it is measured at every size and number of connections; the others only at the usual
   * ones.
   */
  readonly everywhere?: true;
}

/** All figures are relative to this one. */
export const baseline = "bare-dispatch";
export const rival = "reply-from";
/** A rewriting proxy that is not JavaScript. */
export const luaRival = "nginx-lua";

const passing = { answer: "flagged", path: messagePath, gives: "the upstream's bytes" } as const;
const rewriting = { answer: "flagged", path: messagePath, gives: "the new texts" } as const;

export const contestants: readonly Contestant[] = [
  {
    name: baseline,
    what: "node:http and undici dispatch, nothing else: the limit on Node",
    program: "compare/contestants/bare-dispatch.ts",
    everywhere: true,
    ...passing,
  },
  {
    name: "afterword",
    what: "Afterword on Node, rewriting a flagged answer and its related title",
    program: "compare/contestants/afterword.ts",
    everywhere: true,
    ...rewriting,
  },
  {
    name: "afterword-closed",
    what: "the same, an answer without flags: read, found to need nothing",
    program: "compare/contestants/afterword.ts",
    answer: "closed",
    path: messagePath,
    gives: "the upstream's bytes",
  },
  {
    name: "afterword-pass",
    what: "the same, a path that it only passes on",
    program: "compare/contestants/afterword.ts",
    ...passing,
    path: passedPath,
  },
  {
    name: "direct-answers",
    what: "directAnswers() before proxy() in a plain Hono app, on @hono/node-server",
    program: "compare/contestants/direct-answers.ts",
    ...rewriting,
  },
  {
    name: rival,
    what: "@fastify/reply-from, passing through",
    program: "compare/contestants/reply-from.ts",
    everywhere: true,
    ...passing,
  },
  {
    name: "reply-from-json",
    what: "@fastify/reply-from with JSON.parse, replace, JSON.stringify",
    program: "compare/contestants/reply-from-json.ts",
    ...rewriting,
  },
  {
    name: "http-proxy-3",
    what: "http-proxy-3, passing through",
    program: "compare/contestants/http-proxy-3.ts",
    ...passing,
  },
  {
    name: "http-proxy-3-json",
    what: "http-proxy-3 with JSON.parse, replace, JSON.stringify",
    program: "compare/contestants/http-proxy-3-json.ts",
    ...rewriting,
  },
  {
    name: "httpxy",
    what: "httpxy, passing through",
    program: "compare/contestants/httpxy.ts",
    ...passing,
  },
  {
    name: "hono-proxy",
    what: "Hono proxy() with JSON.parse, replace, c.json, on @hono/node-server",
    program: "compare/contestants/hono-proxy.ts",
    ...rewriting,
  },
  {
    name: luaRival,
    what: "nginx with Lua and cjson: decode, replace, encode",
    program: "compare/contestants/nginx-lua.ts",
    everywhere: true,
    ...rewriting,
    gives: "the new texts, as Lua can",
  },
  {
    name: "nginx-pass",
    what: "nginx, passing through: the limit on this machine",
    program: "compare/contestants/nginx-pass.ts",
    ...passing,
  },
];
