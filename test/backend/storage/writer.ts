/**
 * A process of its own that writes to the storage at an address until it is killed: `node writer.ts
 * ADDRESS NAME`. It prints a line for each acknowledged write.
 */
import { writeSync } from "node:fs";
import { openStorage } from "../../../src/backend/storage/open-storage.ts";
import { toItem, session } from "./suites/samples.ts";

const [, , address = "", name = ""] = process.argv;
const { sessions, database } = await openStorage(address);
const expires = Date.now() + 1_000_000;
await Promise.all([0, 1, 2, 3].map(write));

async function write(lane: number): Promise<void> {
  const key = `${name}-${lane}`;
  await sessions.create(session(key, expires));
  for (let turns = 1; ; turns++) {
    if (lane === 0) {
      // Two statements that belong together: both are stored, or neither.
      await database.durable(async (inside) => {
        const row = { project: name, session: key, type: "pair", data: "{}" };
        await inside
          .insertInto("events")
          .values({ ...row, at: turns })
          .execute();
        await inside
          .insertInto("events")
          .values({ ...row, at: turns })
          .execute();
      });
    }
    await sessions.write({ ...session(key, expires), turns }, [toItem(String(turns))]);
    writeSync(1, `${key} ${turns}\n`);
  }
}
