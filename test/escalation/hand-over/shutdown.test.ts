// Suite: slow
import { once } from "node:events";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { handOverBed } from "./bed.ts";

test.each([
  ["nothing", ""],
  ["half a request", "GET /_afterword/health HTTP/1.1\r\nHost: here\r\n"],
])("a connection on which %s was sent does not keep the gateway from ending", async (_, sent) => {
  const bed = await handOverBed();
  const socket = connect(Number(new URL(bed.url).port), "127.0.0.1").on("error", () => undefined);
  await once(socket, "connect");
  if (sent !== "") socket.write(sent);
  const begun = performance.now();
  await bed.close();
  // Work under way may take as long as `total` and two seconds.
  expect(performance.now() - begun).toBeLessThan(30_000);
  socket.destroy();
});
