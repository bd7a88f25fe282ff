import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { decodeRecord, encodeRecord } from "../../../src/escalation/stores/stored-record.ts";
import { directory } from "../../upgrade/fixtures.ts";

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
