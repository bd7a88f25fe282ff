import { describe, expect, it } from "vitest";
import { rawRequest } from "../../../src/testing/index.ts";
import { flagged, rawPost, withBench } from "../harness.ts";

const path = "/v1/conversation/message";
const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("latin1");

/** Longer than what is read at once. Ends with what tells a mixed up order. */
const filler = Array.from({ length: 40_000 }, (_, i) => `x${i}`).join(" ");
const unflagged = JSON.stringify({ answers: [{ message: "hello", flags: [], filler }] });

function raw(body: string, announced = body.length): string {
  return `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${announced}\r\n\r\n${body}`;
}

describe("an answer that comes in many pieces", () => {
  it("goes out as it came when there is nothing to edit", async () => {
    await withBench({ handler: () => ({ raw: raw(unflagged) }) }, async ({ port }) => {
      const answer = await rawRequest(port, rawPost(path, "{}"));
      expect(answer.complete).toBe(true);
      expect(latin1(answer.body)).toBe(unflagged);
    });
  });

  it("is edited, and is as it came around the edit", async () => {
    const short = flagged("no-results");
    const long = `${short.slice(0, -1)},"filler":"${filler}"}`;
    const [edited, editedLong] = await Promise.all(
      [short, long].map(async (body) => {
        let got = "";
        await withBench({ handler: () => ({ raw: raw(body) }) }, async ({ port }) => {
          got = latin1((await rawRequest(port, rawPost(path, "{}"))).body);
        });
        return got;
      }),
    );
    expect(edited).not.toBe(short);
    expect(editedLong).toBe(`${edited?.slice(0, -1)},"filler":"${filler}"}`);
  });

  it.each([100, 70_000, 150_000])(
    "reaches the client as far as it came when it breaks off after %i bytes",
    async (length) => {
      const part = unflagged.slice(0, length);
      const answer = { raw: raw(part, unflagged.length), close: true };
      await withBench({ handler: () => answer }, async ({ port }) => {
        const got = await rawRequest(port, rawPost(path, "{}"));
        expect(got.complete).toBe(false);
        expect(latin1(got.body)).toBe(part);
      });
    },
  );

  it("is passed on when it is longer than what may be held", async () => {
    const limits = { transformBytes: 100_000 };
    for (const chunked of [false, true]) {
      const body = chunked
        ? `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${unflagged.length.toString(16)}\r\n${unflagged}\r\n0\r\n\r\n`
        : raw(unflagged);
      await withBench({ limits, handler: () => ({ raw: body }) }, async ({ port }) => {
        expect(latin1((await rawRequest(port, rawPost(path, "{}"))).body)).toBe(unflagged);
      });
    }
  });
});
