import type { Terminal } from "./command.ts";

/** Reports progress on standard error. */
export interface Progress {
  /** Prints the progress, unless it was printed a moment ago. */
  at(text: string): void;
  /** Prints the final progress of this step. */
  done(text: string): void;
}

/** In milliseconds: a line on a terminal is overwritten, in a log every line stays. */
const OFTEN = 100;
const SELDOM = 2000;

/** Overwrites one line on a terminal. Elsewhere it prints a few plain lines. */
export function createProgress(
  terminal: Pick<Terminal, "error" | "errorInteractive">,
  now: () => number = () => performance.now(),
): Progress {
  const live = terminal.errorInteractive === true;
  const begin = live ? "\r\u001b[K" : "";
  let reportedAt = now();
  return {
    at(text) {
      if (now() - reportedAt < (live ? OFTEN : SELDOM)) return;
      reportedAt = now();
      terminal.error(live ? `${begin}${text}` : `${text}\n`);
    },
    done(text) {
      reportedAt = now();
      terminal.error(`${begin}${text}\n`);
    },
  };
}
