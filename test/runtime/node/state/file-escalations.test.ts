// Suite: slow
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { emptyMemory } from "../../../../src/conversation/memory.ts";
import { createSealing, type Sealing } from "../../../../src/escalation/stores/sealing.ts";
import { openFileStore } from "../../../../src/runtime/node/state/file-store.ts";
import type { StateStore } from "../../../../src/runtime/node/state/state-store.ts";
import { fullRecord, keyOf, record } from "../../../escalation/suites/records.ts";
import { describeEscalationStore } from "../../../escalation/suites/store.ts";
import { createFolder, type Later } from "../../../fixtures/folder.ts";
import { closeAfterFile } from "../../../fixtures/opened.ts";

const [oldKey, newKey] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];

for (const sealed of [false, true]) {
  const sealing = sealed ? await createSealing([newKey]) : undefined;
  let time = 0;
  let damages = 0;
  const openOne = (file: string) =>
    open({ file, now: () => time, damaged: () => (damages += 1), sealing }, closeAfterFile);
  // For all tests: each open file has a thread, which takes longer to start than most tests.
  let opened: { file: string; one: StateStore; two: StateStore } | null = null;
  describeEscalationStore({
    name: sealed ? "a file, encrypted" : "a file",
    async open() {
      if (opened === null) {
        const file = newFile(closeAfterFile);
        opened = { file, one: await openOne(file), two: await openOne(file) };
      }
      const { file, one, two } = opened;
      inFile(file, (database) => database.exec("DELETE FROM escalations; DELETE FROM claims"));
      time = 1_700_000_000_000;
      damages = 0;
      const about = (key: string): string => `escalation ${key}`;
      return {
        store: one.escalations,
        other: two.escalations,
        now: () => time,
        pass(milliseconds) {
          time += milliseconds;
        },
        close() {},
        stored: {
          async read(key) {
            const text = valueIn(file, key);
            return (await sealing?.open(text, about(key))) ?? text;
          },
          async write(key, text) {
            const value = (await sealing?.seal(text, about(key))) ?? text;
            inFile(file, (database) =>
              database.prepare("UPDATE escalations SET value = ? WHERE key = ?").run(value, key),
            );
          },
          damaged: () => damages,
        },
      };
    },
  });
}

describe("escalations in the state file", () => {
  it("outlive their process", async () => {
    const file = newFile();
    const first = await open({ file });
    const written = await first.escalations.put(fullRecord());
    await first.close();
    const second = await open({ file });
    expect(await second.escalations.get(written?.key ?? "")).toEqual(written);
  });

  it("are written by one process at a time, and none of their writes is lost", async () => {
    const file = newFile();
    const shared = keyOf();
    const program = `
      import { openFileStore } from "./src/runtime/node/state/file-store.ts";
      const { escalations, close } = await openFileStore({
        file: ${JSON.stringify(file)}, now: Date.now, damaged() {}, health: { failed() {}, works() {} },
      });
      let wins = 0;
      while (wins < 25) {
        const before = (await escalations.get("${shared}")) ?? ${JSON.stringify(record({ key: shared }))};
        const dropped = before.dropped + 1;
        if ((await escalations.put({ ...before, dropped })) !== null) wins += 1;
      }
      await close();
    `;
    const ends = await Promise.all(Array.from({ length: 4 }, () => run(program)));
    expect(ends.map(({ stderr }) => stderr).join("")).toBe("");
    const store = await open({ file });
    const last = await store.escalations.get(shared);
    expect([last?.revision, last?.dropped]).toEqual([100, 100]);
  });

  it("are free again when the process that leased and claimed them was killed and its time is over", async () => {
    const file = newFile();
    const one = record({ wake: 1 });
    const program = `
      import { openFileStore } from "./src/runtime/node/state/file-store.ts";
      const { escalations } = await openFileStore({
        file: ${JSON.stringify(file)}, now: Date.now, damaged() {}, health: { failed() {}, works() {} },
      });
      await escalations.put(${JSON.stringify(one)});
      await escalations.leaseDue(Date.now(), 1, 600_000);
      await escalations.claim("calls", "gone", 600_000);
      console.log("ready");
      setInterval(() => {}, 1000);
    `;
    const child = spawn(process.execPath, ["--input-type=module-typescript", "--eval", program]);
    await once(child.stdout, "data");
    const gone = once(child, "exit");
    child.kill("SIGKILL");
    await gone;
    let time = Date.now();
    const store = await open({ file, now: () => time });
    expect(await store.escalations.leaseDue(time, 1, 1000)).toEqual([]);
    expect(await store.escalations.claim("calls", "next", 1000)).toBe(false);
    time += 600_001;
    expect((await store.escalations.leaseDue(time, 1, 1000)).map(({ key }) => key)).toEqual([
      one.key,
    ]);
    expect(await store.escalations.claim("calls", "next", 1000)).toBe(true);
  });

  it("are not held by a lease or claim from before the clock was set back", async () => {
    const file = newFile();
    let time = 1_700_000_000_000;
    const { escalations } = await open({ file, now: () => time });
    const one = await escalations.put(record({ wake: 1 }));
    await escalations.leaseDue(time, 1, 3_600_000);
    await escalations.claim("name", "a", 3_600_000);
    time -= 86_400_000;
    expect(await escalations.leaseDue(time, 1, 1000)).toEqual([one]);
    expect(await escalations.claim("name", "b", 1000)).toBe(true);
  });

  it("wait their turn while another process writes", async () => {
    const file = newFile();
    const { escalations } = await open({ file });
    const other = await open({ file });
    // All attempts together take 1250 ms; a busy machine may delay this process that long.
    for (let held = Infinity; held >= 1250;) {
      const database = new DatabaseSync(file);
      database.exec("BEGIN IMMEDIATE");
      const began = performance.now();
      const writing = Promise.allSettled([escalations.put(record())]);
      // Each conversation's memory has one attempt, so there are more than one here only for
      // several.
      for (let gone = 0; gone < 2; gone++) {
        await expect(other.put(`conversation ${gone}`, emptyMemory)).rejects.toThrow("locked");
      }
      database.close();
      held = performance.now() - began;
      const [end] = await writing;
      if (held < 1250) expect(end).toMatchObject({ value: { revision: 1 } });
    }
  });
});

