import { execFile } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import {
  createLogger,
  parseLogThreshold,
  type LogThreshold,
} from "../../../src/runtime/node/log.ts";
import { createFolder } from "../../fixtures/folder.ts";

async function written(
  threshold: LogThreshold,
  use: (log: ReturnType<typeof createLogger>["log"]) => void,
): Promise<string> {
  const file = join(createFolder(), "log");
  const fd = openSync(file, "w");
  const logger = createLogger({ threshold, fd, now: () => Date.UTC(2030, 0, 2) });
  use(logger.log);
  await logger.flush();
  closeSync(fd);
  return readFileSync(file, "utf8");
}

function linesOf(text: string): Record<string, unknown>[] {
  return text
    .split("\n")
    .filter(Boolean)
    .map((line): Record<string, unknown> => JSON.parse(line));
}

describe("the log", () => {
  it("shows nothing that moves a terminal's cursor, breaks a line or turns letters round", async () => {
    const hostile = "\u001b[2J\u009b31m\u007f\u0085\u2028\u2029\u202e\u2066\u200f\r\n{}";
    const text = await written("info", (log) => log("info", "odd", { [hostile]: hostile }));
    expect(text).toMatch(/^[\x20-\x7e]+\n$/);
    expect(linesOf(text)).toMatchObject([{ [hostile]: hostile }]);
  });

  it("has one JSON object per line, with time, level, event and fields", async () => {
    const text = await written("info", (log) => {
      log("info", "listening", { port: 8787, tls: false, name: null });
      log("error", "odd", { text: 'two\nlines \u2028 and "quotes"' });
    });
    expect(linesOf(text)).toEqual([
      {
        time: "2030-01-02T00:00:00.000Z",
        level: "info",
        event: "listening",
        port: 8787,
        tls: false,
        name: null,
      },
      {
        time: "2030-01-02T00:00:00.000Z",
        level: "error",
        event: "odd",
        text: 'two\nlines \u2028 and "quotes"',
      },
    ]);
  });

  it("keeps the order of many lines", async () => {
    const text = await written("debug", (log) => {
      for (let i = 0; i < 5000; i++) log("debug", "n", { i });
    });
    expect(linesOf(text).map(({ i }) => i)).toEqual(Array.from({ length: 5000 }, (_, i) => i));
  });

  it.each([
    ["silent", ""],
    ["error", "error"],
    ["warn", "error,warn"],
    ["info", "error,warn,info"],
    ["debug", "error,warn,info,debug"],
  ] as const)("at %s writes %j", async (threshold, expected) => {
    const text = await written(threshold, (log) => {
      for (const level of ["error", "warn", "info", "debug"] as const) log(level, level);
    });
    expect(
      linesOf(text)
        .map(({ event }) => event)
        .join(),
    ).toBe(expected);
  });

  it("drops lines instead of memory or requests when nobody reads, and says how many", async () => {
    // The reader of the pipe starts late: everything beyond the pipe's buffer and 1 MiB is dropped.
    const program = `
      import { createLogger } from "./src/runtime/node/log.ts";
      const { log, flush } = createLogger({ threshold: "info", fd: 1 });
      const filler = "x".repeat(10_000);
      for (let i = 0; i < 1000; i++) log("info", "filler", { filler });
      await flush();
      log("info", "last");
      await flush();
    `;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ["--input-type=module-typescript", "--eval", program],
      { maxBuffer: 32 * 1024 * 1024 },
    );
    const events = linesOf(stdout);
    const kept = events.filter(({ event }) => event === "filler").length;
    const dropped = Number(events.find(({ event }) => event === "log-lines-dropped")?.["lines"]);
    expect(kept + dropped).toBe(1000);
    expect(dropped).toBeGreaterThan(500);
    expect(events.at(-1)?.["event"]).toBe("last");
  });
});

it("reads AFTERWORD_LOG, and refuses a word it does not know", () => {
  expect([undefined, "", " DEBUG ", "silent"].map(parseLogThreshold)).toEqual([
    "info",
    "info",
    "debug",
    "silent",
  ]);
  for (const word of ["verbose", "__proto__", "toString"]) {
    expect(() => parseLogThreshold(word)).toThrow(/AFTERWORD_LOG must be one of/);
  }
});
