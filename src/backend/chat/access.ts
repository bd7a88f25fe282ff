import type { Context } from "hono";
import type { Operation } from "../../api/call/operation.ts";
import { isFromElsewhere } from "../auth/credentials.ts";
import type { RateDecision } from "../auth/rate-limits.ts";
import { Refusal } from "../http/refusal.ts";
import type { Caller, ChatPerson, ShownCredentials } from "./caller.ts";
import { hashSha256Hex, isSameText } from "../../json/bytes.ts";
import type { ChatOptions } from "./options.ts";
import type { ChatRequest } from "./request.ts";

/**
 * Identifies the caller, and checks their permission. A secret or token that was sent must be valid,
 * even if the operation needs none. Credentials come in headers of any letter case, or in the query
 * (row 2 of the spellings). Headers take precedence.
 *
 * @throws Refusal 401, or 403 for a known person without the permission
 */
export async function callerOf(
  c: Context,
  operation: Operation,
  options: ChatOptions,
): Promise<Caller> {
  const address = options.peer?.(c) ?? "";
  return callerBy(credentialsOf(c), c.req.raw.headers, operation, options, address);
}

/**
 * As {@link callerOf}, for credentials that were read already. `headers` show whether a page sent
 * them.
 *
 * @param address the client's, for the log of refused credentials; empty where it is not known
 */
export async function callerBy(
  shown: ShownCredentials,
  headers: Headers,
  operation: Operation,
  options: ChatOptions,
  address: string = "",
): Promise<Caller> {
  const digest = options.digestOf ?? hashSha256Hex;
  const app = shown.appId === null ? null : await findApp(options, shown.appId, headers);
  if (app === null) throw new Refusal(401, "x-hyper-appId: is missing, or there is no such app.");
  const secret = shown.secret !== null;
  if (secret && isFromPage(headers)) {
    throw new Refusal(
      403,
      "x-hyper-secret: must not be sent from a browser, where everybody can read it.",
    );
  }
  if (shown.secret !== null) {
    const given = await digest(shown.secret);
    const { processSecret } = options;
    const isOwn = processSecret !== undefined && isSameText(await digest(processSecret), given);
    if (!isOwn && !isSameText(app.secret, given)) {
      options.refusedCredential?.({ kind: "app-secret", address });
      throw new Refusal(401, "x-hyper-secret: is not the secret of this app.");
    }
  }
  const person = shown.token === null ? null : await findPerson(options, app.id, shown.token);
  if (shown.token !== null && person === null) {
    throw new Refusal(401, "x-hyper-token: is unknown or has expired.");
  }
  const caller = { app: app.id, secret, person: operation.persons ? person : null };
  if (secret || operation.credentials === "app") return caller;
  if (caller.person !== null) return caller;
  if (person !== null) throw new Refusal(403, "This needs the app's secret.");
  const needed = operation.credentials === "app-token" ? "token" : "secret";
  throw new Refusal(401, `x-hyper-${needed}: is missing.`);
}

/** True for a request from a script on a page, by the headers that browsers add. */
function isFromPage(headers: Headers): boolean {
  return headers.has("origin") || (headers.get("sec-fetch-site") ?? "none") !== "none";
}

/** Throws 429 for an app that has called too often. */
export async function requireAppLimit(options: ChatOptions, app: string): Promise<void> {
  const decision = await options.limits?.take(`chat:${app}`, "product", 1);
  requireAllowed(decision, "This app calls too often.");
}

/** Throws 429 for a person who has sent too much in a minute or an hour. */
export async function requirePersonalLimit(
  { options, caller: { app, person } }: Pick<ChatRequest, "options" | "caller">,
  group: "messages" | "uploads",
): Promise<void> {
  if (person === null) return;
  const decision = await options.limits?.take(`chat:${app}:${person.id}`, group, 1);
  requireAllowed(decision, `Too many ${group} from one person.`);
}

function requireAllowed(decision: RateDecision | undefined, reason: string): void {
  if (decision === undefined || decision.allowed) return;
  const after = String(decision.retryAfter);
  const message = `${reason} Call again in ${after} seconds.`;
  throw new Refusal(429, message, {}, { "retry-after": after });
}

export function credentialsOf(c: Context): ShownCredentials {
  return credentialsBy((name) => c.req.header(`x-hyper-${name}`) ?? c.req.query(name));
}

export function credentialsBy(find: (name: string) => string | null | undefined): ShownCredentials {
  const findValue = (name: string): string | null => {
    const value = (find(name) ?? "").trim();
    return value === "" ? null : value;
  };
  return { appId: findValue("appId"), secret: findValue("secret"), token: findValue("token") };
}

async function findApp(
  { database, demo }: ChatOptions,
  id: string,
  headers: Headers,
): Promise<{ readonly id: string; readonly secret: string } | null> {
  const row = await database.kysely
    .selectFrom("chat_apps")
    .select(["id", "secret", "demo"])
    .where("id", "=", id)
    .where("revoked", "is", null)
    .executeTakeFirst();
  if (row === undefined) return null;
  return row.demo === 1 && (!demo || isFromElsewhere(headers)) ? null : row;
}

async function findPerson(
  { database, now, digestOf: digest = hashSha256Hex }: ChatOptions,
  app: string,
  token: string,
): Promise<ChatPerson | null> {
  const row = await database.kysely
    .selectFrom("chat_tokens")
    .innerJoin("chat_people", "chat_people.id", "chat_tokens.person")
    .select(["chat_people.id", "chat_people.kind"])
    .where("chat_tokens.digest", "=", await digest(token))
    .where("chat_tokens.app", "=", app)
    .where("chat_tokens.expires", ">", now())
    .executeTakeFirst();
  return row === undefined ? null : { id: row.id, kind: row.kind === "agent" ? "agent" : "user" };
}
