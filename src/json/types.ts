/**
 * Selects the values of a document to capture. A shape is a tree that mirrors the document: `fields`
 * names members of an object, `each` stands for every member not named in `fields`, `items` for
 * every element of an array. Values outside the shape are validated and skipped, never decoded. An
 * empty shape (`{}`) captures only the value's span.
 */
export interface Shape {
  readonly fields?: { readonly [name: string]: Shape };
  readonly each?: Shape;
  readonly items?: Shape;
}

/**
 * A captured value: its span in the bytes, and the members that the shape selects. `start` is the
 * offset of its first byte (the quote of a string, the bracket of an array), `end` the offset
 * after its last byte.
 */
export type JsonNode = JsonObject | JsonArray | JsonString | JsonScalar;

export interface JsonObject {
  readonly kind: "object";
  readonly start: number;
  readonly end: number;
  /** Members that the shape selects; the last one of a repeated name, as in JSON.parse. */
  readonly fields: ReadonlyMap<string, JsonNode>;
}

export interface JsonArray {
  readonly kind: "array";
  readonly start: number;
  readonly end: number;
  /** Elements when the shape has `items`, in order; else empty. */
  readonly items: readonly JsonNode[];
}

export interface JsonString {
  readonly kind: "string";
  readonly start: number;
  readonly end: number;
}

export interface JsonScalar {
  readonly kind: "number" | "true" | "false" | "null";
  readonly start: number;
  readonly end: number;
}

/** Replaces the bytes from `start` up to `end` (exclusive) with `bytes`; `start === end` inserts. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly bytes: Uint8Array;
}
