import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";
import { type RawConnection, rawConnect } from "../../../src/testing/index.ts";

/** A server on Bun, in a process of its own, that answers by target. */
export interface Targets {
  readonly port: number;
  /** Resolves when the server has said this line, once for every time it says it. */
  said(line: string): Promise<void>;
  /** Begins to stop. */
  drain(): void;
  /** Resolves with the code of the process. */
  readonly ended: Promise<number | null>;
  stop(): void;
}

/** @param limits in milliseconds, instead of the server's own */
export async function startTargets(
  limits: Readonly<Record<string, number>> = {},
): Promise<Targets> {
  const root = join(import.meta.dirname, "../../..");
  const child = spawn(
    join(root, "node_modules/.bin/bun"),
    [join(import.meta.dirname, "serve-targets.ts"), JSON.stringify(limits)],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  const ready = Promise.withResolvers<number>();
  createInterface(child.stdout).on("line", (line) => {
    if (line.startsWith("port ")) ready.resolve(Number(line.slice(5)));
    lines.push(line);
    for (const look of waiting) look();
  });
  const ended = once(child, "exit").then(([code]) => (typeof code === "number" ? code : null));
  void ended.then(() => ready.reject(new Error("the server ended")));
  return {
    port: await ready.promise,
    ended,
    said: (line) =>
      new Promise((resolve) => {
        const look = (): void => {
          const at = lines.indexOf(line);
          if (at < 0) return;
          lines.splice(at, 1);
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
    drain: () => void child.kill("SIGTERM"),
    stop: () => void child.kill("SIGKILL"),
  };
}

/**
 * Sends bytes in pieces, each a moment after the other; gives all that comes until the other side
 * closes.
 */
export async function converse(port: number, ...pieces: readonly string[]): Promise<string> {
  const connection = await rawConnect(port);
  for (const piece of pieces) {
    connection.send(piece);
    if (pieces.length > 1) await new Promise((resolve) => setTimeout(resolve, 2));
  }
  await connection.closed();
  return connection.received();
}

export const get = (target: string, fields = ""): string =>
  `GET ${target} HTTP/1.1\r\nHost: a\r\n${fields}\r\n`;
export const post = (target: string, length: number, fields = ""): string =>
  `POST ${target} HTTP/1.1\r\nHost: a\r\n${fields}Content-Length: ${length}\r\n\r\n`;

export async function connect({ port }: Targets): Promise<RawConnection> {
  const connection = await rawConnect(port);
  onTestFinished(() => connection.destroy());
  return connection;
}

/** A connection of which nothing is read yet. */
export async function reluctant(server: Targets, bytes: string): Promise<RawConnection> {
  const connection = await connect(server);
  connection.socket.pause();
  connection.send(bytes);
  return connection;
}
