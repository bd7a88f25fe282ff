import type { Snapshot } from "../core.ts";

/**
 * What `explain` shows: the rewritten body as text, and the trace with every text before and after.
 */
export interface Explanation {
  readonly changed: boolean;
  readonly body: string;
  readonly trace: unknown;
}

/**
 * Explains what would be said to one response body. Parameters: `instance`, `locale`, `channel`,
 * and `var.<name>` for each variable.
 */
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
