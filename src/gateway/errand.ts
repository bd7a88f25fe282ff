import type { Timeouts } from "../config/config.ts";
import type { Gate } from "../direct-answers/types.ts";
import {
  account,
  answerFault,
  ids,
  refuseLostBody,
  refuseOverload,
  reportFault,
} from "./accounting.ts";
import type { Place } from "./admission.ts";
import { joinPath, permissionCure } from "./base.ts";
import { clientGone } from "./body-peek.ts";
import { clientAddress, limitedClient } from "./client-address.ts";
import type { GatewayRequest, Core, Destination } from "./core.ts";
import type { BodyReader, Exchange, RawHeaders, RequestBody } from "./exchange.ts";
import { type Forwarding, type Transform, type Outcome, forward } from "./forward.ts";
import { fieldOf } from "./headers.ts";
import { upstreamHeaders } from "./hop-by-hop.ts";
import { routedLocations } from "./location.ts";
import { hostOf } from "./public-address.ts";
import { readableCodings } from "./readable-codings.ts";
import type { Transport, TransportError, UpstreamRequest } from "./transport.ts";
import { chained, createUpload, type Upload } from "./upload.ts";

/** How one route forwards. */
export interface Route {
  /** Name of the route in metrics and logs. */
  readonly route: string;
  /** May take the places that are reserved for authentication. */
  readonly reserved: boolean;
  /** Ends the exchange after `timeouts.total`; else only silence (`idle`) does. */
  readonly bounded: boolean;
  /** What of the answer is looked at; gets the first bytes of the request. */
  readonly interest: ((request: Uint8Array) => Transform) | null;
  /** Carries this request in the place of the platform's. */
  readonly transport?: Transport;
}

/** How much of a request body is kept for reading on routes that look into it, in bytes. */
export const readAhead: number = 64 * 1024;

/**
 * One request until its exchange is over: its body is read, or its beginning, then it waits for a
 * place, then it is sent. In this order a body that does not come takes no place. A class, because
 * there is one for every request: all have one shape, share their methods, and make no promise
 * where nothing is waited for.
 */
export class Errand implements Forwarding, BodyReader {
  readonly exchange: Exchange;
  ticket: Place = noPlace;
  interest: Transform | null = null;
  request: UpstreamRequest = nothingYet;
  readonly #core: Core;
  readonly #arrival: GatewayRequest;
  readonly #to: Destination;
  readonly #manner: Route;
  #upload: Upload | null = null;
  #sent = 0;
  #left = false;
  /** The client went away while it waited for a place. */
  #gone = false;

  constructor(core: Core, arrival: GatewayRequest, to: Destination, manner: Route) {
    this.exchange = arrival.exchange;
    this.#core = core;
    this.#arrival = arrival;
    this.#to = to;
    this.#manner = manner;
  }

  get route(): string {
    return this.#manner.route;
  }

  start(): void {
    const { body } = this.exchange;
    try {
      if (body === null) this.peeked(noBytes, null);
      else this.#peek(body);
    } catch (error) {
      this.#fault(error);
    }
  }

