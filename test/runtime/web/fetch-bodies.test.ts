import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, test, vi } from "vitest";
import { AfterwordError } from "../../../src/errors.ts";
import { createFetchTransport } from "../../../src/runtime/web/fetch-transport.ts";
import { fieldOf } from "../../../src/gateway/exchange/headers.ts";
import { exchange, request, upstream } from "./upstream.ts";
import { turns } from "../../fixtures/turns.ts";

const transport = createFetchTransport();
const megabyte = Buffer.from(Uint8Array.from({ length: 1_000_000 }, (_, i) => i % 251));

async function* pieces(...chunks: (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield Buffer.from(chunk);
}

/** Answers with the request's framing and its body. */
async function echo(): Promise<string> {
  return upstream((req, res) => {
    const chunks: Buffer[] = [];
    req.on("data", (chunk: Buffer) => chunks.push(chunk));
    req.on("end", () => {
      res.setHeader("x-length", req.headers["content-length"] ?? "none");
      res.setHeader("x-framing", req.headers["transfer-encoding"] ?? "none");
      res.end(Buffer.concat(chunks));
    });
  });
}

describe("a request body", () => {
  test.each([
    {
      name: "bytes",
      body: () => megabyte,
      declared: "1000000",
      length: "1000000",
      framing: "none",
    },
    {
      name: "bytes with a false length",
      body: () => megabyte,
      declared: "3",
      length: "1000000",
      framing: "none",
    },
    {
      name: "no bytes",
      body: () => new Uint8Array(0),
      declared: null,
      length: "0",
      framing: "none",
    },
    { name: "nothing", body: () => null, declared: "0", length: "0", framing: "none" },
    {
      name: "a stream",
      body: () => pieces(megabyte.subarray(0, 10), "", megabyte.subarray(10)),
      declared: null,
      length: "none",
      framing: "chunked",
    },
    {
      name: "a stream of declared length",
      body: () => pieces(megabyte),
      declared: "1000000",
      length: "1000000",
      framing: "none",
    },
  ])("of $name arrives whole and framed", async ({ body, declared, length, framing }) => {
    const sent = body();
    const answer = await exchange(
      transport,
      request(await echo(), {
        method: "POST",
        headers: declared === null ? [] : ["Content-Length", declared],
        body: sent,
      }),
    );
    expect(answer.error).toBeNull();
    expect(fieldOf(answer.headers, "x-length")).toBe(length);
    expect(fieldOf(answer.headers, "x-framing")).toBe(framing);
    const empty = sent === null || (sent instanceof Uint8Array && sent.length === 0);
    expect(answer.body.equals(empty ? Buffer.alloc(0) : megabyte)).toBe(true);
  });

  test("that is empty is no obstacle to GET", async () => {
    const answer = await exchange(transport, request(await echo(), { body: new Uint8Array(0) }));
    expect(answer.error).toBeNull();
  });

  test.each([
    [new Error("left"), "cancelled"],
    [new AfterwordError("client-gone", "left"), "cancelled"],
    [new AfterwordError("body-too-large", "more than 10 bytes"), "too-large"],
  ])(
    "whose source breaks off with %s is %s, and the upstream sees no whole request",
    async (cause, kind) => {
      const { promise: aborted, resolve } = Promise.withResolvers<unknown>();
      let ended = false;
      const origin = await upstream((req) => {
        req.on("error", resolve);
        req.on("end", () => (ended = true)).resume();
      });
      async function* breaking(): AsyncGenerator<Uint8Array> {
        yield Buffer.from("first");
        await turns();
        throw cause;
      }
      const answer = await exchange(
        transport,
        request(origin, { method: "POST", body: breaking() }),
      );
      expect(answer.error).toMatchObject({ kind, sent: true });
      await aborted;
      expect(ended).toBe(false);
    },
  );

  test("is released when the answer has ended before it", async () => {
    const origin = await upstream((_, res) => res.writeHead(413).end("too large"));
    let released = false;
    async function* endless(): AsyncGenerator<Uint8Array> {
      try {
        for (;;) yield new Uint8Array(1000);
      } finally {
        released = true;
      }
    }
    const answer = await exchange(transport, request(origin, { method: "POST", body: endless() }));
    expect(answer.calls).toEqual(["head", "data", "end"]);
    expect(answer.status).toBe(413);
    await vi.waitFor(() => expect(released).toBe(true), 40_000);
  });

  test("is released when the request is cancelled", async () => {
    const origin = await upstream(() => {});
    let released = false;
    async function* endless(): AsyncGenerator<Uint8Array> {
      try {
        for (;;) yield new Uint8Array(1000);
      } finally {
        released = true;
      }
    }
    const calls: string[] = [];
    const cancel = transport.send(request(origin, { method: "POST", body: endless() }), {
      head: () => {},
      data: () => {},
      end: () => void calls.push("end"),
      fail: () => void calls.push("fail"),
    });
    void turns().then(cancel);
    await vi.waitFor(() => expect(released).toBe(true), 40_000);
    expect(calls).toEqual([]);
  });
});

describe("an answer's body", () => {
  test("of a megabyte arrives whole", async () => {
    const origin = await upstream((_, res) => res.end(megabyte));
    const answer = await exchange(transport, request(origin));
    expect(answer.body.equals(megabyte)).toBe(true);
    expect(fieldOf(answer.headers, "content-length")).toBe("1000000");
  });

  test("stops when paused, at most one chunk ahead, and goes on when resumed", async () => {
    let pulled = 0;
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          pulled++;
          if (pulled > 20) controller.close();
          else controller.enqueue(Buffer.from("."));
        },
      },
      { highWaterMark: 0 },
    );
    const source = createFetchTransport({ fetch: async () => new Response(body) });
    const paused: number[] = [];
    const answer = await exchange(source, request("https://a.example"), {
      onData(_, stream) {
        if (paused.length > 0) return;
        stream.pause();
        void (async () => {
          await turns();
          paused.push(pulled);
          stream.resume();
        })();
      },
    });
    expect(paused).toEqual([2]);
    expect(answer.body.length).toBe(20);
    expect(answer.calls).toEqual(["head", "data", "end"]);
  });

  test("arrives as it comes, before the upstream has ended", async () => {
    const { promise: seen, resolve } = Promise.withResolvers<void>();
    const origin = await upstream((_, res) => {
      res.write("one");
      void seen.then(() => res.end("two"));
    });
    const answer = await exchange(transport, request(origin), { onData: () => resolve() });
    expect(answer.body.toString()).toBe("onetwo");
  });
});

