import cluster, { type Worker } from "node:cluster";
import type { Logger } from "../../../gateway/exchange/platform.ts";
import { announcement, makeAdminToken } from "../admin-token.ts";
import { createLogger, parseLogThreshold } from "../log.ts";
import { type FromWorker, isFromWorker, type PackedOutcome, type ToWorker } from "./messages.ts";
import { createMetricsRounds } from "./metrics-round.ts";
import { createRestarts } from "./restarts.ts";

export interface PrimaryOptions {
  /** How many processes answer. */
  readonly workers: number;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly out: (text: string) => void;
  readonly error: (text: string) => void;
}

export interface Primary {
  /** Has the files read again, for all workers. */
  reload(): void;
  /** Lets every worker finish what is under way. */
  stop(): void;
  /** The exit code, when the last worker is gone. */
  readonly ended: Promise<number>;
}

/** A worker's number in its environment, absent in other clusters' processes. */
export const workerVariable = "AFTERWORD_WORKER";

type Listening = Extract<FromWorker, { kind: "listening" }>;

interface Slot {
  readonly number: number;
  worker: Worker | null;
  startedAt: number;
  listening: boolean;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Starts this program again as so many workers, which share one port, and keeps them running.
 * Nothing is answered here: connections are handed out in turn (docs/decisions/0050-workers.md),
 * and the configuration in force is kept, as bytes, so that a worker that is started again has what
 * the others have, whatever stands in the files by then.
 */
export function startPrimary({ workers, env, out, error }: PrimaryOptions): Primary {
  const logger = createLogger({ threshold: parseLogThreshold(env["AFTERWORD_LOG"]) });
  const log: Logger = (level, event, fields) => logger.log(level, event, fields);
  const slots = Array.from({ length: workers }, (_, index): Slot => {
    const idle = { worker: null, startedAt: 0, listening: false, timer: undefined };
    return { number: index + 1, ...idle };
  });
  const restarts = createRestarts(workers);
  const metrics = createMetricsRounds(
    (number, ask) => tell(slots[number - 1], { kind: "metrics-asked", ask }),
    ownMetrics,
  );
  const adminToken = makeAdminToken();
  let snapshot: Uint8Array | null = null;
  let refused: PackedOutcome | null = null;
  let announced = "";
  let stopsWithin = 5000;
  let restarted = 0;
  let exitCode = 0;
  let stopping = false;
  const { promise: ended, resolve: end } = Promise.withResolvers<number>();

  cluster.schedulingPolicy = cluster.SCHED_RR;
  // Configurations are bytes: as JSON each of them would be a number.
  cluster.setupPrimary({ serialization: "advanced" });
  // The first reads the files, makes the keys and the database; the others find them made.
  slots.slice(0, 1).forEach(start);
  return { reload, stop: () => stop(0), ended };

  function start(slot: Slot): void {
    slot.startedAt = performance.now();
    const worker = cluster.fork({ [workerVariable]: String(slot.number) });
    slot.worker = worker;
    closeConnectionInFlight(worker);
    log("info", "worker-started", { slot: slot.number, pid: worker.process.pid ?? 0 });
    worker.on("message", (message) => {
      if (slot.worker === worker && isFromWorker(message)) heard(slot, message);
    });
    // A channel may break during a write; the exit that follows decides what to do.
    worker.on("error", () => undefined);
    worker.once("exit", (code, signal) => gone(slot, code, signal));
    tell(slot, { kind: "start", snapshot, workers, adminToken });
    if (refused !== null) tell(slot, { kind: "follow", outcome: refused });
  }

  function heard(slot: Slot, message: FromWorker): void {
    switch (message.kind) {
      case "listening":
        slot.listening = true;
        stopsWithin = message.stopsWithin;
        listening(slot, message);
        break;
      case "failed":
        if (announced === "" && !stopping) fail(message.message, message.exitCode);
        else log("error", "worker-failed", { worker: slot.number, detail: message.message });
        break;
      case "reloaded":
        reloaded(slot, message.outcome);
        break;
      case "metrics":
        metrics.told(slot.number, message.ask, message.text);
        break;
      case "metrics-wanted": {
        const { ask } = message;
        const able = slots.filter((other) => other.listening).map(({ number }) => number);
        metrics.start(able, (text) => tell(slot, { kind: "metrics-summed", ask, text }));
        break;
      }
    }
  }

  function listening(slot: Slot, { url, adminToken: opens }: Listening): void {
    tellStatus();
    if (stopping) return tell(slot, { kind: "stop" });
    if (slot.number === 1 && announced === "") slots.slice(1).forEach(start);
    const all = slots.every((each) => each.listening);
    // Another one than before: port 0, and for a moment nobody was left who held it.
    if (!all || url === announced) return;
    announced = url;
    out(announcement(url, opens));
  }

  function reloaded(from: Slot, outcome: PackedOutcome): void {
    refused = outcome.kind === "refused" ? outcome : null;
    if (outcome.kind === "taken") snapshot = outcome.snapshot;
    for (const slot of slots) if (slot !== from) tell(slot, { kind: "follow", outcome });
  }

  function gone(slot: Slot, code: number | null, signal: string | null): void {
    const lived = performance.now() - slot.startedAt;
    slot.worker = null;
    slot.listening = false;
    metrics.gone(slot.number);
    tellStatus();
    if (stopping) return finish();
    const how = signal === null ? `exit code ${code}` : signal;
    if (announced === "") return fail(`worker ${slot.number} ended before it listened (${how})`, 1);
    const alive = slots.filter(({ worker }) => worker !== null);
    const ages = alive.map(({ startedAt }) => performance.now() - startedAt);
    const next = restarts.ended(slot.number - 1, lived, ages);
    const facts = { slot: slot.number, how, lived: Math.round(lived) };
    if (next.kind === "give-up") {
      log("error", "worker-ended", facts);
      return fail(
        `all ${workers} workers end again and again soon after their start (the last: ${how}); what they said before is above`,
        1,
      );
    }
    log("error", "worker-ended", { ...facts, startsIn: next.delay });
    restarted += 1;
    slot.timer = setTimeout(start, next.delay, slot);
  }

  function fail(line: string, code: number): void {
    error(`${line}\n`);
    stop(code);
  }

  function reload(): void {
    tell(slots[0], { kind: "reload" });
  }

  function stop(code: number): void {
    if (stopping) return;
    stopping = true;
    exitCode = code;
    for (const slot of slots) {
      clearTimeout(slot.timer);
      tell(slot, { kind: "stop" });
      // From here on the worker is given no connection: one that it refused, because it had just
      // stopped listening, would come back when nobody listens any more, and hang here until the
      // last worker has ended.
      slot.worker?.disconnect();
    }
    setTimeout(kill, stopsWithin).unref();
    // Without a channel, workers miss that this process has ended at once (a second signal).
    process.once("exit", kill);
    finish();
  }

  function kill(): void {
    for (const { worker } of slots) worker?.process.kill("SIGKILL");
  }

  function finish(): void {
    if (slots.some(({ worker }) => worker !== null)) return;
    void logger.flush().then(() => end(exitCode));
  }

  function tellStatus(): void {
    const listening = slots.filter((slot) => slot.listening).length;
    for (const slot of slots) tell(slot, { kind: "group", listening, of: workers });
  }

  function ownMetrics(): string {
    return [
      "# HELP afterword_workers Processes that listen.",
      "# TYPE afterword_workers gauge",
      `afterword_workers ${slots.filter((slot) => slot.listening).length}`,
      "# HELP afterword_worker_restarts_total Processes that ended and were started again.",
      "# TYPE afterword_worker_restarts_total counter",
      `afterword_worker_restarts_total ${restarted}`,
    ].join("\n");
  }
}

/**
 * Closes the connection that a worker was given and had not answered for when it ended: Node
 * forgets it, and its client would wait for ever. There is one at most, since the next is given
 * after the answer. One that the worker declined is Node's again, which gives it to another.
 */
export function closeConnectionInFlight(worker: Worker): void {
  const { process } = worker;
  const send = process.send.bind(process);
  let given: { close(): void } | null = null;
  process.send = (...args: unknown[]) => {
    if (isClosable(args[1])) given = args[1];
    return Reflect.apply(send, process, args);
  };
  // Before Node's own listener, which gives the next one.
  process.prependListener("internalMessage", (message: unknown) => {
    if (typeof message === "object" && message !== null && "accepted" in message) given = null;
  });
  // What the worker answered last is read first.
  worker.once("exit", () => setImmediate(() => setImmediate(() => given?.close())));
}

function isClosable(handle: unknown): handle is { close(): void } {
  return typeof handle === "object" && handle !== null && "close" in handle;
}

function tell(slot: Slot | undefined, message: ToWorker): void {
  // Who cannot be told any more is about to be gone.
  if (slot?.worker?.isConnected() === true) slot.worker.send(message, () => undefined);
}
