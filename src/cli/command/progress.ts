import type { Terminal } from "./command.ts";

/** How far something has come, on standard error. */
export interface Progress {
  /** Says it when the last word was long enough ago. */
  at(text: string): void;
  /** Says it in any case, as the last word on this step. */
  done(text: string): void;
}

/** In milliseconds: a line on a terminal is overwritten, in a log every line stays. */
const OFTEN = 100;
const SELDOM = 2000;

/** One line that is written over on a terminal; few plain lines into anything else. */
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