describe("content codings", () => {
  const plain = Buffer.from("the answer, ".repeat(100));
  const described = {
    ETag: '"v1"',
    Digest: "x",
    "Content-MD5": "x",
    "Content-Digest": "x",
    "Repr-Digest": "x",
    "X-Kept": "1",
  };

  test.each([
    ["gzip", gzipSync(plain)],
    ["X-GZIP", gzipSync(plain)],
    ["deflate", deflateSync(plain)],
    ["br", brotliCompressSync(plain)],
    ["deflate, gzip", gzipSync(deflateSync(plain))],
  ])("%s that fetch decoded is no longer described by the head", async (coding, coded) => {
    const origin = await upstream((_, res) => {
      res.writeHead(200, {
        ...described,
        "Content-Encoding": coding,
        "Content-Length": coded.length,
      });
      res.end(coded);
    });
    const answer = await exchange(transport, request(origin));
    expect(answer.body.equals(plain)).toBe(true);
    const left = answer.headers.filter((_, i) => i % 2 === 0);
    expect(left.filter((name) => /digest|md5|content-/.test(name))).toEqual([]);
    expect(fieldOf(answer.headers, "etag")).toBe('W/"v1"');
    expect(fieldOf(answer.headers, "x-kept")).toBe("1");
  });

  test.each([["identity"], ["exi"], ["gzip, exi"]])(
    "%s, which fetch leaves alone, stays described",
    async (coding) => {
      const origin = await upstream((_, res) => {
        res.writeHead(200, {
          ...described,
          "Content-Encoding": coding,
          "Content-Length": plain.length,
        });
        res.end(plain);
      });
      const answer = await exchange(transport, request(origin));
      expect(answer.body.equals(plain)).toBe(true);
      expect(fieldOf(answer.headers, "content-encoding")).toBe(coding);
      expect(fieldOf(answer.headers, "content-length")).toBe(String(plain.length));
      expect(fieldOf(answer.headers, "etag")).toBe('"v1"');
    },
  );

  test("a fetch that does not decode gives the coded bytes and their description", async () => {
    const coded = gzipSync(plain);
    const headers = {
      "content-encoding": "gzip",
      "content-length": String(coded.length),
      etag: '"v1"',
    };
    const bare = createFetchTransport({
      decodes: false,
      fetch: async () => new Response(coded, { headers }),
    });
    const answer = await exchange(bare, request("https://a.example"));
    expect(answer.body.equals(coded)).toBe(true);
    expect(fieldOf(answer.headers, "content-encoding")).toBe("gzip");
    expect(fieldOf(answer.headers, "content-length")).toBe(String(coded.length));
    expect(fieldOf(answer.headers, "etag")).toBe('"v1"');
  });

  test.each([
    { decodes: true, asked: ["Accept-Encoding", "gzip, br"], sent: "identity" },
    { decodes: true, asked: [], sent: "identity" },
    { decodes: false, asked: ["Accept-Encoding", "gzip, br"], sent: "gzip, br" },
    { decodes: false, asked: [], sent: "identity" },
  ])("with decodes $decodes a client that says $asked makes us ask for $sent", async (row) => {
    const origin = await upstream((req, res) => res.end(req.headers["accept-encoding"]));
    const answer = await exchange(
      createFetchTransport({ decodes: row.decodes }),
      request(origin, { headers: row.asked }),
    );
    expect(answer.body.toString()).toBe(row.sent);
  });

  test("an answer that is damaged inside its coding is broken, not cut short", async () => {
    const coded = gzipSync(megabyte);
    coded.fill(0xff, coded.length - 8); // the checksum
    const origin = await upstream((_, res) => {
      res.writeHead(200, { "Content-Encoding": "gzip" });
      res.end(coded);
    });
    const answer = await exchange(transport, request(origin));
    expect(answer.error).toMatchObject({ kind: "broken" });
  });
});