describe("an encrypted state file", () => {
  it("holds no word of the conversation, and no event id", async () => {
    const file = newFile();
    const store = await open({ file, sealing: await createSealing([newKey]) });
    const written = await store.escalations.put(fullRecord());
    await store.put(keyOf(), { ...emptyMemory, variables: { name: "Wilhelmina" } });
    const texts = [...fragments(file)].join("");
    for (const secret of ["Wilhelmina", "example.test", "Hello", written?.eventId ?? "?", "aw:yes"])
      expect(texts).not.toContain(secret);
    const plain = newFile();
    const open2 = await open({ file: plain });
    await open2.escalations.put(fullRecord());
    expect([...fragments(plain)].join("")).toContain("Wilhelmina");
  });

  it("is read with a former key while the new one writes, and then without the former", async () => {
    const file = newFile();
    const [one, two] = [keyOf(), keyOf()];
    const french = { ...emptyMemory, lang: "fr" };
    const first = await open({ file, sealing: await createSealing([oldKey]) });
    const written = await first.escalations.put(record({ key: one }));
    await first.put(one, french);
    await first.close();
    const both = await open({ file, sealing: await createSealing([newKey, oldKey]) });
    expect(await both.escalations.get(one)).toEqual(written);
    expect(await both.get(one)).toEqual(french);
    if (written === null) throw new Error("it is new");
    const again = await both.escalations.put(written);
    await both.put(two, french);
    await both.close();
    let damages = 0;
    const sealing = await createSealing([newKey]);
    const last = await open({ file, sealing, damaged: () => (damages += 1) });
    expect(await last.escalations.get(one)).toEqual(again);
    expect(await last.get(two)).toEqual(french);
    expect(await last.get(one)).toBeNull();
    expect(damages).toBe(1);
  });

  it("reads what stood there before there was a key, and encrypts it with the next write", async () => {
    const file = newFile();
    const first = await open({ file });
    const written = await first.escalations.put(fullRecord());
    if (written === null) throw new Error("it is new");
    await first.close();
    const second = await open({ file, sealing: await createSealing([newKey]) });
    expect(await second.escalations.get(written.key)).toEqual(written);
    await second.escalations.put(written);
    expect(valueIn(file, written.key)).toMatch(/^sealed:1:/);
  });

  it.each([
    ["with another key", [oldKey], /state\.key does not open the entries of .*state\.db/],
    ["without a key", [], /state\.db holds encrypted entries, and state\.key is not set/],
  ])("refuses to open %s, and stays as it is", async (_, keys, message) => {
    const file = newFile();
    const first = await open({ file, sealing: await createSealing([newKey]) });
    const written = await first.escalations.put(record());
    await first.close();
    const wrong = open({ file, sealing: await createSealing(keys) });
    await expect(wrong).rejects.toMatchObject({
      code: "config-invalid",
      message: expect.stringMatching(message),
    });
    const again = await open({ file, sealing: await createSealing([newKey]) });
    expect(await again.escalations.get(written?.key ?? "")).toEqual(written);
  });

  it("does not take a text for another record's", async () => {
    const file = newFile();
    let damages = 0;
    const sealing = await createSealing([newKey]);
    const { escalations } = await open({ file, sealing, damaged: () => (damages += 1) });
    const [one, two] = [await escalations.put(record()), await escalations.put(record())];
    if (one === null || two === null) throw new Error("they are new");
    inFile(file, (database) =>
      database
        .prepare("UPDATE escalations SET value = ? WHERE key = ?")
        .run(valueIn(file, one.key), two.key),
    );
    expect(await escalations.get(two.key)).toBeNull();
    expect(damages).toBe(1);
  });
});

interface Opening {
  readonly file: string;
  readonly now?: () => number;
  readonly damaged?: () => void;
  readonly sealing?: Sealing | undefined;
}

async function open(
  { sealing, ...options }: Opening,
  later: Later = onTestFinished,
): Promise<StateStore> {
  const store = await openFileStore({
    now: () => Date.now(),
    damaged() {},
    health: { failed() {}, works() {} },
    ...(sealing === undefined ? {} : { sealing }),
    ...options,
  });
  later(() => store.close());
  return store;
}

function run(program: string): Promise<{ readonly stderr: string }> {
  return promisify(execFile)(process.execPath, [
    "--input-type=module-typescript",
    "--eval",
    program,
  ]);
}

function newFile(later?: Later): string {
  return join(createFolder(later), "state.db");
}

function inFile<Value>(file: string, work: (database: DatabaseSync) => Value): Value {
  const database = new DatabaseSync(file, { timeout: 2000 });
  try {
    return work(database);
  } finally {
    database.close();
  }
}

function valueIn(file: string, key: string): string {
  return inFile(file, (database) =>
    String(database.prepare("SELECT value FROM escalations WHERE key = ?").get(key)?.["value"]),
  );
}

/** Everything that is in the file and beside it. */
function* fragments(file: string): Generator<string> {
  const folder = join(file, "..");
  for (const name of readdirSync(folder)) yield readFileSync(join(folder, name), "latin1");
}
