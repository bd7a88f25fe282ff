import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { rawRequest } from "../../../src/testing/index.ts";
import { flagged, rawPost, withBench } from "../harness.ts";

const path = "/v1/conversation/message";
const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("latin1");

/** Longer than one read. The end shows if the order was changed. */
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

  it("is its own among many, while other clients leave, whether it is edited or not", async () => {
    const short = flagged("no-results");
    const fill = (target: string): string => ` of ${target} `.repeat(20_000);
    const bodies = (target: string, edited: string): string =>
      /[02468]$/.test(target)
        ? `{"answers":[{"message":"hello"}],"filler":"${fill(target)}"}`
        : `${edited.slice(0, -1)},"filler":"${fill(target)}"}`;
    const handler = ({ target }: { readonly target: string }) => ({
      raw: raw(bodies(target, target.endsWith("/message") ? "" : short)),
    });
    let edited = "";
    await withBench({ handler: () => ({ raw: raw(short) }) }, async ({ port }) => {
      edited = latin1((await rawRequest(port, rawPost(path, "{}"))).body);
    });
    await withBench({ handler }, async ({ port, logs }) => {
      const ask = async (i: number): Promise<void> => {
        const target = `${path}?n=${i}`;
        const sent = rawPost(target, "{}");
        if (i % 3 === 0) {
          const client = connect(port, "127.0.0.1", () => client.write(sent));
          client.once("readable", () => client.resetAndDestroy());
          await new Promise((resolve) => client.once("close", resolve));
          return;
        }
        const got = latin1((await rawRequest(port, sent)).body);
        const upstream = target.replace("/v1/", "/prod/chatbot/v1/");
        expect(got).toBe(bodies(upstream, edited));
      };
      for (let round = 0; round < 5; round++) {
        await Promise.all(Array.from({ length: 24 }, (_, i) => ask(round * 24 + i)));
      }
      expect(logs.filter(({ level }) => level === "error")).toEqual([]);
    });
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
