import type { InstanceConfig } from "../../config/config.ts";
import { reportRefused as reportRefusedAddress } from "../authentication.ts";
import { type Base, parseBase, permissionOf } from "../base.ts";
import type { GatewayRequest, Core } from "../core.ts";
import { configuredBase } from "../destination.ts";
import type { Admitted } from "./admitted.ts";
import { type Presented, refusedMessage } from "./credentialed.ts";
import type { Access } from "./tokens.ts";

/** Where a request goes and what opens it there, or why it goes nowhere. */
export type Found =
  | {
      readonly kind: "found";
      readonly base: Base;
      readonly trusted: boolean;
      readonly presented: Presented;
      readonly renew: () => Promise<Presented | null>;
    }
  | { readonly kind: "none"; readonly status: 502 | 504; readonly message: string };

/**
 * Where an instance's product is, and what opens it: a token of ours, or the chat app's id and
 * secret.
 */
export async function credentialsFor(
  core: Core,
  arrival: GatewayRequest,
  admitted: Admitted,
): Promise<Found> {
  const { instance, operation, tokens } = admitted;
  const { product } = operation;
  const { credentials, upstream } = instance;
  const fixed = configuredBase(arrival, product);
  const app = product === "chat" ? chatFields(instance) : null;
  if (app !== null && fixed !== null) {
    return { kind: "found", base: fixed, trusted: true, presented: app, renew: nothingNew };
  }
  const login = await tokens.current(instance);
  if (login.kind === "failed") {
    if (login.refused === null) return none(login.status, "The service could not be reached.");
    reportRefused(core, admitted, login.refused);
    return none(502, refusedMessage);
  }
  const base = fixed ?? baseIn(login.access, product);
  const permission = base === null ? "refused" : permissionOf(base, upstream);
  if (base === null || (fixed === null && permission === "refused")) {
    if (base !== null) reportRefusedAddress(core, base);
    return none(502, `The gateway knows no usable ${product} address for this caller.`);
  }
  const trusted = fixed !== null || permission === "named";
  if (app !== null) return { kind: "found", base, trusted, presented: app, renew: nothingNew };
  const apiKey = credentials?.apiKey ?? "";
  const presentedBy = ({ token }: Access): Presented => ({
    fields: [upstream.keyHeader, apiKey, "Authorization", `Bearer ${token}`],
    secrets: [token, credentials?.secret ?? token, apiKey],
  });
  return {
    kind: "found",
    base,
    trusted,
    presented: presentedBy(login.access),
    async renew() {
      const again = await tokens.renew(instance, login.access.token);
      if (again.kind === "failed") return null;
      // A token is used where it was issued for: never at an address that another one found.
      const now = fixed ?? baseIn(again.access, product);
      return now?.address === base.address ? presentedBy(again.access) : null;
    },
  };
}

const nothingNew = (): Promise<null> => Promise.resolve(null);

function none(status: 502 | 504, message: string): Found {
  return { kind: "none", status, message };
}

function chatFields({ credentials }: InstanceConfig): Presented {
  const secret = credentials?.chatSecret ?? "";
  return {
    fields: ["x-hyper-appId", credentials?.chatApp ?? "", "x-hyper-secret", secret],
    secrets: [secret],
  };
}

function baseIn({ apis }: Access, product: string): Base | null {
  const address = Object.hasOwn(apis, product) ? apis[product] : undefined;
  return address === undefined ? null : parseBase(address);
}

/** Our credentials were turned away: the caller learns that much, the log where. */
export function reportRefused(
  core: Core,
  { instance, caller, operation }: Admitted,
  status: number,
): void {
  core.metrics.count("afterword_callers_total", { caller: caller.name, outcome: "credentials" });
  core.platform.log("error", "credentials-refused", {
    instance: instance.name,
    caller: caller.name,
    product: operation.product,
    status,
    cure: `check the credentials of the instance "${instance.name}"`,
  });
}
