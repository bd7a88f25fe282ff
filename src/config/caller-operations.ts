import { ROUTES, routeOf, type Product } from "../api/call/routes.ts";

const products: readonly CallerProduct[] = ["ticketing", "knowledge", "chat"];

/**
 * The operations that a caller may be allowed: every operation of the three products, with its
 * query parameters. A request is known by this whole table before anybody looks at what its caller
 * may do, so that `GET /v1/users/public` is never taken for a user named `public`. A path in
 * several spellings goes out in the first.
 */
export const CALLER_OPERATIONS: readonly CallerOperation[] = products.flatMap((product) =>
  Object.keys(ROUTES[product]).map((name) => {
    const { id, method, path, aliases, query } = routeOf(product, name);
    return { name: id, product, method, paths: [path, ...aliases].map(segmentsOf), query };
  }),
);

/**
 * Operations that administer a project, or show or change what belongs to people who did not ask:
 * nothing for a caller that only says where its page came from, because whoever has no browser says
 * so too.
 */
export const SENSITIVE_OPERATIONS: ReadonlySet<string> = new Set([
  ..."users user changeUser tickets ticket changeTicket replies history download media createQueue setWorkTimetable createSurvey createWebhook webhooks changeWebhook removeWebhook"
    .split(" ")
    .map((name) => `ticketing.${name}`),
  ..."createApp apps app changeApp users user changeUser agents createAgent loginAgent logoutAgent agent changeAgent createRoom chats chat changeChat closeChat assign toInbox join leave transfer chatUsers messages sendMessage readMessage activity history importHistory invite accept reject mediaList download changeSettings createSurvey webhooks webhook createWebhook changeWebhook removeWebhook undelivered resendUndelivered events notes addNote changeCannedAnswers tickets ticket ticketFile figures"
    .split(" ")
    .map((name) => `chat.${name}`),
]);

/** The products for which Afterword may have credentials of its own. */
export type CallerProduct = Exclude<Product, "chatbot">;

/** One operation as requests are compared with it. */
export interface CallerOperation {
  /** `ticketing.createTicket`, or `POST /ticketing/v1/tickets` as it was written. */
  readonly name: string;
  readonly product: CallerProduct;
  readonly method: string;
  /**
   * The spellings of the path below the product, as segments; `{name}` stands for a value. The
   * first is what goes out.
   */
  readonly paths: readonly (readonly string[])[];
  readonly query: readonly string[];
}

/**
 * An operation from its method and its paths, with the names of the query's parameters behind the
 * last.
 *
 * @example
 * const { paths } = readOperation("x", "chat", "GET", "/v1/media /media?length&offset");
 * paths; // [["v1", "media"], ["media"]]
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
function segmentsOf(path: string): readonly string[] {
  return path.replace(/\/$/, "").split("/").slice(1);
}
