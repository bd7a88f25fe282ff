import type { RawHeaders } from "../../http/types.ts";
import { LRUCache } from "lru-cache";
import type { CallerProduct } from "../../config/caller-operations.ts";
import type { CallerConfig, InstanceConfig } from "../../config/config.ts";
import type { Core } from "../core.ts";
import type { GatewayRequest } from "../exchange/request.ts";
import { networkOf } from "../../http/client-address.ts";
import { fieldOf, membersOf } from "../exchange/headers.ts";
import { answerCaller } from "./answer-caller.ts";
import { askedOperation } from "./requested-operation.ts";
import { corsFields, answerRefusal } from "./caller-reply.ts";
import { identify, isKnownOrigin, valuesOf } from "./identify.ts";
import { bringsOwn, willBringOwn, pageHeaders } from "./caller-headers.ts";
import type { Callers, CreateCallers } from "../core.ts";
import type { JwtCheck, LoadJwtCheck } from "./jwt-check.ts";
import { createRates } from "./rates.ts";
import { createInstanceTokens, type InstanceTokens } from "./tokens.ts";

/**
 * Lets the configuration's `callers` use the credentials of an instance on /ticketing, /knowledge
 * and /chat. A request with credentials of its own is left alone.
 *
 * @param loadJwtCheck left out where no caller has `jwt`
 */
export function withCallers(loadJwtCheck: LoadJwtCheck = noJwtCheck): CreateCallers {
  return (platform): Callers => {
    const rates = createRates(() => platform.clock());
    const told = createReminder(() => platform.clock());
    let tokens: InstanceTokens | null = null;
    let jwtCheck: Promise<JwtCheck> | null = null;

    return {
      async take(core, arrival) {
        const { callers } = arrival.snapshot.config;
        const asked = callers.length === 0 ? null : productAsked(arrival);
        if (asked === null) return false;
        const { exchange, upstream } = arrival;
        const { product, target } = asked;
        const queryAt = target.indexOf("?");
        const query = queryAt === -1 ? "" : target.slice(queryAt);
        if (exchange.method === "OPTIONS") {
          const { headers } = exchange;
          if (fieldOf(headers, "access-control-request-method") === null) return false;
          if (willBringOwn(headers, query, upstream.keyHeader)) return false;
          const fields = callerPreflight(callers, product, headers, target);
          if (fields !== null) exchange.reply.send(204, "No Content", fields, null);
          else {
            answerRefusal(core, arrival, product, {
              status: 403,
              message: "Pages of this origin may not do this here.",
              fields: ["Vary", "Origin"],
            });
          }
          return true;
        }
        if (bringsOwn(exchange.headers, query, upstream.keyHeader)) return false;
        await admit(core, arrival, product, target);
        return true;
      },
    };

    async function admit(
      core: Core,
      arrival: GatewayRequest,
      product: CallerProduct,
      target: string,
    ): Promise<void> {
      const { exchange, snapshot } = arrival;
      const { config } = snapshot;
      const count = (caller: string, outcome: string): void =>
        core.metrics.count("afterword_callers_total", caller, outcome);
      const who = await identify(config.callers, exchange.headers, platform, loadedCheck);
      const origin = fieldOf(exchange.headers, "origin")?.trim() ?? null;
      if (who.kind === "refused") {
        count("", outcomes[who.status]);
        const fields = corsFields(who.readable ? origin : null);
        if (who.status === 503) fields.push("Retry-After", "5");
        return answerRefusal(core, arrival, product, { ...who, fields });
      }
      const { caller, subject } = who;
      const cors = corsFields(origin);
      const client = subject ?? networkOf(exchange.client.address);
      const named = client.length > longestClient ? await platform.digest(client) : client;
      const wait = rates.take(bucketsOf(caller, named));
      if (wait > 0) {
        count(caller.name, "rate");
        return answerRefusal(core, arrival, product, {
          status: 429,
          message: "This caller has asked too often. Try again later.",
          fields: [...cors, "Retry-After", String(Math.ceil(wait / 1000))],
        });
      }
      const asked = askedOperation(product, exchange.method, target, caller.operations);
      if (asked.kind === "query") {
        count(caller.name, "query");
        return answerRefusal(core, arrival, product, {
          status: 403,
          message: `The query has a parameter that ${asked.operation.name} does not take, or has one twice.`,
          fields: cors,
        });
      }
      const line = asked.kind === "unknown" ? asked.line : asked.operation.name;
      const allowed = caller.operations.find(({ name }) => name === line);
      if (asked.kind === "unknown" || allowed === undefined) {
        count(caller.name, "operation");
        if (told(`${caller.name} ${line}`)) {
          platform.log("warn", "operation-not-listed", {
            caller: caller.name,
            cure: `add "${line}" to the operations of the caller "${caller.name}" to allow it`,
          });
        }
        return answerRefusal(core, arrival, product, {
          status: 403,
          message: "This caller may not do this.",
          fields: cors,
        });
      }
      const instance = config.instances.find(({ name }) => name === caller.instance);
      if (instance === undefined) throw new Error(`unreachable: no instance for ${caller.name}`);
      count(caller.name, "admitted");
      return answerCaller(core, asInstance(arrival, instance), {
        caller,
        instance,
        operation: allowed,
        rest: asked.rest,
        origin,
        tokens: (tokens ??= createInstanceTokens(platform, core.via)),
      });
    }

    // Loaded once, with the first token: who has no such callers needs none of it.
    function loadedCheck(): Promise<JwtCheck> {
      jwtCheck ??= loadJwtCheck(platform);
      return jwtCheck;
    }
  };
}

const noJwtCheck: LoadJwtCheck = () =>
  Promise.resolve({ check: () => Promise.resolve({ kind: "unavailable" }) });

/** What is known by its product's name: only there a request without credentials has a meaning. */
function productAsked({
  target,
}: GatewayRequest): { readonly product: CallerProduct; readonly target: string } | null {
  if (target.kind !== "product" || target.product === "chatbot") return null;
  return { product: target.product, target: target.rest };
}

/** Neither a header nor the path says whose credentials are used, but the caller alone. */
function asInstance(arrival: GatewayRequest, instance: InstanceConfig): GatewayRequest {
  return { ...arrival, instance, upstream: instance.upstream };
}

function bucketsOf({ name, rate, perClient }: CallerConfig, client: string) {
  const all = { name: JSON.stringify([name]), rate };
  return perClient === null
    ? [all]
    : [all, { name: JSON.stringify([name, client]), rate: perClient }];
}

/** Longer subjects are kept as their digest. */
const longestClient = 64;

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

/**
 * The fields that answer a preflight of a caller's page, or null when no caller of that origin may
 * do this. The origin is compared as it stands, and named, never `*`; what the page may send are
 * the fields that would go on, no more.
 */
function callerPreflight(
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
    const asked = askedOperation(product, method, target, caller.operations);
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
