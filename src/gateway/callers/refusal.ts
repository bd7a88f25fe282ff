import { account } from "../accounting.ts";
import type { GatewayRequest, Core } from "../core.ts";
import { type OwnStatus, sendError } from "../errors.ts";
import type { RawHeaders } from "../exchange.ts";

export interface Refusal {
  readonly status: OwnStatus;
  readonly message: string;
  /** What it says to browsers, and whatever else it needs. Nothing is added. */
  readonly fields: RawHeaders;
}

/** Answers what goes no further. A body that nobody has read yet ends the connection. */
export function answerRefusal(
  core: Core,
  arrival: GatewayRequest,
  route: string,
  { status, message, fields }: Refusal,
): void {
  const { exchange } = arrival;
  const closing = status === 413 ? ["Connection", "close"] : [];
  sendError(exchange, status, message, [...fields, ...closing]);
  account(core, arrival, route, status);
}
