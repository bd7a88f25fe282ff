import { write } from "node:fs";
import { AfterwordError } from "../../errors.ts";
import type { Logger, LogLevel } from "../../gateway/exchange/platform.ts";

/** The values of AFTERWORD_LOG. */
export type LogThreshold = "silent" | LogLevel;

const ranks: Readonly<Record<LogThreshold, number>> = {
  silent: 0,
  error: 1,
  warn: 2,
  info: 3,
  debug: 4,
};

/** Reads AFTERWORD_LOG; default `info`. @throws AfterwordError `argument-invalid` for others. */
export function parseLogThreshold(text: string | undefined): LogThreshold {
  const word = text?.trim().toLowerCase() ?? "";
  if (word === "") return "info";
  if (isThreshold(word)) return word;
  throw new AfterwordError(
    "argument-invalid",
    `AFTERWORD_LOG must be one of ${Object.keys(ranks).join(", ")}`,
  );
}

export interface LogOptions {
  readonly threshold: LogThreshold;
  /** File descriptor. Default 2, standard error. */
  readonly fd?: number;
  /** Milliseconds since the epoch. Default: the system's clock. */
  readonly now?: () => number;
  /** Added to every line after the event. Default: no fields. */
  readonly fields?: Readonly<Record<string, string | number>>;
}

export interface NodeLogger {
  readonly log: Logger;
  /** Whether lines of this level are written. */
  readonly logs: (level: LogLevel) => boolean;
  /** Resolves when all is written, or after a second; for the end of the process. */
  flush(): Promise<void>;
}

/**
 * One JSON object per line: `time`, `level`, `event`, then the fields. Lines are written in the
 * background, in order. If the reader of the log stalls, lines beyond 1 MiB are dropped and their
 * number is logged later. Requests never wait.
 */
export function createLogger(options: LogOptions): NodeLogger {
  const rank = ranks[options.threshold];
  const now = options.now ?? Date.now;
  const out = createLineWriter(options.fd ?? 2);
  return {
    log(level, event, fields) {
      if (ranks[level] > rank) return;
      const time = new Date(now()).toISOString();
      const line = JSON.stringify({ time, level, event, ...options.fields, ...fields });
      out.line(line.replaceAll(UNSAFE, escapeCharacter));
    },
    logs: (level) => ranks[level] <= rank,
    flush: () => out.flush(),
  };
}

/**
 * Characters that JSON does not escape, but that affect the display of a line: controls of
 * terminals (U+009B begins a sequence as ESC does), line separators, and marks of direction.
 */
const UNSAFE = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

function isThreshold(word: string): word is LogThreshold {
  return Object.hasOwn(ranks, word);
}

/** Characters that may wait to be written. */
const maxWaiting = 1024 * 1024;
const retryDelay = 20;

const flushLimit = 1000;

interface LineWriter {
  line(text: string): void;
  flush(): Promise<void>;
}

function createLineWriter(fd: number): LineWriter {
  let waiting = "";
  let writing = false;
  let dropped = 0;
  let idle: (() => void)[] = [];

  const writeNext = (): void => {
    if (writing) return;
    if (waiting === "") {
      for (const resolve of idle) resolve();
      idle = [];
      return;
    }
    const bytes = Buffer.from(waiting);
    waiting = "";
    writing = true;
    writeBytes(bytes);
  };
  const writeBytes = (bytes: Buffer): void => {
    write(fd, bytes, 0, bytes.length, null, (error, written) => {
      const full = error?.code === "EAGAIN";
      if (error !== null && !full) {
        // There is no way left to report that the log cannot be written.
        waiting = "";
        finishWrite();
        return;
      }
      const rest = full ? bytes : bytes.subarray(written);
      if (rest.length === 0) finishWrite();
      else setTimeout(writeBytes, full ? retryDelay : 0, rest).unref();
    });
  };
  const finishWrite = (): void => {
    writing = false;
    writeNext();
  };

  return {
    line(text) {
      if (waiting.length + text.length > maxWaiting) {
        dropped++;
        return;
      }
      if (dropped > 0) {
        const note = { level: "warn", event: "log-lines-dropped", lines: dropped };
        waiting += `${JSON.stringify(note)}\n`;
        dropped = 0;
      }
      waiting += `${text}\n`;
      writeNext();
    },
    flush: () =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, flushLimit);
        idle.push(() => {
          clearTimeout(timer);
          resolve();
        });
        writeNext();
      }),
  };
}
