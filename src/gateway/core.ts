import type { InstanceConfig } from "../config/config.ts";
import type { OrderOutcome } from "../escalation/operator.ts";
import type { Person } from "../escalation/stores/record.ts";
import type { Insights } from "../insights/facts.ts";
import type { Platform } from "./exchange/platform.ts";
import type { GatewayRequest, Snapshot } from "./exchange/request.ts";
import type { MessageCore } from "./message/message.ts";
import type { Transform, UpstreamCore } from "./upstream/route.ts";

/** The parts that all handlers share. */
export interface Core extends UpstreamCore, MessageCore {
  /** Writes /_afterword/metrics: of this process, or of all that share its port. */
  readonly metricsText: () => string | Promise<string>;
  readonly disabled: boolean;
  /** Null: nobody may use credentials of ours here. */
  readonly callers: Callers | null;
  /** Null: nobody is handed over, whatever the configuration says. */
  readonly escalations: Escalations | null;
  /** Null: nothing is counted of what readers ran into. */
  readonly insights: Insights | null;
  /** Null: this gateway has no console. */
  readonly console: Console | null;
  readonly snapshot: () => Snapshot;
}

/** The owner's page and its API; a port, so that it is loaded when it is opened. */
export interface Console {
  /** Answers what is its own below /_afterword/; false: it is not. */
  answer(request: GatewayRequest, name: string): Promise<boolean>;
  /** Notes what nobody with a token did in the audit log. Absent: this console has none. */
  note?(action: string, details: string): Promise<void>;
  /** GET /docs and below it: the interfaces' reference, the same for everybody. */
  docs(request: GatewayRequest): Promise<void>;
  /** GET / for browsers: what runs, and what else can be opened. Null: there is no such page. */
  readonly start: ((request: GatewayRequest) => Promise<void>) | null;
}

/** A message on its way to the engine, and what is done with the answer. */
export interface EngineMessage {
  readonly request: GatewayRequest;
  readonly transform: Transform | null;
}

/** Hands over to tickets and people; a port, so that other gateways do not load it. */
export interface Escalations {
  /** True for instances that hand over, or have a conversation still held by a person. */
  takes(instance: InstanceConfig, snapshot: Snapshot): boolean;
  /**
   * Answers POST /conversation/message and returns null, or says what goes to the engine.
   *
   * @param transform what rewrites the engine's answer, or null; it is examined after that
   */
  message(
    request: GatewayRequest,
    instance: InstanceConfig,
    transform: Transform | null,
  ): Promise<EngineMessage | null>;
  /** Reads who a conversation's person is. Rejects when the store fails. */
  person(instance: InstanceConfig, session: string): Promise<Person>;
  /** A reader rated something, and the engine took it. Never rejects. */
  rated(request: GatewayRequest, instance: InstanceConfig, body: Uint8Array): Promise<void>;
  /** Answers what is its own below /_afterword/; false: it is not. */
  own(request: GatewayRequest, name: string): Promise<boolean>;
  /** Lists the escalations for /_afterword/escalations. */
  open(limit: number): Promise<unknown>;
  /** Does what an operator has decided about a call: `{conversation, kind, epoch, settle}`. */
  settle(order: unknown): Promise<OrderOutcome>;
  /** Does what is due; returns how many conversations. For runtimes that schedule it. */
  round(): Promise<number>;
  start(): void;
  /** Ends what readers listen to; resolves when nothing is under way any more. */
  stop(): Promise<void>;
}

/** Adds Afterword's credentials to requests; a port, so gateways without callers omit it. */
export interface Callers {
  /** Answers a caller's request and returns true; false: not one, it goes on unchanged. */
  take(core: Core, request: GatewayRequest): Promise<boolean>;
}

export type CreateCallers = (platform: Platform) => Callers;
