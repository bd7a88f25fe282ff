/**
 * Which values of a document are looked at. A shape is a tree that mirrors the document: `fields`
 * names members of an object, `each` stands for every member not named in `fields`, `items` for
 * every element of an array. A value that the shape does not reach is validated and skipped, never
 * materialised. An empty shape (`{}`) captures the value's span only.
 */
export interface Shape {
  readonly fields?: { readonly [name: string]: Shape };
  readonly each?: Shape;
  readonly items?: Shape;
}

/**
 * A captured value: where it lies in the bytes and what the shape asked to see of it. `start` is
 * the offset of its first byte (the quote of a string, the bracket of an array), `end` the offset
 * after its last byte.
 */
export type JsonNode = JsonObject | JsonArray | JsonString | JsonScalar;

export interface JsonObject {
  readonly kind: "object";
  readonly start: number;
  readonly end: number;
  /** Members the shape asked for; of a repeated key the last one, as in JSON.parse. */
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

/** Replace the bytes from `start` to before `end` by `bytes`; `start === end` inserts. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly bytes: Uint8Array;
}
