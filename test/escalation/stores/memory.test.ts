import { describe, expect, it } from "vitest";
import { createMemoryEscalations } from "../../../src/escalation/stores/memory.ts";
import { intent, record } from "../suites/records.ts";
import { describeEscalationStore } from "../suites/store.ts";

describeEscalationStore({
  name: "memory",
  open() {
    let time = 1_700_000_000_000;
    return {
      store: createMemoryEscalations({ now: () => time }),
      other: null,
      now: () => time,
      pass(milliseconds) {
        time += milliseconds;
      },
      close() {},
      stored: null,
    };
  },
});

describe("escalations in memory", () => {
  it("are limited in number; of those without a waiting reader, the least recently written is removed", async () => {
    const store = createMemoryEscalations({ now: () => 1, limit: 3 });
    const waited = await store.put(record({ intents: [intent("sent")] }));
    const first = await store.put(record());
    const second = await store.put(record());
    if (waited === null || first === null || second === null) throw new Error("they are new");
    await store.put(first);
    await store.put(record());
    const left = await Promise.all([waited, first, second].map(({ key }) => store.get(key)));
    expect(left.map((one) => one !== null)).toEqual([true, true, false]);
  });

  it("reject a new one when every stored one has a waiting reader", async () => {
    const store = createMemoryEscalations({ now: () => 1, limit: 2 });
    const busy = () => record({ intents: [intent("planned")] });
    const first = await store.put(busy());
    await store.put(busy());
    await expect(store.put(busy())).rejects.toThrow("under way");
    if (first === null) throw new Error("it is new");
    expect((await store.put(first))?.revision).toBe(2);
  });

  it("are not held by a lease or claim from before the clock was set back", async () => {
    let time = 1_700_000_000_000;
    const store = createMemoryEscalations({ now: () => time });
    const one = await store.put(record({ wake: 1 }));
    await store.leaseDue(time, 1, 3_600_000);
    await store.claim("name", "a", 3_600_000);
    time -= 86_400_000;
    expect(await store.leaseDue(time, 1, 1000)).toEqual([one]);
    expect(await store.claim("name", "b", 1000)).toBe(true);
  });
});
