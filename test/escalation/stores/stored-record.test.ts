import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { EscalationRecord, HandoffPhase } from "../../../src/escalation/record.ts";
import { decodeRecord, encodeRecord } from "../../../src/escalation/stores/stored-record.ts";
import { directory } from "../../upgrade/fixtures.ts";
import { fullRecord, talking, waiting } from "../suites/records.ts";

test("a record that 788c09d has written is read, and written again as it stood there", () => {
  const database = new DatabaseSync(join(directory, "stores/state.db"), { readOnly: true });
  const rows = database.prepare("SELECT value FROM escalations").all();
  database.close();
  expect(rows.length).toBeGreaterThan(30);
  for (const row of rows) {
    const text = String(row["value"]);
    const record = decodeRecord(text);
    if (record === null) throw new Error(`not read: ${text}`);
    expect(JSON.parse(encodeRecord(record).text)).toEqual(JSON.parse(text));
  }
});

test("whatever is written is read as it was, and stands there under the names of every release", () => {
  fc.assert(
    fc.property(anyRecord, (record) => {
      const { text } = encodeRecord(record);
      expect(decodeRecord(text)).toEqual(record);
      const { v, record: stored } = JSON.parse(text) as { v: number; record: object };
      expect(v).toBe(1);
      expect(Object.keys(stored)).toEqual(
        expect.arrayContaining(["sayings", "lastSaying", "told", "toldBefore", "intents", "phase"]),
      );
    }),
  );
});

test.each([
  ["no JSON", "{"],
  ["of another version", JSON.stringify({ v: 2, record: {} })],
  ["without its phase", JSON.stringify({ v: 1, record: { ...fullRecord(), phase: null } })],
])("a text that is %s is none of ours", (_, text) => {
  expect(decodeRecord(text)).toBeNull();
});

const time = fc.nat();
const anyPhase: fc.Arbitrary<HandoffPhase> = fc.oneof(
  fc.record({ name: fc.constant("bot" as const), quietUntil: time }),
  fc.record({ name: fc.constant("offered" as const), reason: fc.string(), at: time }),
  fc.record({
    name: fc.constant("identity" as const),
    field: fc.constantFrom("name" as const, "email" as const, "consent" as const),
    tries: fc.nat(3),
  }),
  fc.record({
    name: fc.constant("reaching" as const),
    step: fc.nat(3),
    since: time,
    why: fc.constantFrom("" as const, "hours" as const, "agents" as const),
  }),
  fc.record({ step: fc.nat(3), queued: fc.boolean() }).map((more) => ({ ...waiting, ...more })),
  fc
    .record({ alone: time, closed: time }, { requiredKeys: [] })
    .map((more) => ({ ...talking, ...more })),
);
const anyRecord: fc.Arbitrary<EscalationRecord> = fc
  .record({
    revision: fc.nat(),
    epoch: fc.nat(),
    phase: anyPhase,
    locale: fc.string(),
    lastMessage: fc.nat(),
    delivered: fc.nat(),
    deliveredBefore: fc.nat(),
    wake: fc.option(time, { nil: null }),
  })
  .chain((more) =>
    fc
      .record({ deliveredByTurn: fc.nat() }, { requiredKeys: [] })
      .map((optional) => fullRecord({ ...more, ...optional })),
  );
