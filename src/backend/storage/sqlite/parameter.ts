import { storable } from "../storable.ts";
import type { SqliteValue } from "./protocol.ts";

/**
 * A query's parameter as SQLite takes it. Bytes are copied: the copy moves to the thread, the
 * caller's stay.
 */
export function toParameter(value: unknown): SqliteValue {
  switch (typeof value) {
    case "string":
      return storable(value);
    case "number":
    case "bigint":
      return value;
    default:
      if (value === null || value === undefined) return null;
      if (value instanceof Uint8Array) return new Uint8Array(value);
      throw new TypeError(
        `a ${typeof value} is no database value: store texts, numbers, bytes or null`,
      );
  }
}
