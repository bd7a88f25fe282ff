import { Agent, createServer, type RequestListener } from "node:http";
import { announce } from "../../announce.ts";

/** Persistent connections to the upstream, as a careful user would configure them. */
export const keptAlive: Agent = new Agent({ keepAlive: true, maxSockets: 512 });

/** Listens on a free port with Node's server alone, and announces it. */
export function listen(answer: RequestListener): void {
  const server = createServer(answer);
  server.listen(0, "127.0.0.1", () => {
    const address = server.address();
    if (address !== null && typeof address === "object") announce(address.port);
  });
}
