/**
 * Sends a request to the origin it is given, cancels it while it connects, and ends when nothing
 * keeps it running.
 */
import { createNodeTransport } from "../../../src/runtime/node/transport.ts";

const long = 3_600_000;
const ignored = (): undefined => undefined;

const cancel = createNodeTransport({ keepAlive: long }).send(
  {
    origin: process.argv[2] ?? "",
    method: "GET",
    path: "/",
    headers: ["Host", "upstream.example"],
    body: null,
    timeouts: { connect: long, headers: long, total: long, idle: long },
    trusted: true,
  },
  { head: ignored, data: ignored, end: ignored, fail: ignored },
);
cancel();
