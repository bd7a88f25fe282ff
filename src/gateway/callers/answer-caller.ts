import { account, overloaded, refuseLostBody } from "../exchange/accounting.ts";
import type { Core } from "../core.ts";
import type { GatewayRequest } from "../exchange/request.ts";
import type { Route } from "../upstream/route.ts";
import { retrySoon } from "../exchange/errors.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { forward } from "../upstream/forward.ts";
import { findPublicRoot } from "../upstream/public-address.ts";
import { type CallerBody, readCallerBody } from "./media.ts";
import { filterCallerHeaders } from "./caller-headers.ts";
import {
  wrapCallerReply,
  createCorsFields,
  answerRefusal,
  type CallerRefusal,
} from "./caller-reply.ts";
import {
  createCredentialedTransport,
  refusedMessage,
  type CredentialFields,
} from "./credentialed.ts";
import type { InstanceConfig, CallerConfig } from "../../config/config.ts";
import { parseBase, permissionOf, type Base } from "../upstream/base.ts";
import { findConfiguredBase, reportRefusedBase } from "../upstream/destination.ts";
import type { InstanceAccess, InstanceTokens } from "./tokens.ts";
import type { CallerOperation } from "../../config/caller-operations.ts";

/** Sends a caller's request with its instance's credentials. The body is read first, for a retry. */
export async function answerCaller(
  core: Core,
  arrival: GatewayRequest,
  admitted: Admitted,
): Promise<void> {
  const { operation, origin } = admitted;
  const refuse = (refusal: CallerRefusal): void =>
    answerRefusal(core, arrival, operation.product, {
      ...refusal,
      fields: [...createCorsFields(origin), ...refusal.fields],
    });
  const body = await bodyOf(core, arrival, admitted, refuse);
  if (body === null) return;
  const place = await core.admission.enter(false, arrival.exchange.client.share);
  if (place === null) {
    core.metrics.count("afterword_overload_total");
    return refuse({ status: 503, message: overloaded, fields: retrySoon });
  }
  try {
    const prepared = await prepare(core, arrival, admitted, body.bytes, refuse);
    if (prepared === null) return;
    await forward(core, prepared.request, prepared.route, place);
  } finally {
    place.leave();
  }
}

/** Reads the body of a request. Null if the request was answered instead. */
async function bodyOf(
  core: Core,
  arrival: GatewayRequest,
  { caller, operation }: Admitted,
  refuse: (refusal: CallerRefusal) => void,
): Promise<Extract<CallerBody, { kind: "whole" }> | null> {
  const { exchange, snapshot } = arrival;
  const body = await readCallerBody(
    exchange,
    operation,
    caller.media,
    snapshot.config.limits.requestBytes,
  );
  if (body.kind === "whole") return body;
  if (body.kind === "lost") {
    const { product } = operation;
    const status = refuseLostBody(core, exchange, product, body.error);
    account(core, arrival, product, status);
    return null;
  }
  core.metrics.count("afterword_callers_total", caller.name, "media");
  refuse({ ...body, fields: [] });
  return null;
}

/** Adds the credentials to a request, and finds its route. Null if the request was answered instead. */
async function prepare(
  core: Core,
  arrival: GatewayRequest,
  admitted: Admitted,
  body: Uint8Array | null,
  refuse: (refusal: CallerRefusal) => void,
): Promise<Prepared | null> {
  const { instance, operation, rest, origin } = admitted;
  const { exchange } = arrival;
  const found = await credentialsFor(core, arrival, admitted);
  if (found.kind === "none") {
    refuse({ ...found, fields: [] });
    return null;
  }
  const { config } = arrival.snapshot;
  const route = (): string =>
    `${findPublicRoot(config, exchange, prefixOf(arrival))}/${operation.product}`;
  const derived: Exchange = {
    method: exchange.method,
    target: exchange.target,
    headers: filterCallerHeaders(exchange.headers),
    body: null,
    peer: exchange.peer,
    client: exchange.client,
    ...(exchange.scheme === undefined ? {} : { scheme: exchange.scheme }),
    reply: wrapCallerReply(exchange.reply, origin),
  };
  const transport = createCredentialedTransport({
    transport: core.platform.transport,
    body,
    presented: found.presented,
    renew: found.renew,
    refused: () => reportRefusedCredentials(core, admitted, 401),
    relays401: operation.name === "chat.loginAgent",
  });
  return {
    request: { ...arrival, exchange: derived, instance },
    route: {
      name: operation.product,
      to: { product: operation.product, base: found.base, trusted: found.trusted, rest, route },
      reserved: false,
      bounded: false,
      transform: null,
      transport,
    },
  };
}

