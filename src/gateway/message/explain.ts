import type { Snapshot } from "../exchange/request.ts";

/** The result of `explain`: the rewritten body, and a trace with texts before and after. */
export interface Explanation {
  readonly changed: boolean;
  readonly body: string;
  readonly trace: unknown;
}

/** Explains one body by `instance`, `locale`, `channel`, and `var.<name>` per variable. */
export function explain(
  snapshot: Snapshot,
  parameters: URLSearchParams,
  body: Uint8Array,
): Explanation {
  const variables: Record<string, string> = {};
  for (const [name, value] of parameters) {
    if (name.startsWith("var.")) variables[name.slice(4).toLowerCase()] = value;
  }
  const {
    changed,
    body: rewritten,
    trace,
  } = snapshot.rewriter.rewrite(body, {
    instance: parameters.get("instance"),
    locale: parameters.get("locale"),
    channel: parameters.get("channel"),
    variables,
    detail: true,
  });
  return { changed, body: new TextDecoder().decode(rewritten), trace };
}
