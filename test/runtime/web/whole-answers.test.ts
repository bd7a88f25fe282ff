import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { createFetchTransport } from "../../../src/runtime/web/fetch-transport.ts";
import { exchange, holdTime, request, upstream } from "./upstream.ts";
import { turns } from "../../fixtures/turns.ts";

const transport = createFetchTransport();
const bounded = { connect: 0, headers: 0, total: 60_000, idle: 0 };

/** Sends `one`, and `two` once `then` resolves; without `then`, long after `one` has arrived. */
async function inTwoPieces(
  headers: Readonly<Record<string, string>>,
  then: Promise<void> = turns(),
): Promise<string> {
  return upstream((_, res) => {
    res.writeHead(200, headers);
    res.write("one");
    void then.then(() => res.end("two"));
  });
}

describe("a short answer", () => {
  test("of a request that has its time as a whole comes in one piece", async () => {
    const origin = await inTwoPieces({ "Content-Length": "6" });
    const onData = vi.fn<() => void>();
    const answer = await exchange(transport, request(origin, { timeouts: bounded }), { onData });
    expect(answer.body.toString()).toBe("onetwo");
    expect(answer.calls).toEqual(["head", "data", "end"]);
    expect(onData).toHaveBeenCalledTimes(1);
  });

  test.each([
    [
      "whose silence is bounded more tightly",
      { ...bounded, idle: 59_000 },
      { "Content-Length": "6" },
    ],
    ["without a limit on the whole", { ...bounded, total: 0 }, { "Content-Length": "6" }],
    ["that does not say how long it is", bounded, {}],
  ])("%s comes as it is sent", async (_, timeouts, headers) => {
    const first = Promise.withResolvers<void>();
    const origin = await inTwoPieces(headers, first.promise);
    const onData = vi.fn<() => void>(() => first.resolve());
    const answer = await exchange(transport, request(origin, { timeouts }), { onData });
    expect(answer.body.toString()).toBe("onetwo");
    expect(onData).toHaveBeenCalledTimes(2);
  });

  test("that breaks off is broken", async () => {
    const origin = await upstream((_, res) => {
      res.writeHead(200, { "Content-Length": "100" });
      res.write("begun", () => res.destroy());
    });
    const answer = await exchange(transport, request(origin, { timeouts: bounded }));
    expect(answer.error).toMatchObject({ kind: "broken", sent: true });
    expect(answer.calls).toEqual(["head", "fail"]);
  });

  test("that does not end in time is given up, and the upstream learns of it", async () => {
    const gone = vi.fn<() => void>();
    const origin = await upstream((req, res) => {
      res.on("close", gone);
      res.writeHead(200, { "Content-Length": "100" });
      res.write(req.url);
    });
    holdTime();
    const sent = request(origin, { timeouts: { ...bounded, total: 150 } });
    const answer = await exchange(transport, sent, {
      onHead: () => setImmediate(() => vi.advanceTimersByTime(150)),
    });
    expect(answer.error).toEqual({ kind: "timeout", detail: "total timeout", sent: true });
    vi.useRealTimers();
    await vi.waitFor(() => expect(gone).toHaveBeenCalled(), 40_000);
  });

  test("that nobody waits for any more is given up", async () => {
    const gone = vi.fn<() => void>();
    const origin = await upstream((_, res) => {
      res.on("close", gone);
      res.writeHead(200, { "Content-Length": "100" });
      res.write("begun");
    });
    const cancel = transport.send(request(origin, { timeouts: bounded }), {
      head: () => void turns().then(() => cancel()),
      data: () => {},
      end: () => {},
      fail: () => {},
    });
    await vi.waitFor(() => expect(gone).toHaveBeenCalled(), 40_000);
  });

  test.each(["HEAD", "GET"])("to %s that has no body is empty", async (method) => {
    const origin = await upstream((_, res) => {
      res.writeHead(method === "HEAD" ? 200 : 304, { "Content-Length": "100" });
      res.end();
    });
    const answer = await exchange(transport, request(origin, { method, timeouts: bounded }));
    expect(answer.calls).toEqual(["head", "end"]);
  });
});

test("an address is the same whether its origin has been asked before or not", async () => {
  const segment = fc.oneof(
    fc.stringMatching(/^[\w~!$&'()*+,;=:@%.\\^`{}|"<> #?/-]{0,12}$/),
    fc.constantFrom("..", ".", "%2e", ".%2E", "%2e%2e", "..;x", ".well-known", "?..", "#"),
  );
  const known = "https://known.example.com";
  const asked: string[] = [];
  let runs = 0;
  const noted = createFetchTransport({
    fetch: async (url) => {
      asked.push(url);
      return new Response(null, { status: 204 });
    },
  });
  await exchange(noted, request(known));
  const property = fc.asyncProperty(fc.array(segment, { maxLength: 4 }), async (segments) => {
    const path = `/${segments.join("/")}`;
    const fresh = `https://n${runs++}.example.com`;
    asked.length = 0;
    const first = await exchange(noted, request(fresh, { path }));
    const again = await exchange(noted, request(known, { path }));
    expect(again.error?.kind).toBe(first.error?.kind);
    if (again.error !== null) return;
    expect(asked[1]?.slice(known.length)).toBe(asked[0]?.slice(fresh.length));
    expect(asked[1]).toBe(new URL(asked[1] ?? "").href);
  });
  await fc.assert(property, { numRuns: 300 });
});
