import cluster, { type Worker } from "node:cluster";
import { formatAnnouncement, makeAdminToken } from "../credentials/admin-token.ts";
import { createLogger, type NodeLogger, parseLogThreshold } from "../log.ts";
import { type FromWorker, isFromWorker, type PackedOutcome, type ToWorker } from "./messages.ts";
import { createMetricsRounds, type MetricsRounds } from "./metrics-round.ts";
import { createRestarts, type Restarts } from "./restarts.ts";

export interface PrimaryOptions {
  /** How many processes answer. */
  readonly workers: number;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly out: (text: string) => void;
  readonly error: (text: string) => void;
}

/** A worker's number in its environment, absent in other clusters' processes. */
const workerVariable = "AFTERWORD_WORKER";

interface Slot {
  readonly number: number;
  worker: Worker | null;
  startedAt: number;
  listening: boolean;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Starts this program again as this many workers, which share one port, and keeps them running. It
 * answers nothing itself. It distributes connections in turn (docs/decisions/0050-workers.md), and
 * keeps the configuration in force as bytes, so that a restarted worker has the same one as the
 * others, even if the files have changed.
 */
export class Primary {
  /** The exit code, once the last worker has ended. */
  readonly ended: Promise<number>;
  readonly #options: PrimaryOptions;
  readonly #logger: NodeLogger;
  readonly #slots: readonly Slot[];
  readonly #restarts: Restarts;
  readonly #metrics: MetricsRounds;
  readonly #adminToken = makeAdminToken();
  readonly #end: (exitCode: number) => void;
  /** The configuration in force; null before the first worker has read it. */
  #snapshot: Uint8Array | null = null;
  #refused: PackedOutcome | null = null;
  #announced = "";
  #stopsWithin = 5000;
  #restarted = 0;
  #exitCode = 0;
  #stopping = false;

