import type { FailureKind, RawHeaders } from "../http/types.ts";
import type { AnswerHead } from "./exchange/transport.ts";
import type { Recognition } from "../locales/recognition.ts";
import type { Locale } from "../locales/types.ts";
import type { Config, InstanceConfig, UpstreamConfig } from "../config/config.ts";
import type { OrderOutcome } from "../escalation/operator.ts";
import type { AdminRule } from "./exchange/admin.ts";
import type { Admission } from "./exchange/admission.ts";
import type { Base } from "./upstream/base.ts";
import type { Discovery } from "./upstream/discovery.ts";
import type { Gate, Trace } from "../direct-answers/types.ts";
import type { Exchange, RequestHead } from "./exchange/exchange.ts";
import type { Metrics } from "./exchange/metrics.ts";
import type { RefusedCredentials } from "./exchange/refused-credentials.ts";
import type { Platform } from "./exchange/platform.ts";
import type { TrustsPeer } from "./upstream/public-address.ts";
import type { Recall } from "./message/recall.ts";
import type { Rewriter } from "./rewriter/rewriter.ts";
import type { SignedRoutes } from "./upstream/signed-routes.ts";
import type { Target } from "./exchange/target.ts";

/** One configuration made ready for requests. Swapped whole. */
export interface Snapshot {
  readonly config: Config;
  readonly rewriter: Rewriter;
  /** What an instance's readers of a locale type, with what its owner adds. Never rejects. */
  readonly recognitionOf: (instance: InstanceConfig, locale: Locale) => Promise<Recognition>;
  /** Paths under which the routes may stand: that of publicUrl, and the instances' own. */
  readonly prefixes: readonly string[];
  readonly findInstance: (head: RequestHead) => InstanceConfig | null;
}

/** What all handlers share. */
export interface Core {
  readonly platform: Platform;
  readonly metrics: Metrics;
  /** False: nobody reads a line for every request. */
  readonly logsRequests: boolean;
  /** What /_afterword/metrics says: of this process, or of all that share its port. */
  readonly metricsText: () => string | Promise<string>;
  readonly admission: Admission;
  readonly discovery: Discovery;
  readonly routes: SignedRoutes;
  readonly recall: Recall;
  readonly trustsPeer: TrustsPeer;
  /** The pseudonym in our Via, `afterword-<id>`. */
  readonly pseudonym: string;
  /** What our Via says: `1.1 afterword-<id>`. */
  readonly via: string;
  readonly disabled: boolean;
  readonly admin: AdminRule;
  readonly refusedCredentials: RefusedCredentials;
  readonly upstreamState: UpstreamState;
  readonly recent: Recent;
  /** Null: nobody may use credentials of ours here. */
  readonly callers: Callers | null;
  /** Null: nobody is handed over, whatever the configuration says. */
  readonly escalations: Escalations | null;
  /** Null: this gateway has no console. */
  readonly console: Console | null;
  readonly snapshot: () => Snapshot;
}

/** How the last exchange with an upstream ended, as /_afterword/ready shows it. */
export interface UpstreamState {
  noteAnswer(): void;
  noteFailure(kind: FailureKind): void;
  /** `unused` before the first exchange. Times are ISO 8601. */
  read(): {
    readonly state: "unused" | "answering" | "failing";
    readonly since: string | null;
    readonly failure: string | null;
  };
}

/** The latest 200 exchanges of this process: what went wrong, and 200 others a second at most. */
export interface Recent {
  note(
    request: Pick<GatewayRequest, "instance" | "started"> & {
      readonly exchange: Pick<Exchange, "method">;
    },
    route: string,
    status: number,
    upstreamTime: number | null,
    decided: Gate | Trace | null,
  ): void;
  /** The latest first. */
  read(): readonly RecentExchange[];
}

/** One exchange that is over. It holds no target, no field and no body: only what was decided. */
export interface RecentExchange {
  /** Of metrics and logs. */
  readonly route: string;
  readonly method: string;
  readonly status: number;
  readonly instance: string | null;
  /** Monotonic milliseconds. */
  readonly started: number;
  readonly ended: number;
  /** Milliseconds of a collected answer, else null. */
  readonly upstreamTime: number | null;
  readonly decided: Gate | Trace | null;
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

/** Hands over to tickets and people; a port, so that other gateways do not load it. */
export interface Escalations {
  /** True for instances that hand over, or have a conversation still held by a person. */
  takes(instance: InstanceConfig, snapshot: Snapshot): boolean;
  /** Answers POST /conversation/message, or calls `forward` and examines the engine's answer. */
  message(request: GatewayRequest, instance: InstanceConfig, forward: Forward): Promise<void>;
  /** A reader rated something, and the engine took it. Never rejects. */
  rated(request: GatewayRequest, instance: InstanceConfig, body: Uint8Array): Promise<void>;
  /** Answers what is its own below /_afterword/; false: it is not. */
  own(request: GatewayRequest, name: string): Promise<boolean>;
  /** What /_afterword/escalations says. */
  open(limit: number): Promise<unknown>;
  /** Does what an operator has decided about a call: `{conversation, kind, epoch, settle}`. */
  settle(order: unknown): Promise<OrderOutcome>;
  /** Does what is due; returns how many conversations. For runtimes that schedule it. */
  round(): Promise<number>;
  start(): void;
  /** Ends what readers listen to; resolves when nothing is under way any more. */
  stop(): Promise<void>;
}

/** What becomes of an answer's body on its way to the client. */
export interface Transform {
  /** A gate's name: relayed as it comes. Null: collected, up to `limit` bytes. */
  gate(head: AnswerHead): Gate | null;
  readonly limit: number;
  /** Rewrites a whole, maybe coded body; null or an exception sends the original. */
  edit(head: AnswerHead, body: Uint8Array): Promise<Uint8Array | null>;
  /** What became of the answer, once it is over: a closed gate, or decisions without texts. */
  decided?(): Gate | Trace | null;
  /** Fields added to the client's head: only the trace that the client asked for. */
  extraHeaders?(): RawHeaders;
}

/** Forwards a message; `extend` adds to what is done with the answer. */
export type Forward = (
  request: GatewayRequest,
  extend: ((inner: Transform | null) => Transform) | null,
) => Promise<void>;

/** One request on its way through, classified and matched. */
export interface GatewayRequest {
  readonly exchange: Exchange;
  readonly target: Target;
  readonly snapshot: Snapshot;
  /** Null: no instance matches, and the request passes untouched. */
  readonly instance: InstanceConfig | null;
  readonly upstream: UpstreamConfig;
  /** Monotonic milliseconds. */
  readonly started: number;
}

/** Where a request goes, and under which address of ours the client knows it. */
export interface Destination {
  readonly base: Base;
  /** The operator named the host: private addresses are allowed. */
  readonly trusted: boolean;
  /** Forwarded byte for byte behind the base. */
  readonly rest: string;
  /** Our public address of that base, without trailing slash. */
  readonly route: () => string;
}

/** Adds Afterword's credentials to requests; a port, so gateways without callers omit it. */
export interface Callers {
  /** Answers a caller's request and returns true; false: not one, it goes on unchanged. */
  take(core: Core, request: GatewayRequest): Promise<boolean>;
}

export type CreateCallers = (platform: Platform) => Callers;