  peeked(bytes: Uint8Array, rest: AsyncIterable<Uint8Array> | null): void {
    try {
      const { admission, trustsPeer } = this.#core;
      const client = limitedClient(this.exchange, trustsPeer);
      const entering = admission.enter(this.#manner.reserved, client);
      if (!(entering instanceof Promise)) return this.#entered(entering, bytes, rest);
      this.exchange.reply.onGone(() => (this.#gone = true));
      entering.then(
        (ticket) => this.#entered(ticket, bytes, rest),
        (error: unknown) => this.#fault(error),
      );
    } catch (error) {
      this.#fault(error);
    }
  }

  /** As {@link start}, with a place that was taken before. */
  admitted(ticket: Place): void {
    this.#entered(ticket, noBytes, null);
  }

  lost(error: unknown): void {
    this.#account(refuseLostBody(this.#core, this.exchange, this.route, error));
  }

  fields(headers: string[]): RawHeaders {
    return routedLocations(headers, this.#to.base, this.#to.route);
  }

  uploadTooLarge(): boolean {
    return this.#upload?.exceeded === true;
  }

  gated(gate: Gate): void {
    this.#core.tallies.gate(this.#manner.route, gate);
  }

  failed(error: unknown): void {
    reportFault(this.#core, this.#manner.route, error);
  }

  clock(): number {
    return this.#core.platform.clock();
  }

  allocate(length: number): Uint8Array {
    return this.#core.platform.allocate?.(length) ?? new Uint8Array(length);
  }

  over({ status, upstreamTime, failure }: Outcome): void {
    const { metrics, upstreamState } = this.#core;
    if (upstreamTime !== null) {
      metrics.overhead(this.clock() - this.#arrival.started - upstreamTime);
    }
    if (failure === null) upstreamState.noteAnswer();
    else {
      upstreamState.noteFailure(failure.kind);
      metrics.count("afterword_upstream_failures_total", { kind: failure.kind });
      if (failure.kind !== "cancelled") this.#logFailure(failure);
    }
    this.#account(status);
  }

  #peek(body: RequestBody): void {
    // In chunks, where nobody looks at it, it goes on as it comes: then its first byte is enough.
    const limit = body.length === null && this.#manner.interest === null ? 1 : readAhead;
    if (body.peekInto !== undefined) body.peekInto(limit, this);
    else {
      body.peek(limit).then(
        ({ bytes, rest }) => this.peeked(bytes, rest),
        (error: unknown) => this.lost(error),
      );
    }
  }

  #entered(ticket: Place | null, bytes: Uint8Array, rest: AsyncIterable<Uint8Array> | null): void {
    try {
      if (ticket === null) return this.#turnAway();
      this.ticket = ticket;
      if (this.#gone) return this.lost(clientGone());
      const { interest } = this.#manner;
      if (interest !== null) this.interest = this.#interestIn(interest, bytes);
      if (rest !== null) this.#send(this.#limited(chained(bytes, rest)));
      else this.#send(this.exchange.body === null && interest === null ? null : bytes);
    } catch (error) {
      this.#fault(error);
    }
  }

  #turnAway(): void {
    refuseOverload(this.#core, this.exchange, this.route);
    this.#account(503);
  }

  /** What we cannot look at goes its way as it is. */
  #interestIn(interestOf: (request: Uint8Array) => Transform, bytes: Uint8Array): Transform | null {
    try {
      return interestOf(bytes);
    } catch (error) {
      this.failed(error);
      this.gated("error");
      return null;
    }
  }

  #send(body: UpstreamRequest["body"]): void {
    const core = this.#core;
    const { base, rest, trusted } = this.#to;
    const embedded = base.origin.startsWith("embedded:");
    // The embedded backend judges by the host that the client asked for (DNS rebinding).
    const host = (embedded && hostOf(this.exchange)) || base.host;
    const headers = upstreamHeaders(this.exchange.headers, host, core.via);
    this.#sent = this.clock();
    this.request = {
      origin: base.origin,
      method: this.exchange.method,
      path: joinPath(base, rest),
      headers: this.interest === null ? headers : readableCodings(headers),
      body,
      timeouts: timeoutsOf(this.#arrival, this.#manner),
      trusted,
      client: embedded ? clientAddress(this.exchange, core.trustsPeer) : null,
    };
    forward(this.#manner.transport ?? core.platform.transport, this);
  }

  #limited(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
    const upload = createUpload(this.#arrival.snapshot.config.limits.requestBytes);
    this.#upload = upload;
    return upload.limited(chunks);
  }

  #logFailure({ kind, detail }: TransportError): void {
    this.#core.platform.log("warn", "upstream-failed", {
      route: this.#manner.route,
      kind,
      detail,
      after: Math.round(this.clock() - this.#sent),
      ...(kind === "refused" && { cure: permissionCure(this.#to.base) }),
      ...ids(this.#arrival),
    });
  }

  #account(status: number): void {
    try {
      account(this.#core, this.#arrival, this.#manner.route, status);
    } finally {
      this.#leave();
    }
  }

  #fault(error: unknown): void {
    this.#leave();
    answerFault(this.#core, this.exchange, this.#manner.route, error);
  }

  #leave(): void {
    if (this.#left) return;
    this.#left = true;
    this.ticket.leave();
  }
}

function timeoutsOf(arrival: GatewayRequest, manner: Route): Timeouts {
  const { timeouts } = arrival.upstream;
  if (manner.bounded) return timeouts;
  const accept = fieldOf(arrival.exchange.headers, "accept");
  const events = accept !== null && /\btext\/event-stream\b/i.test(accept);
  // Between two events there may be silence of any length; TCP keep-alive notices a dead peer.
  return events ? { ...timeouts, headers: 0, total: 0, idle: 0 } : { ...timeouts, total: 0 };
}

const noBytes = new Uint8Array(0);

const noPlace: Place = { becomeStream: () => false, leave() {} };

const nothingYet: UpstreamRequest = {
  origin: "",
  method: "",
  path: "",
  headers: [],
  body: null,
  timeouts: { connect: 0, headers: 0, total: 0, idle: 0 },
  trusted: false,
  client: null,
};
