import fc from "fast-check";
import { expect, test } from "vitest";
import type { EscalationRecord, HandoffPhase } from "../../../src/escalation/stores/record.ts";
import { decodeRecord, encodeRecord } from "../../../src/escalation/stores/stored-record.ts";
import { fullRecord, talking, waiting } from "../suites/records.ts";

test("every record is read as it was written", () => {
  fc.assert(
    fc.property(anyRecord, (record) => {
      expect(decodeRecord(encodeRecord(record).text)).toEqual(record);
    }),
  );
});

test.each([
  ["no JSON", "{"],
  ["of another version", JSON.stringify({ v: 2, record: {} })],
  ["without its phase", JSON.stringify({ v: 1, record: { ...fullRecord(), phase: null } })],
])("a text that is %s is not a record", (_, text) => {
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
