import { appendFile, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it, onTestFinished } from "vitest";
import type { InsightsReport } from "../../../src/insights/facts.ts";
import { engine, flagged, message, question } from "../../clients/conformance/scenario.ts";
import { createSocketClient } from "../../clients/conformance/socket-client.ts";
import { startUpstream } from "../../clients/conformance/upstream.ts";
import { startWranglerDev } from "../../clients/conformance/wrangler.ts";
import { writeConfiguration } from "../../clients/conformance/write-configuration.ts";
import { createFolder } from "../../fixtures/folder.ts";
import { afterword } from "../../cli/terminal.ts";
import { countsOf } from "../../insights/counting.ts";

const ADMIN = "token-of-the-operator";
const SESSION = "session-of-a-reader";

/** A worker with insights, in front of an engine with one answer; it can be restarted. */
async function startCountingWorker() {
  const upstream = await startUpstream();
  onTestFinished(() => upstream.close());
  const directory = createFolder();
  const configuration = await writeConfiguration(directory, upstream.port);
  await appendFile(configuration, "insights: { store: file }\n");
  const start = () => startWranglerDev(directory, configuration, { AFTERWORD_ADMIN_TOKEN: ADMIN });
  let worker = await start();
  onTestFinished(() => worker.stop());
  return {
    directory,
    /** Runs `afterword insights` with these arguments for this worker. */
    run: async (...args: string[]): Promise<string> => {
      const url = ["--url", `http://127.0.0.1:${worker.port}`];
      const env = { AFTERWORD_ADMIN_TOKEN: ADMIN };
      const { out, error } = await afterword(["insights", ...args, ...url], { env });
      return out + error;
    },
    answer: (body: string) => upstream.script({ [message]: engine(body) }),
    async restart(meanwhile = async () => {}): Promise<void> {
      await worker.stop();
      await meanwhile();
      worker = await start();
    },
    async say(session = SESSION): Promise<void> {
      const headers = ["x-inbenta-session", `Bearer ${session}`];
      const { status } = await createSocketClient(worker.port).ask(question({ headers }));
      expect(status).toBe(200);
    },
    async report(query = ""): Promise<InsightsReport> {
      const response = await fetch(
        `http://127.0.0.1:${worker.port}/_afterword/api/insights${query}`,
        { headers: { authorization: `Bearer ${ADMIN}` } },
      );
      expect(response.status).toBe(200);
      return response.json() as Promise<InsightsReport>;
    },
  };
}

it("a worker counts in a Durable Object, keeps the counts through a restart, and erases them", async () => {
  const { answer, say, report, restart, directory, run } = await startCountingWorker();
  await answer(flagged("no-results"));
  await say();
  await say("another reader");
  await expect.poll(async () => (await report()).messages).toBe(2);
  await restart();
  await say();
  await answer('{"answers":[{"message":"An answer.","flags":[]}]}');
  await say("another reader");
  await expect.poll(async () => (await report()).messages).toBe(4);
  const all = await report();
  expect(countsOf(all)).toEqual({ said: 3, failed: 1, answered: 1, unrecovered: 1 });
  expect(all.days).toMatchObject([{ line: "no-results", said: 3 }]);
  expect(all.gaps).toEqual([]);
  expect((await report("?to=2020-01-01")).messages).toBe(0);
  expect((await report("?instance=roaming")).lines).toEqual([]);
  const stored = await readAll(join(directory, "state"));
  expect(stored).toContain("no-results");
  expect(stored).not.toContain(SESSION);

  expect(await run()).toMatch(/^4 messages answered[^]*no-results +3 +1 \(50 %\)/);
  expect(await run("--format", "csv")).toContain('"no-results"');
  expect(await run("--questions")).toMatch(/no questions are kept/);
  expect(await run("erase", "--yes", "--instance", "none")).toMatch(/There is no such instance/);
  expect(await run("erase", "--yes", "--instance", "roaming")).toBe("erased 0 rows\n");
  expect(countsOf(await report())).toEqual(countsOf(all));
  expect(await run("erase", "--yes", "--demo")).toBe("erased 0 rows\n");
  expect(await run("erase", "--yes")).toMatch(/^erased [1-9]\d* rows\n$/);
  expect(await report()).toMatchObject({ messages: 0, lines: [], days: [] });
});

it("counts thousands of readers who left, a limited number in each batch", async () => {
  const { answer, say, report, restart, directory } = await startCountingWorker();
  await answer(flagged("no-results"));
  await say();
  await expect.poll(async () => (await report()).messages).toBe(1);
  const hourAgo = Date.now() - 3_600_000;
  await restart(async () => {
    const database = new DatabaseSync(await findStore(join(directory, "state")));
    const [open] = database.prepare("SELECT said FROM insight_open").all();
    const lines: unknown = JSON.parse(String(open?.["said"]));
    const row = JSON.stringify(Array.isArray(lines) ? lines.with(0, hourAgo) : null);
    const insert = database.prepare("INSERT INTO insight_open VALUES (?, ?, 'roaming', ?)");
    database.exec("BEGIN");
    for (let reader = 1; reader <= 5000; reader++) insert.run(reader, hourAgo, row);
    database.exec("COMMIT");
    database.close();
  });
  await say("another reader");
  const read = async () => {
    const database = new DatabaseSync(await findStore(join(directory, "state")), {
      readOnly: true,
    });
    const [counted] = database.prepare("SELECT count(*) AS count FROM insight_open").all();
    database.close();
    return Number(counted?.["count"]);
  };
  await expect.poll(read).toBe(3002);
  expect(countsOf(await report())).toMatchObject({ said: 2, left: 5000 });
  expect(await read()).toBe(2);
});

/** The database of the object with the counts: the one that has their tables. */
async function findStore(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && entry.name.endsWith(".sqlite"))
    .map(({ parentPath, name }) => join(parentPath, name));
  const found = files.find((file) => {
    const database = new DatabaseSync(file, { readOnly: true });
    const table = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'insight_open'").get();
    database.close();
    return table !== undefined;
  });
  return found ?? expect.fail("no object has counts");
}

/** The bytes of all files below a folder. */
async function readAll(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const bytes = files.map(({ parentPath, name }) => readFile(join(parentPath, name), "latin1"));
  return (await Promise.all(bytes)).join("\n");
}
