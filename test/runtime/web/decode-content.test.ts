import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import * as fc from "fast-check";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { decodeContent } from "../../../src/runtime/web/web-platform.ts";
import { turns } from "../../fixtures/turns.ts";
import { runs } from "../../fixtures/runs.ts";

const plain = Buffer.from("the answer is in here. ".repeat(2000));
const encoders = {
  gzip: gzipSync,
  "x-gzip": gzipSync,
  deflate: deflateSync,
  "deflate without its wrapper": deflateRawSync,
  br: brotliCompressSync,
};
const cases = Object.entries(encoders).map(([name, encode]) => ({
  name,
  coding: name.split(" ")[0] ?? "",
  encode,
}));

describe.each(cases)("$name", ({ coding, encode }) => {
  test("is decoded up to the limit, and not a byte beyond", async () => {
    const coded = encode(plain);
    const whole = await decodeContent(coding, coded, plain.length);
    expect(whole === null ? null : plain.equals(whole)).toBe(true);
    expect(await decodeContent(coding, coded, plain.length - 1)).toBeNull();
    expect(await decodeContent(coding.toUpperCase(), coded, plain.length)).not.toBeNull();
  });

  test("that is cut short is damaged", async () => {
    const coded = encode(plain);
    expect(
      await decodeContent(coding, coded.subarray(0, coded.length - 5), plain.length),
    ).toBeNull();
    expect(await decodeContent(coding, coded.subarray(0, 1), plain.length)).toBeNull();
  });

  test("of nothing is nothing", async () => {
    expect(await decodeContent(coding, encode(new Uint8Array(0)), 10)).toEqual(new Uint8Array(0));
  });

  test("that would burst is given up early", async () => {
    const bomb = encode(Buffer.alloc(16 * 1024 * 1024));
    let inflated = 0;
    const Known = DecompressionStream;
    vi.stubGlobal(
      "DecompressionStream",
      class {
        readonly readable: ReadableStream<Uint8Array>;
        readonly writable: WritableStream;
        constructor(format: CompressionFormat) {
          const real = new Known(format);
          this.writable = real.writable;
          this.readable = real.readable.pipeThrough(
            new TransformStream<Uint8Array, Uint8Array>({
              transform(chunk, controller) {
                inflated += chunk.length;
                controller.enqueue(chunk);
              },
            }),
          );
        }
      },
    );
    onTestFinished(() => void vi.unstubAllGlobals());
    expect(await decodeContent(coding, bomb, 64 * 1024)).toBeNull();
    await new Promise((resolve) => setImmediate(resolve));
    expect(inflated).toBeLessThan(2 * 1024 * 1024);
  });
});

test.each(["", "identity", "compress", "zstd", "exi", "deflate-raw", "brotli", "__proto__"])(
  "the coding %j is not known",
  async (coding) => {
    expect(await decodeContent(coding, gzipSync(plain), 1_000_000)).toBeNull();
  },
);

test("a runtime that does not know a coding leaves it", async () => {
  vi.stubGlobal("DecompressionStream", function unsupported(): never {
    throw new TypeError("unsupported");
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  expect(await decodeContent("br", brotliCompressSync(plain), 1_000_000)).toBeNull();
});

test("no bytes make it reject, and none leave a rejection behind", async () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => void unhandled.push(reason);
  process.on("unhandledRejection", note);
  onTestFinished(() => void process.off("unhandledRejection", note));
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom("gzip", "deflate", "br"),
      fc.uint8Array({ maxLength: 300 }),
      fc.nat(2),
      async (coding, noise, kind) => {
        const coded = kind === 0 ? noise : gzipSync(noise);
        const at = (noise[0] ?? 0) % coded.length;
        if (kind === 2) coded.fill(0x55, at, at + 1);
        const decoded = await decodeContent(coding, coded, 10_000);
        return decoded === null || decoded instanceof Uint8Array;
      },
    ),
    { numRuns: runs(200) },
  );
  await turns();
  expect(unhandled).toEqual([]);
});