  constructor(options: PrimaryOptions) {
    const { workers, env } = options;
    this.#options = options;
    this.#logger = createLogger({ threshold: parseLogThreshold(env["AFTERWORD_LOG"]) });
    this.#slots = Array.from({ length: workers }, (_, index): Slot => {
      const idle = { worker: null, startedAt: 0, listening: false, timer: undefined };
      return { number: index + 1, ...idle };
    });
    this.#restarts = createRestarts(workers);
    this.#metrics = createMetricsRounds(
      (number, ask) => tell(this.#slots[number - 1], { kind: "metrics-asked", ask }),
      () => metricsOf(this.#slots, this.#restarted),
    );
    ({ promise: this.ended, resolve: this.#end } = Promise.withResolvers<number>());
    cluster.schedulingPolicy = cluster.SCHED_RR;
    // Configurations are bytes, which JSON would write as a number each.
    cluster.setupPrimary({ serialization: "advanced" });
    // The first reads the files, and creates the keys and the database for the others.
    this.#start(this.#slots.slice(0, 1));
  }

  /** Has the files read again, for all workers. */
  reload(): void {
    tell(this.#slots[0], { kind: "reload" });
  }

  /** Lets every worker finish its work. */
  stop(exitCode = 0): void {
    if (this.#stopping) return;
    this.#stopping = true;
    this.#exitCode = exitCode;
    for (const slot of this.#slots) {
      clearTimeout(slot.timer);
      tell(slot, { kind: "stop" });
      // From here on, the worker gets no connections. One that it refused, because it had just
      // stopped listening, would be returned when nobody listens any more, and would hang until the
      // last worker has ended.
      slot.worker?.disconnect();
    }
    const kill = (): void => {
      for (const { worker } of this.#slots) worker?.process.kill("SIGKILL");
    };
    setTimeout(kill, this.#stopsWithin).unref();
    // Without a channel, workers miss that this process has ended at once (a second signal).
    process.once("exit", kill);
    this.#finish();
  }

  #start(slots: readonly Slot[]): void {
    for (const slot of slots) {
      slot.startedAt = performance.now();
      const worker = cluster.fork({ [workerVariable]: String(slot.number) });
      slot.worker = worker;
      closeConnectionInFlight(worker);
      const { pid = 0 } = worker.process;
      this.#logger.log("info", "worker-started", { slot: slot.number, pid });
      worker.on("message", (message) => {
        if (slot.worker === worker && isFromWorker(message)) this.#receive(slot, message);
      });
      // A channel may break during a write; the exit that follows decides what to do.
      worker.on("error", () => undefined);
      worker.once("exit", (code, signal) => this.#replace(slot, code, signal));
      const { workers } = this.#options;
      const [snapshot, adminToken] = [this.#snapshot, this.#adminToken];
      tell(slot, { kind: "start", snapshot, workers, adminToken });
      if (this.#refused !== null) tell(slot, { kind: "follow", outcome: this.#refused });
    }
  }

  #receive(slot: Slot, message: FromWorker): void {
    const { number } = slot;
    switch (message.kind) {
      case "listening":
        slot.listening = true;
        this.#stopsWithin = message.stopsWithin;
        this.#announce(slot, message);
        break;
      case "failed":
        if (this.#announced === "" && !this.#stopping) {
          this.#fail(message.message, message.exitCode);
        } else {
          const detail = message.message;
          this.#logger.log("error", "worker-failed", { worker: number, detail });
        }
        break;
      case "reloaded":
        this.#spread(slot, message.outcome);
        break;
      case "metrics":
        this.#metrics.report(number, message.ask, message.text);
        break;
      case "metrics-wanted": {
        const { ask } = message;
        const able = this.#slots.filter((other) => other.listening).map((other) => other.number);
        this.#metrics.start(able, (text) => tell(slot, { kind: "metrics-summed", ask, text }));
        break;
      }
    }
  }

  #announce(slot: Slot, { url, adminToken }: Extract<FromWorker, { kind: "listening" }>): void {
    this.#tellStatus();
    if (this.#stopping) return tell(slot, { kind: "stop" });
    if (slot.number === 1 && this.#announced === "") this.#start(this.#slots.slice(1));
    const all = this.#slots.every((each) => each.listening);
    // The port is another one than before: with port 0, for a moment no worker was left that held
    // it.
    if (!all || url === this.#announced) return;
    this.#announced = url;
    this.#options.out(formatAnnouncement(url, adminToken));
  }

  #spread(from: Slot, outcome: PackedOutcome): void {
    this.#refused = outcome.kind === "refused" ? outcome : null;
    if (outcome.kind === "taken") this.#snapshot = outcome.snapshot;
    for (const slot of this.#slots) if (slot !== from) tell(slot, { kind: "follow", outcome });
  }

  /** Restarts a worker that has ended, later or not at all. */
  #replace(slot: Slot, code: number | null, signal: string | null): void {
    const lived = performance.now() - slot.startedAt;
    slot.worker = null;
    slot.listening = false;
    this.#metrics.remove(slot.number);
    this.#tellStatus();
    if (this.#stopping) return this.#finish();
    const how = signal === null ? `exit code ${code}` : signal;
    if (this.#announced === "") {
      return this.#fail(`worker ${slot.number} ended before it listened (${how})`, 1);
    }
    const alive = this.#slots.filter(({ worker }) => worker !== null);
    const ages = alive.map(({ startedAt }) => performance.now() - startedAt);
    const next = this.#restarts.choose(slot.number - 1, lived, ages);
    const facts = { slot: slot.number, how, lived: Math.round(lived) };
    if (next.kind === "give-up") {
      this.#logger.log("error", "worker-ended", facts);
      const { workers } = this.#options;
      return this.#fail(
        `all ${workers} workers end again and again soon after their start (the last: ${how}); what they said before is above`,
        1,
      );
    }
    this.#logger.log("error", "worker-ended", { ...facts, startsIn: next.delay });
    this.#restarted += 1;
    slot.timer = setTimeout(() => this.#start([slot]), next.delay);
  }

  #fail(line: string, exitCode: number): void {
    this.#options.error(`${line}\n`);
    this.stop(exitCode);
  }

  #finish(): void {
    if (this.#slots.some(({ worker }) => worker !== null)) return;
    void this.#logger.flush().then(() => this.#end(this.#exitCode));
  }

  #tellStatus(): void {
    const listening = this.#slots.filter((slot) => slot.listening).length;
    const of = this.#options.workers;
    for (const slot of this.#slots) tell(slot, { kind: "group", listening, of });
  }
}

function metricsOf(slots: readonly Slot[], restarted: number): string {
  return [
    "# HELP afterword_workers Processes that listen.",
    "# TYPE afterword_workers gauge",
    `afterword_workers ${slots.filter((slot) => slot.listening).length}`,
    "# HELP afterword_worker_restarts_total Processes that ended and were started again.",
    "# TYPE afterword_worker_restarts_total counter",
    `afterword_worker_restarts_total ${restarted}`,
  ].join("\n");
}

/**
 * Closes the connection that an ended worker had received and not answered: Node forgets it, and
 * its client would wait for ever. There is one at most, since the next is sent after the answer.
 * Node takes back a declined one, and sends it to another worker.
 */
export function closeConnectionInFlight(worker: Worker): void {
  const { process } = worker;
  const send = process.send.bind(process);
  let given: { close(): void } | null = null;
  process.send = (...args: unknown[]) => {
    if (isClosable(args[1])) given = args[1];
    return Reflect.apply(send, process, args);
  };
  // Before Node's own listener, which sends the next connection.
  process.prependListener("internalMessage", (message: unknown) => {
    if (typeof message === "object" && message !== null && "accepted" in message) given = null;
  });
  // The worker's last message is read first.
  worker.once("exit", () => setImmediate(() => setImmediate(() => given?.close())));
}

function isClosable(handle: unknown): handle is { close(): void } {
  return typeof handle === "object" && handle !== null && "close" in handle;
}

function tell(slot: Slot | undefined, message: ToWorker): void {
  // A worker that cannot be reached any more is about to end.
  if (slot?.worker?.isConnected() === true) slot.worker.send(message, () => undefined);
}
