import type { ChatEvent } from "../../api/chat/answers.ts";
import { FailedCall } from "../shared/failed-call.ts";
import { readEvents } from "../../api/call/server-sent.ts";
import { chatEventOf } from "./state/events.ts";

export interface ConnectionOptions {
  /** Opens the stream after the event with this id, or with future events if it is empty. */
  readonly open: (lastEventId: string, signal: AbortSignal) => Promise<Response>;
  /** The stream is open. Earlier changes come as events if it resumes, or else have to be read. */
  readonly opened: (resumed: boolean) => void;
  readonly lost: () => void;
  readonly event: (event: ChatEvent) => void;
  /** The service no longer knows the token. */
  readonly refused: () => void;
}

export interface DeskConnection {
  /** Tries at once instead of later, or instead of an attempt that has not led to a stream. */
  readonly hurry: () => void;
  /** Ends a stream that may be dead, and opens another. A live service answers within a moment. */
  readonly doubt: () => void;
  readonly end: () => void;
}

/**
 * The service sends a sign of life every 4 seconds. After this many milliseconds it counts as
 * unreachable.
 */
const silence = 10_000;
const maxWait = 15_000;
/** A stream that lasted this long was ended on purpose. */
const minLife = 1_000;

/**
 * Keeps an event stream open: reopens it behind the last event. If the service ended it, at once,
 * because timers of a hidden tab are slow; after failures, after growing pauses.
 */
export function connect(options: ConnectionOptions): DeskConnection {
  const ended = new AbortController();
  let wake: (() => void) | null = null;
  let last = "";
  let failures = 0;
  let attempt = new AbortController();
  let isOpen = false;

  /** Reads one stream to its end; returns whether the next one resumes it. */
  const connectOnce = async (resumed: boolean): Promise<boolean> => {
    const began = performance.now();
    const current = new AbortController();
    attempt = current;
    const signal = AbortSignal.any([ended.signal, current.signal]);
    let watchdog: ReturnType<typeof setTimeout> | undefined;
    const noteAlive = (): void => {
      clearTimeout(watchdog);
      watchdog = setTimeout(() => current.abort(), silence);
    };
    noteAlive();
    try {
      const response = await options.open(last, signal);
      if (response.body === null) return false;
      isOpen = true;
      options.opened(resumed);
      for await (const sent of readEvents(response.body, noteAlive)) {
        failures = 0;
        if (sent.id !== "") last = sent.id;
        const event = chatEventOf(sent);
        if (event !== null) options.event(event);
      }
      if (last !== "" && performance.now() - began >= minLife) return true;
    } catch (error) {
      if (ended.signal.aborted) return false;
      if (!(error instanceof FailedCall && error.status === 401)) options.lost();
      else {
        ended.abort();
        options.refused();
      }
    } finally {
      clearTimeout(watchdog);
      isOpen = false;
    }
    failures += 1;
    return false;
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
    let resumes = false;
    while (!ended.signal.aborted) {
      resumes = await connectOnce(resumes);
      if (!resumes && !ended.signal.aborted) await pause(waitAfter(failures, Math.random()));
    }
  };
  void run();
  return {
    hurry() {
      failures = 0;
      if (!isOpen) attempt.abort();
      wake?.();
    },
    doubt() {
      if (isOpen) attempt.abort();
    },
    end() {
      ended.abort();
      wake?.();
    },
  };
}

/** Milliseconds to wait after this many failures in a row: doubled each time, with jitter. */
export function waitAfter(failures: number, chance: number): number {
  const most = Math.min(maxWait, 500 * 2 ** Math.min(failures, 10));
  return Math.round(most / 2 + (most / 2) * chance);
}
