/** Whether lists stay quick and small: `npm run bench:million -- --help`. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClients } from "../../src/api/clients.ts";
import { fillTickets } from "./fill-tickets.ts";
import { startBackend } from "./process.ts";
import { optionalText, readOptions, whole } from "../options.ts";
import { quantile } from "../statistics.ts";

const values = readOptions({
  name: "npm run bench:million",
  about:
    "Whether lists stay quick and small. Fills a file with tickets, starts the backend on it, and asks for pages: the first and the last of every filter and every order, IQL, and one thousand after another.",
  options: {
    tickets: whole("tickets in the file", 1_000_000),
    file: optionalText("a database that is filled already", "FILE", "a new one"),
  },
  fails: "the backend grows by more than 50 MB",
});
const { tickets } = values;
const most = 50;
const directory = await mkdtemp(join(tmpdir(), "afterword-million-"));
const file = values.file ?? join(directory, "backend.db");
try {
  const filling = performance.now();
  if (values.file === null) await fillTickets(file, tickets);
  console.log(`${tickets} tickets in ${((performance.now() - filling) / 1000).toFixed(0)} s`);
  const backend = await startBackend(file);
  try {
    const clients = createClients({
      auth: { url: backend.url, apiKey: "demo-key", secret: "demo-secret" },
    });
    const ask = await asking(clients);
    // What a process needs for any list at all is no growth.
    for (let warm = 0; warm < 50; warm += 1) await ask("length=200");
    const before = backend.rss();
    let highest = before;
    const measured = async (what: string, queries: readonly string[]): Promise<void> => {
      const times: number[] = [];
      for (const query of queries) {
        const began = performance.now();
        await ask(query);
        times.push(performance.now() - began);
        highest = Math.max(highest, backend.rss());
      }
      times.sort((a, b) => a - b);
      const at = (share: number): string => quantile(times, share).toFixed(1);
      console.log(
        `${what}: ${times.length} pages, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms`,
      );
    };
    const last = tickets - 50;
    const orders = ["id", "created", "last_update"].flatMap((name) => [name, `-${name}`]);
    const filters = [
      ...["status=2", "queue=1", "queue=77", "source=1", "classification=5", "creator=5"],
      ...[
        "solver=7",
        `parent=${Math.round(tickets / 2)}`,
        "external_id=chat-77",
        "status=2&creator=5",
      ],
    ];
    const conditions = [
      "status IS NOT 5 AND classification IS 5",
      'created >= "2025-10-01" AND created < "2025-10-02"',
      'last_update >= "2025-12-31"',
      "creator IS 5 AND status IS 2",
    ];
    const slow = ['message IS "nothing"', "status IS NOT 5 AND (title IS EMPTY OR creator IS 5)"];
    const both = (list: readonly string[], deep: number): readonly string[] =>
      list.flatMap((one) =>
        orders.flatMap((sort) => [0, deep].map((offset) => `${one}&sort=${sort}&offset=${offset}`)),
      );
    const iql = (list: readonly string[]): readonly string[] =>
      list.map((one) => `iql=${encodeURIComponent(one)}`);
    await measured("no filter, first and last page, every order", both(["length=50"], last));
    await measured(
      "every filter, first and a late page, every order",
      both(filters, Math.round(tickets / 5)),
    );
    await measured("IQL, first and a late page, every order", both(iql(conditions), 1000));
    await measured("IQL that no index answers, every order", both(iql(slow), 1000));
    const walk = Array.from(
      { length: 1000 },
      (_, page) => `length=200&sort=-last_update&offset=${page * 200}`,
    );
    await measured(
      "1,000 pages of 200, one after the other",
      walk.slice(0, Math.ceil(tickets / 200)),
    );
    const growth = (highest - before) / 1_048_576;
    console.log(
      `memory: ${(before / 1_048_576).toFixed(0)} MB before, at most ${growth.toFixed(0)} MB more; goal ${most}`,
    );
    if (growth > most) process.exitCode = 1;
  } finally {
    await backend.end("SIGTERM");
  }
} finally {
  await rm(directory, { recursive: true, force: true });
}

async function asking({
  auth,
}: ReturnType<typeof createClients>): Promise<(query: string) => Promise<void>> {
  return async (query) => {
    const { accessToken, apis } = await auth.current();
    const headers = { "x-vendor-key": "demo-key", authorization: `Bearer ${accessToken}` };
    const answer = await fetch(`${apis["ticketing"] ?? ""}/v1/tickets?${query}`, { headers });
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`${answer.status} for ${query}`);
  };
}
