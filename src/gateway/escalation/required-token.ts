import type { EscalationRecord } from "../../escalation/record.ts";
import type { ReaderRequest } from "../../escalation/turn.ts";
import { apiKeyOf } from "../authentication.ts";
import type { GatewayRequest, Core } from "../core.ts";
import type { OwnStatus } from "../errors.ts";
import { fieldOf } from "../headers.ts";

/**
 * True where a request may be answered, or passed on to an agent, without the engine: nobody else
 * looks at its token then.
 */
export function isAnsweredHere({ phase, counts }: EscalationRecord, says: ReaderRequest): boolean {
  return phase.name !== "bot" || says.choice !== null || counts.last?.ours === true;
}

/**
 * Why a request may not speak in its conversation, or null. The session alone is not enough, as it
 * is not for the engine: the token must be one that the upstream knows. It is asked of the
 * authentication service once in a token's life, and not at all for a token that was issued through
 * this gateway, so that a refreshed one goes on at once. While that service does not answer, a
 * conversation with a person goes on.
 */
export async function tokenRefusal(
  core: Pick<Core, "discovery">,
  arrival: GatewayRequest,
): Promise<{ readonly status: OwnStatus; readonly message: string } | null> {
  const { headers } = arrival.exchange;
  const authorization = fieldOf(headers, "authorization");
  const apiKey = apiKeyOf(arrival);
  if (authorization === null || apiKey === null) {
    return { status: 401, message: "An API key and an access token are needed." };
  }
  const found = await core.discovery.find(arrival.upstream, {
    keyHeader: apiKey.name,
    apiKey: apiKey.value,
    authorization,
    origin: fieldOf(headers, "origin"),
  });
  if (found.kind !== "refusal") return null;
  const { status } = found.head;
  if (status < 400 || status >= 500 || withoutDiscovery.has(status)) return null;
  if (status === 429) return { status, message: "Too many logins at once. Try again in a minute." };
  const message = "The access token is not known, or it has expired.";
  return { status: status === 403 ? 403 : 401, message };
}

/**
 * What a service that has no `GET /v1/apis` answers to everybody. What else it refuses, it refuses
 * for what was shown.
 */
const withoutDiscovery: ReadonlySet<number> = new Set([404, 405]);
