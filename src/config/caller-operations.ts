import { ROUTES, routeOf, type Product } from "../api/call/routes.ts";

const products: readonly CallerProduct[] = ["ticketing", "knowledge", "chat"];

/**
 * All operations of the three products, with their query parameters. A request is compared with the
 * whole table before its caller's permissions are checked, so that `GET /v1/users/public` is never
 * taken for a user named `public`. A path in several spellings is sent in the first.
 */
export const CALLER_OPERATIONS: readonly CallerOperation[] = products.flatMap((product) =>
  Object.keys(ROUTES[product]).map((name) => {
    const { id, method, path, aliases, query } = routeOf(product, name);
    return { name: id, product, method, paths: [path, ...aliases].map(segmentsOf), query };
  }),
);

/**
 * Operations that administer a project, or that show or change data of other people. A caller known
 * by its Origin alone must not have them, because programs can send any Origin.
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

/** An operation that requests are compared with. */
export interface CallerOperation {
  /** `ticketing.createTicket`, or `POST /ticketing/v1/tickets` as it was written. */
  readonly name: string;
  readonly product: CallerProduct;
  readonly method: string;
  /**
   * The spellings of the path below the product, as segments; `{name}` stands for a value. The
   * first is sent.
   */
  readonly paths: readonly (readonly string[])[];
  readonly query: readonly string[];
}

/**
 * Creates an operation from its method and paths. The names of query parameters follow the last
 * path.
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
