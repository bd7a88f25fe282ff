/**
 * `node bench/compare/rate-load.ts URL CONNECTIONS RATE SECONDS`: sends requests at a fixed rate,
 * regardless of answers. A request's wait begins when it is due, and includes waiting for a
 * connection, so that a contestant cannot hide that it falls behind. Requests that are due within a
 * millisecond are sent together, and their wait counts from then, because only the contestant's
 * time counts.
 */
import { connect, type Socket } from "node:net";
import { messageRequest, requestHeaders } from "../traffic.ts";
import { quantile } from "../statistics.ts";

const [url = "", connections = "1", rate = "100", seconds = "1"] = process.argv.slice(2);
const { hostname, port, pathname } = new URL(url);
const fields = Object.entries(requestHeaders).map(([name, value]) => `${name}: ${value}\r\n`);
const request = Buffer.from(
  `POST ${pathname} HTTP/1.1\r\nHost: ${hostname}:${port}\r\n${fields.join("")}Content-Length: ${Buffer.byteLength(messageRequest)}\r\n\r\n${messageRequest}`,
);

const waits: number[] = [];
const due: number[] = [];
const free: Socket[] = [];
const sentAt = new Map<Socket, number>();
let asked = 0;

for (let i = 0; i < Number(connections); i++) free.push(open());
const start = performance.now();
const end = start + Number(seconds) * 1000;
tick();

function tick(): void {
  const now = performance.now();
  const wanted = Math.floor(((Math.min(now, end) - start) / 1000) * Number(rate));
  for (; asked < wanted; asked++) due.push(now);
  send();
  if (now < end) setTimeout(tick, 1);
  // Requests without an answer a second later have not kept up.
  else setTimeout(report, 1000);
}

function send(): void {
  while (due.length > 0) {
    const socket = free.pop();
    if (socket === undefined) return;
    const at = due.shift();
    if (at !== undefined) sentAt.set(socket, at);
    socket.write(request);
  }
}

function open(): Socket {
  const socket = connect(Number(port), hostname).setNoDelay(true);
  let seen = 0;
  let whole: number | null = null;
  let last = "";
  socket.on("data", (chunk: Buffer) => {
    if (seen === 0) {
      const head = chunk.indexOf("\r\n\r\n");
      const text = chunk.toString("latin1", 0, head);
      if (head === -1 || !text.startsWith("HTTP/1.1 200")) fail(text.slice(0, 80));
      const length = /\r\ncontent-length: *(\d+)/i.exec(text)?.[1];
      whole = length === undefined ? null : head + 4 + Number(length);
    }
    seen += chunk.length;
    last = (last + chunk.toString("latin1", Math.max(0, chunk.length - 5))).slice(-5);
    if (whole === null ? last !== "0\r\n\r\n" : seen < whole) return;
    seen = 0;
    last = "";
    const at = sentAt.get(socket);
    if (at !== undefined) waits.push(performance.now() - at);
    free.push(socket);
    send();
  });
  socket.on("error", (error) => fail(error.message));
  socket.on("close", () => fail("a connection was closed"));
  return socket;
}

function fail(why: string): never {
  process.stderr.write(why);
  process.exit(1);
}

function report(): void {
  const sorted = waits.toSorted((one, other) => one - other);
  const at = (share: number): number => Math.round(quantile(sorted, share) * 1000);
  const figures = { p50: at(0.5), p90: at(0.9), p99: at(0.99), longest: at(1) };
  process.stdout.write(JSON.stringify({ asked, answered: sorted.length, ...figures }));
  process.exit(0);
}
