import type { Client, Dispatcher } from "undici";
import type {
  Receiver,
  TransportError,
  UpstreamRequest,
  UpstreamStream,
} from "../../gateway/transport.ts";
import type { ClientPool } from "./client-pool.ts";
import type { Deadline, Expiring, StartDeadline, TimeoutName } from "./deadline.ts";
import { reasonPhrase } from "./status-line.ts";
import { toTransportError } from "./transport-error.ts";
import { latin1Headers } from "./upstream-headers.ts";

/** The connections to all origins that are reached the same way. */
export interface ExactAgent {
  readonly poolOf: (origin: string) => ClientPool;
  /** Whether reason phrases arrive byte for byte. */
  readonly exact: () => boolean;
  readonly destroy: () => Promise<void>;
}

/**
 * One exchange with an upstream, as undici reports on it. A class, because there is one for every request: all have one shape
 * and share their methods.
 */
export class UpstreamExchange implements Dispatcher.DispatchHandler, UpstreamStream, Expiring {
  readonly client: Client;
  readonly #pool: ClientPool;
  readonly #agent: ExactAgent;
  readonly #receiver: Receiver;
  readonly deadline: Deadline;
  #controller: Dispatcher.DispatchController | null = null;
  #started = false;
  #over = false;
  #paused = false;

  constructor(
    agent: ExactAgent,
    origin: string,
    receiver: Receiver,
    startDeadline: StartDeadline,
    { timeouts }: UpstreamRequest,
  ) {
    this.#agent = agent;
    this.#pool = agent.poolOf(origin);
    this.client = this.#pool.take();
    this.#receiver = receiver;
    this.deadline = startDeadline(timeouts, this);
  }

  cancel(): void {
    if (this.#over) return;
    this.#finish();
    this.#controller?.abort(aborted);
  }

  expired(name: TimeoutName): void {
    this.#fail({ kind: "timeout", detail: name, sent: this.#started }, true);
  }

  pause(): void {
    if (this.#paused || this.#over) return;
    this.#paused = true;
    this.deadline.pause();
    this.#controller?.pause();
  }

  resume(): void {
    if (!this.#paused || this.#over) return;
    this.#paused = false;
    this.deadline.resume();
    // Never inside another connection's parser, where undici's resume() fails an assertion.
    queueMicrotask(() => {
      if (!this.#paused && !this.#over) this.#controller?.resume();
    });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // Cancelled while it waited for a connection: nothing is written.
    if (this.#over) controller.abort(aborted);
    else this.#started = true;
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    _headers: unknown,
    text?: string,
  ): void {
    if (this.#over || status < 200) return;
    this.deadline.answered();
    const reason = reasonPhrase(text ?? "", status, this.#agent.exact());
    try {
      this.#receiver.head(status, reason, latin1Headers(controller.rawHeaders), this);
    } catch (error) {
      this.#fault(error);
    }
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#over) return;
    this.deadline.touch();
    try {
      this.#receiver.data(chunk);
    } catch (error) {
      this.#fault(error);
    }
  }

  onResponseEnd(controller: Dispatcher.DispatchController): void {
    this.#pool.give(this.client, false);
    if (this.#over) return;
    this.#finish();
    try {
      this.#receiver.end(latin1Headers(controller.rawTrailers));
    } catch {
      // As in #fault, but there is nothing left to end.
    }
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: unknown): void {
    this.#pool.give(this.client, true);
    this.#fail(toTransportError(error, this.#started), false);
  }

  #finish(): void {
    this.#over = true;
    this.deadline.stop();
  }

  /** A fault in the receiver ends this exchange and nothing else. */
  #fault(error: unknown): void {
    const name = error instanceof Error ? error.name : "unknown";
    this.#fail({ kind: "broken", detail: `receiver threw ${name}`, sent: this.#started }, true);
  }

  #fail(error: TransportError, abort: boolean): void {
    if (this.#over) return;
    this.#finish();
    if (abort) this.#controller?.abort(aborted);
    try {
      this.#receiver.fail(error);
    } catch {
      // The exchange has ended for us; whoever listens has been told.
    }
  }
}

/** One for all: a stack trace per cancelled exchange would cost more than the exchange. */
const aborted = new Error("the exchange was ended on our side");
