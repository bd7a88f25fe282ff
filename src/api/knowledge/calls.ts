import type { CallInput, Caller } from "../caller.ts";
import type { KnowledgeCallOptions } from "./client-types.ts";

type Query = NonNullable<CallInput["query"]>;

/** How operations of knowledge are called: below `/v1`, with the session that the options name. */
export interface KnowledgeCalls {
  readonly call: (
    name: string,
    method: "GET" | "POST",
    path: string,
    options: KnowledgeCallOptions,
    input?: CallInput,
  ) => Promise<unknown>;
  /** Members as a query, with the language that the options name. */
  readonly query: (members: object, options: KnowledgeCallOptions) => Query;
}

export function knowledgeCalls(caller: Caller): KnowledgeCalls {
  return {
    async call(name, method, path, { session, signal, lang }, input = {}) {
      const operation = { id: `knowledge.${name}`, method, path: `/v1${path}` } as const;
      // Raw, as clients of knowledge send it; with `Bearer ` is what those of the chatbot do.
      const headers = session === undefined ? {} : { "x-inbenta-session": session };
      const query = input.query ?? { lang };
      return (await caller.call(operation, { ...input, query, signal, headers })).value;
    },
    query: (members, { lang }) => {
      const given = Object.entries(members).filter(([, value]) => isPlain(value));
      return Object.fromEntries([...given, ["lang", lang]]);
    },
  };
}

function isPlain(value: unknown): boolean {
  return ["string", "number", "boolean"].includes(typeof value);
}
