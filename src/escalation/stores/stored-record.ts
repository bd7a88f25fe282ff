import { isRecord, parseJson } from "../../json/values.ts";
import { type EscalationRecord, isEscalationRecord } from "./record.ts";

/**
 * The version of the stored format. Texts of other versions are not read.
 */
const version = 1;

/** The most characters of one stored record. The oldest lines of a longer one are dropped. */
const maxRecordBytes: number = 512 * 1024;

/**
 * Encodes a record as text, and returns the encoded record. If it was too large, its oldest lines
 * were dropped and counted.
 *
 * @throws RangeError when it is larger than {@link maxRecordBytes} even without lines
 */
export function encodeRecord(record: EscalationRecord): {
  readonly record: EscalationRecord;
  readonly text: string;
} {
  let fitted = record;
  for (;;) {
    const text = JSON.stringify({ v: version, record: fitted });
    if (text.length <= maxRecordBytes) return { record: fitted, text };
    const { lines, dropped } = fitted;
    if (lines.length === 0) throw new RangeError("this escalation is too large to be stored");
    const gone = Math.ceil(lines.length / 2);
    fitted = { ...fitted, lines: lines.slice(gone), dropped: dropped + gone };
  }
}

/** Reads {@link encodeRecord}'s text; null if damaged or of another version. Never throws. */
export function decodeRecord(text: string): EscalationRecord | null {
  const value = parseJson(text);
  const record = isRecord(value) && value["v"] === version ? value["record"] : null;
  return isEscalationRecord(record) ? record : null;
}
