import * as fc from "fast-check";

/** What a target reads, as bytes. */
export interface Inputs {
  /** Whole inputs, right ones and wrong ones, to begin with. */
  readonly examples: readonly (string | Uint8Array)[];
  /** Pieces that mean something in this language. */
  readonly words: readonly string[];
}

type Change = (bytes: Uint8Array, from: Uint8Array) => Uint8Array;

/** An example, or a few, with up to twelve changes: bytes and words put in, cut, doubled, swapped. */
export function changed({ examples, words }: Inputs): fc.Arbitrary<Uint8Array> {
  const inputs = examples.map(bytesOf);
  const example = fc.constantFrom(...inputs);
  const pieces = fc.constantFrom(...words.map(bytesOf));
  const piece = fc.oneof(pieces, fc.uint8Array({ minLength: 1, maxLength: 4 }), example);
  const place = fc.double({ min: 0, max: 1, noNaN: true });
  const span = fc.tuple(place, fc.nat(40));
  const change: fc.Arbitrary<Change> = fc.oneof(
    fc.tuple(place, piece).map(
      ([at, put]) =>
        (bytes: Uint8Array) =>
          splice(bytes, at, 0, put),
    ),
    fc.tuple(span, piece).map(
      ([[at, length], put]) =>
        (bytes: Uint8Array) =>
          splice(bytes, at, length, put),
    ),
    span.map(
      ([at, length]) =>
        (bytes: Uint8Array) =>
          splice(bytes, at, length, NOTHING),
    ),
    fc.tuple(span, place).map(([[from, length], at]) => (bytes: Uint8Array) => {
      const start = Math.floor(from * bytes.length);
      return splice(bytes, at, 0, bytes.slice(start, start + length));
    }),
    fc.tuple(place, fc.nat(255)).map(([at, byte]) => (bytes: Uint8Array) => {
      return splice(bytes, at, 1, Uint8Array.of(byte));
    }),
    place.map((at) => (bytes: Uint8Array, from: Uint8Array) => {
      const cut = Math.floor(at * Math.min(bytes.length, from.length));
      return joined(bytes.subarray(0, cut), from.subarray(cut));
    }),
  );
  return fc
    .tuple(example, example, fc.array(change, { maxLength: 12 }))
    .map(([first, other, changes]) =>
      changes.reduce((bytes, one) => one(bytes, other).subarray(0, LONGEST), first),
    );
}

/** In bytes: doubled often enough, an input would be as large as memory. */
const LONGEST = 65_536;
const NOTHING = new Uint8Array(0);

function splice(bytes: Uint8Array, at: number, length: number, put: Uint8Array): Uint8Array {
  const start = Math.floor(at * bytes.length);
  return joined(bytes.subarray(0, start), put, bytes.subarray(start + length));
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}

function bytesOf(input: string | Uint8Array): Uint8Array {
  return typeof input === "string" ? new TextEncoder().encode(input) : input;
}
