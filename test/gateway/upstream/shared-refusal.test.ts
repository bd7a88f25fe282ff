import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Bench, startBench } from "../harness.ts";

/** Large enough for memory of its own, small enough to arrive in one read. */
const page = "p".repeat(40_000);
const secret = "the private answer of another client ";

let bench: Bench;
beforeAll(async () => {
  bench = await startBench({
    discover: true,
    instance: { match: {} },
    handler: ({ target }) =>
      target === "/v1/apis"
        ? { status: 403, headers: ["Content-Type", "text/html"], body: page }
        : { headers: ["Content-Type", "text/plain"], body: secret.repeat(1100) },
  });
});
afterAll(() => bench.close());

describe("a refusal of discovery that several clients get", () => {
  it("reaches each of them whole, also those who ask while it is kept", async () => {
    for (let client = 0; client < 3; client++) {
      const answer = await ask("one");
      expect([answer.status, (await answer.text()) === page]).toEqual([403, true]);
    }
  });

  it("stays whole for a client that is slow to read, while others get theirs and go on", async () => {
    const tokens = Array.from({ length: 60 }, (_, index) => `token-${index}`);
    const slow = connect(bench.port, "127.0.0.1");
    await once(slow, "connect");
    slow.pause();
    const heads = tokens.map((token) => {
      const lines = ["GET /v1/conversation HTTP/1.1", "Host: a", "x-vendor-key: key"];
      return [...lines, `Authorization: Bearer ${token}`, "", ""].join("\r\n");
    });
    slow.write(heads.join(""));
    for (const token of tokens) {
      const answer = await ask(token);
      expect((await answer.text()).length).toBe(page.length);
      // Answers of other clients, which would take memory that is free.
      const other = await fetch(`${bench.url}/v1/auth`, { method: "POST", body: "{}" });
      expect((await other.text()).length).toBe(secret.length * 1100);
    }
    const pieces: Buffer[] = [];
    let length = 0;
    slow.on("data", (piece: Buffer) => {
      pieces.push(piece);
      length += piece.length;
    });
    slow.resume();
    await expect.poll(() => length).toBeGreaterThan(tokens.length * page.length);
    slow.destroy();
    const text = Buffer.concat(pieces).toString("latin1");
    expect(text).not.toContain(secret);
    expect(text.match(/p{40000}/g)).toHaveLength(tokens.length);
  });
});

function ask(token: string): Promise<Response> {
  const headers = { "x-vendor-key": "key", authorization: `Bearer ${token}` };
  return fetch(`${bench.url}/v1/conversation`, { headers });
}
