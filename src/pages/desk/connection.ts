import type { ChatEvent } from "../../api/chat/answers.ts";
import { CallError } from "./api.ts";
import { chatEventOf, readEvents } from "./events.ts";

export interface ConnectionOptions {
  /** Opens the stream, behind the event with this id; empty for what happens from now on. */
  readonly open: (lastEventId: string, signal: AbortSignal) => Promise<Response>;
  /** The stream is open. Earlier changes come as events, or must be asked for. */
  readonly opened: () => void;
  readonly lost: () => void;
  readonly event: (event: ChatEvent) => void;
  /** The service does not know the token any more. */
  readonly refused: () => void;
}

export interface Connection {
  /** Tries at once instead of later. */
  readonly hurry: () => void;
  readonly end: () => void;
}

/** The service gives a sign of life every 15 seconds; after this long it is not there any more. */
const silence = 40_000;
const longestWait = 15_000;

/** Keeps an event stream open: reopens it behind the last event, after growing pauses. */
export function connect(options: ConnectionOptions): Connection {
  const ended = new AbortController();
  let wake: (() => void) | null = null;
  let last = "";
  let failures = 0;

  const once = async (): Promise<void> => {
    const attempt = new AbortController();
    const signal = AbortSignal.any([ended.signal, attempt.signal]);
    let watchdog: ReturnType<typeof setTimeout> | undefined;
    const alive = (): void => {
      clearTimeout(watchdog);
      watchdog = setTimeout(() => attempt.abort(), silence);
    };
    alive();
    try {
      const response = await options.open(last, signal);
      if (response.body === null) return;
      options.opened();
      for await (const block of readEvents(response.body, alive)) {
        failures = 0;
        if (block.id !== "") last = block.id;
        const event = chatEventOf(block);
        if (event !== null) options.event(event);
      }
      // The service ends streams at times, on purpose; one that never sent anything is different.
      failures += 1;
    } catch (error) {
      if (error instanceof CallError && error.status === 401 && !ended.signal.aborted) {
        ended.abort();
        options.refused();
        return;
      }
      failures += 1;
      if (!ended.signal.aborted) options.lost();
    } finally {
      clearTimeout(watchdog);
    }
  };

  const pause = (milliseconds: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  const run = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      await once();
      if (ended.signal.aborted) return;
      await pause(waitAfter(failures, Math.random()));
    }
  };
  void run();
  return {
    hurry: () => wake?.(),
    end() {
      ended.abort();
      wake?.();
    },
  };
}

/** Milliseconds to wait after so many failures in a row: doubled each time, with jitter. */
export function waitAfter(failures: number, chance: number): number {
  const most = Math.min(longestWait, 500 * 2 ** Math.min(failures, 10));
  return Math.round(most / 2 + (most / 2) * chance);
}