interface Prepared {
  readonly request: GatewayRequest;
  readonly route: Route;
}

function prefixOf({ target }: GatewayRequest): string {
  return target.kind === "product" ? target.prefix : "";
}

/** The base and the credentials of a request, or the reason why it cannot be sent. */
type Found =
  | {
      readonly kind: "found";
      readonly base: Base;
      readonly trusted: boolean;
      readonly presented: CredentialFields;
      readonly renew: () => Promise<CredentialFields | null>;
    }
  | { readonly kind: "none"; readonly status: 502 | 504; readonly message: string };

/**
 * Finds an instance's product and its credentials: an access token, or the chat app's id and
 * secret.
 */
async function credentialsFor(
  core: Core,
  arrival: GatewayRequest,
  admitted: Admitted,
): Promise<Found> {
  const { instance, operation, tokens } = admitted;
  const { product } = operation;
  const { credentials, upstream } = instance;
  const fixed = findConfiguredBase(arrival, product);
  const app = product === "chat" ? toChatFields(instance) : null;
  if (app !== null && fixed !== null) {
    return { kind: "found", base: fixed, trusted: true, presented: app, renew: renewNothing };
  }
  const login = await tokens.current(instance);
  if (login.kind === "failed") {
    if (login.refused === null)
      return createNone(login.status, "The service could not be reached.");
    reportRefusedCredentials(core, admitted, login.refused);
    return createNone(502, refusedMessage);
  }
  const base = fixed ?? baseIn(login.access, product);
  const permission = base === null ? "refused" : permissionOf(base, upstream);
  if (base === null || (fixed === null && permission === "refused")) {
    if (base !== null) reportRefusedBase(core, base);
    return createNone(502, `The gateway knows no usable ${product} address for this caller.`);
  }
  const trusted = fixed !== null || permission === "named";
  if (app !== null) return { kind: "found", base, trusted, presented: app, renew: renewNothing };
  const apiKey = credentials?.apiKey ?? "";
  const presentedBy = ({ token }: InstanceAccess): CredentialFields => ({
    fields: [upstream.keyHeader, apiKey, "Authorization", `Bearer ${token}`],
    secrets: [token, ...secretsOf(instance)],
  });
  return {
    kind: "found",
    base,
    trusted,
    presented: presentedBy(login.access),
    async renew() {
      const again = await tokens.renew(instance, login.access.token);
      if (again.kind === "failed") return null;
      // A token is sent only to the address that its own discovery named.
      const now = fixed ?? baseIn(again.access, product);
      return now?.address === base.address ? presentedBy(again.access) : null;
    },
  };
}

const renewNothing = (): Promise<null> => Promise.resolve(null);

function createNone(status: 502 | 504, message: string): Found {
  return { kind: "none", status, message };
}

function toChatFields({ credentials }: Pick<InstanceConfig, "credentials">): CredentialFields {
  const secret = credentials?.chatSecret ?? "";
  return {
    fields: ["x-hyper-appId", credentials?.chatApp ?? "", "x-hyper-secret", secret],
    secrets: secretsOf({ credentials }),
  };
}

/** Lists the secrets that must not appear in an answer to any caller, even if the call has others. */
function secretsOf({ credentials }: Pick<InstanceConfig, "credentials">): readonly string[] {
  const { apiKey, secret, chatSecret } = credentials ?? {};
  return [apiKey, secret, chatSecret].filter((one) => typeof one === "string");
}

function baseIn({ apis }: InstanceAccess, product: string): Base | null {
  const address = Object.hasOwn(apis, product) ? apis[product] : undefined;
  return address === undefined ? null : parseBase(address);
}

/** Logs that the upstream refused the credentials of an instance. The caller does not learn which. */
function reportRefusedCredentials(
  core: Core,
  { instance, caller, operation }: Admitted,
  status: number,
): void {
  core.metrics.count("afterword_callers_total", caller.name, "credentials");
  core.platform.log("error", "credentials-refused", {
    instance: instance.name,
    caller: caller.name,
    product: operation.product,
    status,
    cure: `check the credentials of the instance "${instance.name}"`,
  });
}

/** A caller with permission for its request. */
export interface Admitted {
  readonly caller: CallerConfig;
  readonly instance: InstanceConfig;
  readonly operation: CallerOperation;
  /** The path below the product and the query, rebuilt from their parsed parts. */
  readonly rest: string;
  readonly origin: string | null;
  readonly tokens: InstanceTokens;
}
