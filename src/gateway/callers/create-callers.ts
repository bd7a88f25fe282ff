import type { RawHeaders } from "../../http/types.ts";
import { LRUCache } from "lru-cache";
import type { CallerProduct } from "../../config/caller-operations.ts";
import type { CallerConfig, InstanceConfig } from "../../config/config.ts";
import type { Core } from "../core.ts";
import type { GatewayRequest } from "../exchange/request.ts";
import { networkOf } from "../../http/client-address.ts";
import { fieldOf, membersOf } from "../exchange/headers.ts";
import type { Platform } from "../exchange/platform.ts";
import { type Admitted, answerCaller } from "./answer-caller.ts";
import { findRequestedOperation } from "./requested-operation.ts";
import { answerRefusal, type CallerRefusal, createCorsFields } from "./caller-reply.ts";
import { identify, isKnownOrigin, valuesOf } from "./identify.ts";
import { hasOwnCredentials, willHaveOwnCredentials, pageHeaders } from "./caller-headers.ts";
import type { Callers, CreateCallers } from "../core.ts";
import type { JwtCheck, LoadJwtCheck } from "./jwt-check.ts";
import { createRates, type Rates } from "./rates.ts";
import { createInstanceTokens, type InstanceTokens } from "./tokens.ts";

/**
 * Lets the configuration's `callers` use the credentials of an instance on /ticketing, /knowledge
 * and /chat. A request with credentials of its own is left alone.
 *
 * @param loadJwtCheck left out where no caller has `jwt`
 */
export function withCallers(loadJwtCheck: LoadJwtCheck = createEmptyJwtCheck): CreateCallers {
  return (platform): Callers => {
    let tokens: InstanceTokens | null = null;
    let jwtCheck: Promise<JwtCheck> | null = null;
    const parts: CallerParts = {
      platform,
      rates: createRates(() => platform.clock()),
      mayLog: createReminder(() => platform.clock()),
      jwtCheck: () => (jwtCheck ??= loadJwtCheck(platform)),
    };

    return {
      async take(core, arrival) {
        const asked = arrival.snapshot.config.callers.length === 0 ? null : readAsked(arrival);
        if (asked === null) return false;
        const { headers, method } = arrival.exchange;
        const { keyHeader } = arrival.upstream;
        if (method === "OPTIONS") {
          if (fieldOf(headers, "access-control-request-method") === null) return false;
          if (willHaveOwnCredentials(headers, asked.query, keyHeader)) return false;
          answerPreflight(core, arrival, asked);
          return true;
        }
        if (hasOwnCredentials(headers, asked.query, keyHeader)) return false;
        const judged = await judge(parts, arrival, asked);
        core.metrics.count("afterword_callers_total", judged.caller, judged.outcome);
        if (judged.kind === "refused") {
          answerRefusal(core, arrival, asked.product, judged.refusal);
        } else {
          tokens ??= createInstanceTokens(platform, core.via);
          const { instance } = judged.admitted;
          await answerCaller(core, setInstance(arrival, instance), { ...judged.admitted, tokens });
        }
        return true;
      },
    };
  };
}

/** The parts that judge callers, kept as long as the process. */
interface CallerParts {
  readonly platform: Platform;
  readonly rates: Rates;
  /** True once a minute for each text. */
  readonly mayLog: (text: string) => boolean;
  /**
   * Loaded once, with the first token, because configurations without such callers need none of it.
   */
  readonly jwtCheck: () => Promise<JwtCheck>;
}

/** The request of a caller without credentials. */
interface Asked {
  readonly product: CallerProduct;
  /** Path and query below the product. */
  readonly target: string;
  /** The query with its `?`, or nothing. */
  readonly query: string;
}

/** Whether a caller may do what it requests. `caller` and `outcome` are those of the metrics. */
type Judged = { readonly caller: string; readonly outcome: string } & (
  | { readonly kind: "admitted"; readonly admitted: Omit<Admitted, "tokens"> }
  | { readonly kind: "refused"; readonly refusal: CallerRefusal }
);

/** Finds the caller, takes from its rates, and finds the operation among those it may use. */
async function judge(
  parts: CallerParts,
  { exchange, snapshot: { config } }: GatewayRequest,
  { product, target }: Asked,
): Promise<Judged> {
  const who = await identify(config.callers, exchange.headers, parts.platform, parts.jwtCheck);
  const origin = fieldOf(exchange.headers, "origin")?.trim() ?? null;
  if (who.kind === "refused") {
    const { status, message } = who;
    const fields = createCorsFields(who.readable ? origin : null);
    if (status === 503) fields.push("Retry-After", "5");
    return refuseCaller("", outcomes[status], { status, message, fields });
  }
  const { caller } = who;
  const { name } = caller;
  const cors = createCorsFields(origin);
  const wait = await takeRate(parts, caller, who.subject ?? networkOf(exchange.client.address));
  if (wait > 0) {
    const message = "This caller has asked too often. Try again later.";
    const fields = [...cors, "Retry-After", String(Math.ceil(wait / 1000))];
    return refuseCaller(name, "rate", { status: 429, message, fields });
  }
  const asked = findRequestedOperation(product, exchange.method, target, caller.operations);
  if (asked.kind === "query") {
    const message = `The query has a parameter that ${asked.operation.name} does not take, or has one twice.`;
    return refuseCaller(name, "query", { status: 403, message, fields: cors });
  }
  const line = asked.kind === "unknown" ? asked.line : asked.operation.name;
  const operation = caller.operations.find((one) => one.name === line);
  if (asked.kind === "unknown" || operation === undefined) {
    if (line !== null) logUnlisted(parts, name, line);
    const message = "This caller may not do this.";
    return refuseCaller(name, "operation", { status: 403, message, fields: cors });
  }
  const instance = config.instances.find((one) => one.name === caller.instance);
  if (instance === undefined) throw new Error(`unreachable: no instance for ${name}`);
  const admitted = { caller, instance, operation, rest: asked.rest, origin };
  return { kind: "admitted", caller: name, outcome: "admitted", admitted };
}

