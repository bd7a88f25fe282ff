/**
 * Simulates clients at once, each with one persistent connection, which ask again as soon as they
 * are answered. Reads a {@link Sending} from standard input as JSON, and prints a {@link Seen}. The
 * time until each connection's first answer is reported separately: Node accepts one connection per
 * turn of its event loop, so when all connect at once to a busy server, the last wait for many
 * turns.
 */
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { quantile } from "../statistics.ts";

export interface Sending {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent in turn. */
  readonly bodies: readonly string[];
  readonly connections: number;
  /** Seconds before the measurement begins. */
  readonly warmUp: number;
  readonly seconds: number;
}

/** Times in milliseconds. */
export interface Seen {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** The times until each connection had its first answer. */
  readonly opening: number;
  /** Answers by their status, warm-up included. */
  readonly statuses: Readonly<Record<string, number>>;
}

const sending: Sending = JSON.parse(await text(process.stdin));
const { hostname, port, host, pathname } = new URL(sending.url);
const fields = Object.entries({ host, ...sending.headers }).map(
  ([name, value]) => `${name}: ${value}`,
);
const requests = sending.bodies.map((body) =>
  Buffer.from(
    [
      `POST ${pathname} HTTP/1.1`,
      ...fields,
      `content-length: ${Buffer.byteLength(body)}`,
      "",
      body,
    ].join("\r\n"),
  ),
);
const began = performance.now();
const from = began + sending.warmUp * 1000;
const until = from + sending.seconds * 1000;
const latencies: number[] = [];
const statuses: Record<string, number> = {};
let turn = 0;
let opening = 0;
await Promise.all(Array.from({ length: sending.connections }, () => client()));
latencies.sort((a, b) => a - b);
const at = (share: number): number => quantile(latencies, share);
const seen: Seen = {
  perSecond: Math.round(latencies.length / sending.seconds),
  p50: at(0.5),
  p99: at(0.99),
  opening,
  statuses,
};
console.log(JSON.stringify(seen));

function client(): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = connect({ host: hostname, port: Number(port), noDelay: true }).setEncoding(
    "latin1",
  );
  let answer = "";
  let sent = performance.now();
  let first = true;
  const ask = (): void => {
    sent = performance.now();
    socket.write(requests[turn++ % requests.length] ?? "");
  };
  socket.on("connect", ask);
  socket.on("data", (chunk: string) => {
    answer += chunk;
    if (!isWhole(answer)) return;
    const now = performance.now();
    const status = answer.slice(9, 12);
    statuses[status] = (statuses[status] ?? 0) + 1;
    answer = "";
    if (first) opening = Math.max(opening, now - began);
    else if (sent >= from && now <= until) latencies.push(now - sent);
    first = false;
    if (now < until) ask();
    else socket.end();
  });
  socket.on("error", reject);
  socket.on("close", () => resolve());
  return promise;
}

function isWhole(answer: string): boolean {
  const end = answer.indexOf("\r\n\r\n");
  if (end === -1) return false;
  const length = /\r\ncontent-length: (\d+)/i.exec(answer.slice(0, end))?.[1];
  return length === undefined
    ? answer.endsWith("0\r\n\r\n")
    : answer.length >= end + 4 + Number(length);
}
