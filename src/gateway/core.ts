import type { InstanceConfig } from "../config/config.ts";
import type { OrderOutcome } from "../escalation/operator.ts";
import type { Person } from "../escalation/stores/record.ts";
import type { Insights } from "../insights/facts.ts";
import type { AdminRule } from "./exchange/admin.ts";
import type { Platform } from "./exchange/platform.ts";
import type { RefusedCredentials } from "./exchange/refused-credentials.ts";
import type { GatewayRequest, Snapshot } from "./exchange/request.ts";
import type { Recall } from "./message/recall.ts";
import type { Transform, UpstreamCore } from "./upstream/route.ts";

/** The parts that all handlers share. */
export interface Core extends UpstreamCore {
  readonly recall: Recall;
  readonly admin: AdminRule;
  readonly refusedCredentials: RefusedCredentials;
  /** Writes /_afterword/metrics: of this process, or of all that share its port. */
  readonly metricsText: () => string | Promise<string>;
  readonly disabled: boolean;
  /** Null if nobody may use Afterword's credentials here. */
  readonly callers: Callers | null;
  /** Null if this gateway hands nobody over, whatever the configuration says. */
  readonly escalations: Escalations | null;
  /** Null if insights are off. */
  readonly insights: Insights | null;
  /** Null if this gateway has no console. */
  readonly console: Console | null;
  readonly snapshot: () => Snapshot;
}

/** The owner's page and its API; a port, so that it is loaded when it is opened. */
export interface Console {
  /** Answers its own paths below /_afterword/, and returns false for others. */
  answer(request: GatewayRequest, name: string): Promise<boolean>;
  /** Writes an event without a token to the audit log. Absent if this console has none. */
  note?(action: string, details: string): Promise<void>;
  /** GET /docs and below it: the reference of the interfaces, the same for everybody. */
  docs(request: GatewayRequest): Promise<void>;
  /**
   * GET / for browsers: the running parts, and links to the other pages. Null if there is no such
   * page.
   */
  readonly start: ((request: GatewayRequest) => Promise<void>) | null;
}

/** A message for the engine, and the handling of the answer. */
export interface EngineMessage {
  readonly request: GatewayRequest;
  readonly transform: Transform | null;
}

/** Hands over to tickets and people; a port, so that other gateways do not load it. */
export interface Escalations {
  /** True for instances that hand over, or have a conversation still held by a person. */
  takes(instance: InstanceConfig, snapshot: Snapshot): boolean;
  /**
   * Answers POST /conversation/message and returns null, or returns the request for the engine.
   *
   * @param transform rewrites the engine's answer, or is null; the result is examined after that
   */
  answerMessage(
    request: GatewayRequest,
    instance: InstanceConfig,
    transform: Transform | null,
  ): Promise<EngineMessage | null>;
  /** Reads the data of a conversation's person. Rejects when the store fails. */
  readPerson(instance: InstanceConfig, session: string): Promise<Person>;
  /** Counts a rating that the engine accepted. Never rejects. */
  takeRating(request: GatewayRequest, instance: InstanceConfig, body: Uint8Array): Promise<void>;
  /** Answers its own paths below /_afterword/, and returns false for others. */
  answer(request: GatewayRequest, name: string): Promise<boolean>;
  /** Lists the open escalations for /_afterword/escalations. */
  listOpen(limit: number): Promise<unknown>;
  /** Carries out an operator's decision about a call: `{conversation, kind, epoch, settle}`. */
  settle(order: unknown): Promise<OrderOutcome>;
  /**
   * Does the work that is due, and returns the number of conversations with such work. For runtimes
   * that schedule it.
   */
  runRound(): Promise<number>;
  start(): void;
  /** Ends the readers' event streams; resolves when no work is running any more. */
  stop(): Promise<void>;
}

/** Adds Afterword's credentials to requests; a port, so gateways without callers omit it. */
export interface Callers {
  /**
   * Answers a caller's request and returns true, or returns false for any other, which passes
   * unchanged.
   */
  take(core: Core, request: GatewayRequest): Promise<boolean>;
}

export type CreateCallers = (platform: Platform) => Callers;