function refuseCaller(caller: string, outcome: string, refusal: CallerRefusal): Judged {
  return { kind: "refused", caller, outcome, refusal };
}

/** Takes one request from the caller's rates; returns the milliseconds to wait, 0 for none. */
async function takeRate(
  { platform, rates }: CallerParts,
  caller: CallerConfig,
  client: string,
): Promise<number> {
  const name = client.length > maxClientLength ? await platform.digest(client) : client;
  return rates.take(bucketsOf(caller, name));
}

function logUnlisted({ platform, mayLog }: CallerParts, caller: string, line: string): void {
  if (!mayLog(`${caller} ${line}`)) return;
  platform.log("warn", "operation-not-listed", {
    caller,
    cure: `add "${line}" to the operations of the caller "${caller}" to allow it`,
  });
}

const createEmptyJwtCheck: LoadJwtCheck = () =>
  Promise.resolve({ check: () => Promise.resolve({ kind: "unavailable" }) });

/** A request without credentials has a meaning only under its product's name. */
function readAsked({ target }: GatewayRequest): Asked | null {
  if (target.kind !== "product" || target.product === "chatbot") return null;
  const { product, rest } = target;
  const queryAt = rest.indexOf("?");
  return { product, target: rest, query: queryAt === -1 ? "" : rest.slice(queryAt) };
}

/** Only the caller decides whose credentials are used, neither a header nor the path. */
function setInstance(arrival: GatewayRequest, instance: InstanceConfig): GatewayRequest {
  return { ...arrival, instance, upstream: instance.upstream };
}

function bucketsOf({ name, rate, perClient }: CallerConfig, client: string) {
  const all = { name: JSON.stringify([name]), rate };
  return perClient === null
    ? [all]
    : [all, { name: JSON.stringify([name, client]), rate: perClient }];
}

/** Longer subjects are kept as their digest. */
const maxClientLength = 64;

const outcomes = { 401: "unknown", 403: "origin", 503: "keys-unavailable" } as const;

/** True once a minute for each text, so that requests cannot fill the log. */
function createReminder(clock: () => number): (text: string) => boolean {
  const last = new LRUCache<string, number>({ max: 1000 });
  return (text) => {
    const now = clock();
    if (now - (last.get(text) ?? Number.NEGATIVE_INFINITY) < 60_000) return false;
    last.set(text, now);
    return true;
  };
}

function answerPreflight(core: Core, arrival: GatewayRequest, { product, target }: Asked): void {
  const { exchange, snapshot } = arrival;
  const allowed = createCallerPreflight(snapshot.config.callers, product, exchange.headers, target);
  if (allowed !== null) return exchange.reply.send(204, "No Content", allowed, null);
  const message = "Pages of this origin may not do this here.";
  answerRefusal(core, arrival, product, { status: 403, message, fields: ["Vary", "Origin"] });
}

/**
 * Returns the fields that answer a preflight of a caller's page, or null when no caller of that
 * origin may do this. The origin is compared exactly, and named, never `*`. The page may send only
 * the fields that would be forwarded.
 */
function createCallerPreflight(
  callers: readonly CallerConfig[],
  product: CallerProduct,
  headers: RawHeaders,
  target: string,
): string[] | null {
  const origins = valuesOf(headers, "origin");
  const [origin = ""] = origins;
  const method = fieldOf(headers, "access-control-request-method") ?? "";
  if (origins.length !== 1 || !isKnownOrigin(callers, origin)) return null;
  const may = callers.some((caller) => {
    if (!caller.origins.includes(origin)) return false;
    const asked = findRequestedOperation(product, method, target, caller.operations);
    return (
      asked.kind === "operation" &&
      caller.operations.some(({ name }) => name === asked.operation.name)
    );
  });
  if (!may) return null;
  const names = membersOf(fieldOf(headers, "access-control-request-headers"));
  const allowed = names.filter((name) => pageHeaders.has(name.toLowerCase()));
  return [
    "Access-Control-Allow-Origin",
    origin,
    "Access-Control-Allow-Methods",
    method,
    ...(allowed.length === 0 ? [] : ["Access-Control-Allow-Headers", allowed.join(", ")]),
    "Access-Control-Max-Age",
    "600",
    "Vary",
    "Origin, Access-Control-Request-Method, Access-Control-Request-Headers",
  ];
}
