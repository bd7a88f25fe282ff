import { type Context, Hono } from "hono";
import type { Operation } from "../../api/call/operation.ts";
import type { OperationName, ServiceName } from "../../api/call/routes.ts";

/** The answer of a handler. An object is sent as JSON. */
export type Answer = Response | object;

export function toResponse(answer: Answer): Response {
  return answer instanceof Response ? answer : Response.json(answer);
}

/** A handler of every operation of a product: the compiler names one that is missing. */
export type Handlers<P extends ServiceName, Handler> = Readonly<Record<OperationName<P>, Handler>>;

/**
 * Routes the operations of a product to their handlers, in every spelling of a path. Paths begin
 * with `/v1`, as in the table of routes.
 */
export function createOperationRoutes<Handler>(
  operations: readonly Operation[],
  handlers: Readonly<Record<string, Handler>>,
  handle: (operation: Operation, handler: Handler) => (c: Context) => Promise<Response>,
): Hono {
  const routes = new Hono({ strict: false });
  for (const operation of sortByPrecedence(operations)) {
    const handler = handlers[operation.id.replace(/^\w+\./, "")];
    if (handler === undefined) throw new Error(`unreachable: nothing handles ${operation.id}`);
    const answer = handle(operation, handler);
    for (const path of [operation.path, ...(operation.aliases ?? [])]) {
      routes.on(operation.method, path.replaceAll(/\{(\w+)\}/g, ":$1"), answer);
    }
  }
  return routes;
}

/** Puts fixed paths first, so that `/agents/available` is not read as an agent's id. */
function sortByPrecedence(operations: readonly Operation[]): readonly Operation[] {
  return operations.toSorted((a, b) => Number(a.path.includes("{")) - Number(b.path.includes("{")));
}
