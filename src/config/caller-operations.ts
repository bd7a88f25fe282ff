import { ROUTES, routeOf } from "../api/routes.ts";
import { type CallerOperation, type CallerProduct, segmentsOf } from "./caller-operation.ts";

const products: readonly CallerProduct[] = ["ticketing", "knowledge", "chat"];

/**
 * What a caller may be allowed: every operation of the three products, with its query parameters. A
 * request is known by this whole table before anybody looks at what its caller may do, so that
 * `GET /v1/users/public` is never taken for a user named `public`. A path in several spellings goes
 * out in the first.
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
  ..."createApp apps app changeApp users user changeUser agents createAgent loginAgent logoutAgent agent changeAgent createRoom chats chat changeChat closeChat assign toInbox join leave transfer chatUsers messages sendMessage readMessage activity history importHistory invite accept reject mediaList download changeSettings createSurvey webhooks webhook createWebhook changeWebhook removeWebhook undelivered resendUndelivered events"
    .split(" ")
    .map((name) => `chat.${name}`),
]);
