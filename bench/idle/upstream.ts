import { createServer, type ServerResponse } from "node:http";

export interface SlowUpstream {
  readonly origin: string;
  close(): Promise<void>;
}

/**
 * More than the system's own buffers on the way take, so that it is the gateway that has to wait
 * for the reader.
 */
const largeAnswer = Buffer.alloc(64 * 1024 * 1024, "x");
/** How often a slow answer goes on by one byte, in milliseconds. */
const every = 500;

/**
 * An upstream that answers `/large` at once with 64 MB, and everything else so slowly that it is
 * not over when the bench is: head and first byte at once, then two bytes each second.
 */
export async function startSlowUpstream(): Promise<SlowUpstream> {
  const open = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { "Content-Type": "application/octet-stream" });
    if (request.url?.endsWith("/large") === true) {
      response.end(largeAnswer);
      return;
    }
    response.write("x");
    open.add(response);
    response.on("close", () => open.delete(response));
  });
  const dripping = setInterval(() => {
    for (const response of open) response.write("x");
  }, every);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no address");
  return {
    origin: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        clearInterval(dripping);
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
