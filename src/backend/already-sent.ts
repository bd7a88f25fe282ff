/**
 * Tells @hono/node-server's listener that nothing is left to be sent, as its own
 * RESPONSE_ALREADY_SENT does, which is made as soon as it is imported and so loads `fetch` at the
 * start. A copy is Node's own Response also where @hono/node-server has put its own in place, of
 * which the listener reads no fields.
 */
export function alreadySent(): Response {
  return new Response(null, { headers: { "x-hono-already-sent": "true" } }).clone();
}
