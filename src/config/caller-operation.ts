import type { Product } from "../api/routes.ts";

/** The products for which Afterword may have credentials of its own. */
export type CallerProduct = Exclude<Product, "chatbot">;

/** One operation as requests are compared with it. */
export interface CallerOperation {
  /** `ticketing.createTicket`, or `POST /ticketing/v1/tickets` as somebody wrote it. */
  readonly name: string;
  readonly product: CallerProduct;
  readonly method: string;
  /** Path spellings below the product, as segments, the sent one first; `{name}` is any value. */
  readonly paths: readonly (readonly string[])[];
  readonly query: readonly string[];
}

/**
 * An operation from its method and its paths, with the names of the query's parameters behind the
 * last.
 *
 * @example
 * readOperation("x", "chat", "GET", "/v1/media /media?length&offset").paths; // [["v1", "media"],
 * ["media"]]
 */
export function readOperation(
  name: string,
  product: CallerProduct,
  method: string,
  written: string,
): CallerOperation {
  const [paths = "", query = ""] = written.split("?");
  return {
    name,
    product,
    method,
    paths: paths.split(" ").map(segmentsOf),
    query: query.split("&").filter((parameter) => parameter !== ""),
  };
}

/** Segments of `/a/b` and `/a/b/`. */
export function segmentsOf(path: string): readonly string[] {
  return path.replace(/\/$/, "").split("/").slice(1);
}
