/**
 * The usual code for answering one flag on Workers: the body is parsed, changed and serialized
 * again. A module's source.
 */
export function byHand(upstream: string): string {
  return `
const lines = { "no-results": "Nothing for that. Please ask otherwise." };
export default {
  async fetch(request) {
    const { pathname, search } = new URL(request.url);
    if (pathname === "/_afterword/health") return new Response();
    const response = await fetch(${JSON.stringify(upstream)} + pathname + search, request);
    const body = await response.json();
    for (const answer of body.answers) {
      const flag = answer.flags.find((one) => one in lines);
      if (flag === undefined) continue;
      answer.message = lines[flag];
      answer.messageList = [lines[flag]];
      const related = answer.parameters?.contents?.related;
      if (related !== undefined) related.relatedTitle = "See also:";
    }
    const headers = new Headers(response.headers);
    headers.delete("content-length");
    return new Response(JSON.stringify(body), { status: response.status, headers });
  },
};
`;
}

/** Relays messages without reading them: the cost of workerd itself. */
export function passing(upstream: string): string {
  return `
export default {
  fetch(request) {
    const { pathname, search } = new URL(request.url);
    return pathname === "/_afterword/health" ? new Response() : fetch(${JSON.stringify(upstream)} + pathname + search, request);
  },
};
`;
}
