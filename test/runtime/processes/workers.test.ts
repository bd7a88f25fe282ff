// Suite: long
import http from "node:http";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { rawConnect, startScriptedUpstream } from "../../../src/testing/index.ts";
import { answerIn, startConversation, valueAt } from "../../clients/connectors/client.ts";
import { ask } from "../../clients/connectors/http.ts";
import { begin, expectAnswer, holding, nodes, remembering, readAnswer } from "./nodes.ts";
import { ended } from "../../fixtures/connection-end.ts";
import { freePort } from "../../fixtures/free-port.ts";
import { runs } from "../../fixtures/runs.ts";
import { afterword, type Server, serveProcess, workspace } from "./processes.ts";
import { shippedTexts } from "../../clients/connectors/texts.ts";

// Every request opens a connection, so that all workers are asked in turn.
beforeAll(() => {
  http.globalAgent = new http.Agent({ keepAlive: false });
});

const nothingIn = (locale: string): string | undefined => shippedTexts(locale)["no-results"];

// A process starts, handles a signal or reads its files again within one to ten seconds, depending
// on the machine.
const patience = { timeout: 60_000 };

describe("afterword serve --workers", () => {
  it("answers a conversation in its language from each of 4 workers, and after a restart", async () => {
    const { node } = await nodes("file");
    const first = await node({ AFTERWORD_WORKERS: "4" });
    const sessions: { readonly lang: string; readonly session: string }[] = [];
    for (const lang of ["fr", "ja", "ar", "de"]) {
      sessions.push({ lang, session: await begin(first, lang) });
    }
    // A worker that is busy with another connection is skipped.
    await expect.poll(() => answering(first, 8), patience).toEqual(new Set([1, 2, 3, 4]));
    const expectAll = async (server: Server): Promise<void> => {
      for (const { lang, session } of sessions) await expectAnswer(server, session, lang);
      const held = holding(server);
      for (let turn = 0; turn < 8; turn++) {
        for (const { lang, session } of sessions)
          await held(await readAnswer(server, session), lang);
      }
    };
    await expectAll(first);
    expect((await first.stop()).code).toBe(0);
    await expectAll(await node({ AFTERWORD_WORKERS: "4" }));
  });

  it("does so with the embedded backend as well: tokens, sessions and history are everybody's", async () => {
    const place = await workspace();
    const port = String(await freePort());
    const args = ["serve", "--config", place.config, "--workers", "2", "--port", port];
    const first = await serveProcess(args);
    const { say, get } = await startConversation(first.url, { lang: "fr" });
    await holding(first, "welcome")(answerIn(await say({ message: "" })).message, "fr");
    const sixTurns = async (server: Server): Promise<void> => {
      const held = holding(server, "no-question");
      for (let turn = 0; turn < 6; turn++) {
        await held(answerIn(await say({ message: "" })).message, "fr");
      }
    };
    await sixTurns(first);
    await first.stop();
    await sixTurns(await serveProcess(args));
    expect((await get("conversation/history")).json()).toHaveLength(13);
  });

  it("says once that it listens, when all do", async () => {
    const { node } = await nodes("file");
    const server = await node({ AFTERWORD_WORKERS: "3" });
    // The log uses another pipe than the line with the address.
    await expect
      .poll(() => server.stderr().split('"event":"listening"').length - 1, patience)
      .toBe(3);
    expect(await ready(server)).toMatchObject({ workers: { listening: 3, of: 3 } });
    const { code, stdout } = await server.stop();
    expect([code, stdout.match(/^Afterword listens on .*$/gm)]).toEqual([
      0,
      [`Afterword listens on ${server.url}`],
    ]);
  });

  it("agrees on generated credentials", async () => {
    const place = await workspace();
    const env = { AFTERWORD_DEMO_CREDENTIALS: "generate", AFTERWORD_WORKERS: "2", PORT: "0" };
    const server = await serveProcess(["serve", "--config", place.config], { env });
    const file = join(place.path, "config", ".afterword", "demo-credentials.json");
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const [account] = JSON.parse(await readFile(file, "utf8")) as {
      apiKey: string;
      secret: string;
    }[];
    const held = holding(server, "welcome");
    for (let turn = 0; turn < 6; turn++) {
      const { say } = await startConversation(server.url, { ...account, lang: "fr" });
      await held(answerIn(await say({ message: "" })).message, "fr");
    }
  });
});

describe("a start with workers that cannot be", () => {
  it("refuses a memory that every worker would have for itself, and names the cure", async () => {
    const { place } = await nodes("memory");
    const file = join(place.path, "config", "nodes.yaml");
    const end = await afterword(["serve", "--config", file, "--port", "0", "--workers", "2"]);
    expect([end.code, end.stdout]).toEqual([1, ""]);
    expect(end.stderr).toMatch(/^.*nodes\.yaml: with 2 workers .+state: \{ store: file \}.+$/mu);
  });

  it("says nothing more when the worker is held up while it ends, and asked twice to do so", async () => {
    const { place } = await nodes("memory");
    const file = join(place.path, "config", "nodes.yaml");
    const heldUp = await place.write(
      "held-up.mjs",
      `import cluster from "node:cluster";
      const disconnect = cluster.worker?.disconnect;
      if (disconnect !== undefined) cluster.worker.disconnect = function () {
        disconnect.call(this);
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
      };`,
    );
    const env = { NODE_OPTIONS: `--import=${pathToFileURL(heldUp).href}`, AFTERWORD_LOG: "warn" };
    const end = await afterword(["serve", "--config", file, "--workers", "2"], { env });
    expect(end).toMatchObject({ code: 1, stderr: expect.stringMatching(/^[^\n]+\n$/u) });
  });

  it("says in one line that the port is taken", async () => {
    const { node, place } = await nodes("file");
    const { port } = await node();
    const file = join(place.path, "config", "nodes.yaml");
    const args = ["serve", "--config", file, "--port", String(port), "--workers", "2"];
    const end = await afterword(args, { env: { AFTERWORD_LOG: "warn" } });
    const line = new RegExp(`^127\\.0\\.0\\.1:${port} is in use: .+\\n$`, "u");
    expect(end).toEqual({ code: 1, stdout: "", stderr: expect.stringMatching(line) });
  });

  it.each(["0", "two", "-1", "1000"])("refuses %s workers", async (count) => {
    const { code, stderr } = await afterword(["serve", `--workers=${count}`]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^afterword serve: .+\n$/u)]);
  });
});

describe("a worker that is killed", () => {
  it("takes nobody's request with it but those on its connections, and is started again", async () => {
    const { node } = await nodes("file");
    const server = await node({ AFTERWORD_WORKERS: "3" });
    const session = await begin(server, "fr");
    await expectAnswer(server, session, "fr");
    const held = holding(server);
    let going = true;
    const answered = Array.from({ length: 12 }, () => 0);
    const clients = answered.map(async (_, client) => {
      const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
      const worker = await workerOn(server, agent);
      let failed = 0;
      while (going) {
        const text = await tellOn(server, agent, session).catch(() => null);
        if (text === null) failed++;
        else {
          await held(text, "fr");
          answered[client] = (answered[client] ?? 0) + 1;
        }
      }
      agent.destroy();
      return { worker, failed };
    });
    await expect.poll(() => Math.min(...answered), patience).toBeGreaterThan(2);
    process.kill(pidOf(server, 2), "SIGKILL");
    await expect.poll(() => restarted(server, 2), patience).toBe(true);
    await expect.poll(() => ready(server), patience).toMatchObject({ workers: { listening: 3 } });
    const before = [...answered];
    await expect
      .poll(() => answered.every((count, client) => count > (before[client] ?? 0)), patience)
      .toBe(true);
    going = false;
    const ends = await Promise.all(clients);
    expect(new Set(ends.map(({ worker }) => worker))).toEqual(new Set([1, 2, 3]));
    let failures = 0;
    for (const { worker, failed } of ends) {
      failures += failed;
      expect([worker, failed > 0]).toEqual([worker, worker === 2]);
    }
    // One of the clients that reconnect at once may be on its way to the worker that ended.
    const lost = ends.filter(({ worker }) => worker === 2).length;
    expect([lost, lost + 1]).toContain(failures);
    expect(server.stderr()).toMatch(/"event":"worker-ended","slot":2,"how":"SIGKILL"/u);
  });

  it("closes a connection that was on its way to it", async () => {
    const { node } = await nodes("file");
    const server = await node({ AFTERWORD_WORKERS: "2" });
    // A stopped process is assigned a connection and does not accept it.
    process.kill(pidOf(server, 2), "SIGSTOP");
    const ends: string[] = [];
    const comers = Array.from({ length: 4 }, async () => ends.push(await ended(server.port)));
    await expect.poll(() => ends, patience).toEqual(["answered", "answered", "answered"]);
    process.kill(pidOf(server, 2), "SIGKILL");
    await Promise.all(comers);
    expect(ends.at(-1)).toBe("refused");
  });

  it("leaves its counts in the sum", async () => {
    const { node } = await nodes("file");
    const server = await node({ AFTERWORD_WORKERS: "3" });
    const session = await begin(server, "fr");
    for (let turn = 0; turn < 9; turn++) await readAnswer(server, session);
    // A worker that does not report its counts within a second is left out.
    for (let turn = 0; turn < 4; turn++) {
      await expect.poll(() => counted(server), patience).toBe(10);
    }
    process.kill(pidOf(server, 1), "SIGKILL");
    await expect.poll(() => restarted(server, 1), patience).toBe(true);
    await expect.poll(() => ready(server), patience).toMatchObject({ workers: { listening: 3 } });
    await readAnswer(server, session);
    await expect.poll(() => counted(server), patience).toBe(11);
    expect((await ask(`${server.url}/_afterword/metrics`)).text).toMatch(
      /^afterword_worker_restarts_total 1$/mu,
    );
  });

  it("is followed by one that knows the same admin token", async () => {
    const { node } = await nodes("file");
    const server = await node({ AFTERWORD_WORKERS: "3" });
    const authorization = /"Authorization: (Bearer \S+)"/u.exec(server.stdout())?.[1] ?? "";
    const statuses = async (): Promise<ReadonlySet<number>> => {
      const all = Array.from({ length: 6 }, () =>
        ask(`${server.url}/_afterword/escalations`, { headers: { authorization } }),
      );
      return new Set((await Promise.all(all)).map(({ status }) => status));
    };
    expect(await statuses()).toEqual(new Set([200]));
    process.kill(pidOf(server, 2), "SIGKILL");
    await expect.poll(() => restarted(server, 2), patience).toBe(true);
    await expect.poll(() => ready(server), patience).toMatchObject({ workers: { listening: 3 } });
    expect(await statuses()).toEqual(new Set([200]));
    expect(server.stdout().match(/Bearer/gu)).toHaveLength(1);
  });

  it("again and again ends the rest, with a line that says so", async () => {
    const { node } = await nodes("file");
    const server = await node({ AFTERWORD_WORKERS: "2" });
    const killed = new Set<number>();
    const killing = setInterval(() => {
      for (const pid of pids(server)) if (!killed.has(pid)) process.kill(pid, "SIGKILL");
      for (const pid of pids(server)) killed.add(pid);
    }, 50);
    const { code, stderr } = await server.ended;
    clearInterval(killing);
    expect(code).toBe(1);
    expect(killed.size).toBeGreaterThanOrEqual(9);
    expect(stderr).toMatch(/^all 2 workers end again and again .+SIGKILL.+$/mu);
  });
});

describe("reloading with workers", () => {
  it("is whole or nothing in all of them, also in one that is started again while the files are broken", async () => {
    const place = await workspace();
    const args = ["serve", "--config", place.config, "--workers", "2", "--port", "0"];
    const server = await serveProcess(args);
    const { say } = await startConversation(server.url);
    await say({ message: "" });
    const readText = (): Promise<string> =>
      remembering(server, async () => answerIn(await say({ message: "" })).message);
    const [shipped] = await snapshots(server);
    const file = join("messages", "en.yaml");
    await place.write(file, 'no-question: "Edited just now."\n');
    await expect.poll(readText, patience).toBe("Edited just now.");
    await expect.poll(() => snapshots(server), patience).toSatisfy(oneOtherThan(shipped ?? null));
    const [edited] = await snapshots(server);
    for (let turn = 0; turn < 6; turn++) expect(await readText()).toBe("Edited just now.");
    await place.write(file, 'no-question: "Broken\n');
    await expect.poll(() => reloadStates(server), patience).toEqual(new Set(["failed"]));
    // The second one has the snapshot from a worker that was itself started again.
    for (const slot of [2, 1]) {
      process.kill(pidOf(server, slot), "SIGKILL");
      await expect.poll(() => restarted(server, slot), patience).toBe(true);
      await expect.poll(() => ready(server), patience).toMatchObject({ workers: { listening: 2 } });
    }
    expect(await snapshots(server)).toEqual([edited]);
    await expect.poll(() => reloadStates(server), patience).toEqual(new Set(["failed"]));
    await place.write(file, 'no-question: "Mended."\n');
    server.kill("SIGHUP");
    await expect.poll(() => snapshots(server), patience).toSatisfy(oneOtherThan(edited ?? null));
    for (let turn = 0; turn < 6; turn++) expect(await readText()).toBe("Mended.");
  });
});

describe("stopping workers", () => {
  it("finishes what is under way, and takes no more", async () => {
    const { server, message, asked, answer } = await slowGateway();
    const client = await rawConnect(server.port);
    client.send(message);
    await asked;
    server.kill("SIGTERM");
    await refused(server);
    answer();
    const got = await client.answer();
    expect(got.complete).toBe(true);
    expect(new TextDecoder().decode(got.body)).toContain(JSON.stringify(nothingIn("en")));
    const { code, stderr } = await server.ended;
    expect(code).toBe(0);
    expect(stderr.split('"event":"stopped"').length - 1).toBe(2);
  });

  it("leaves no connection hanging that comes while it stops", async () => {
    for (let round = 0; round < runs(6); round++) {
      const { server, message, asked, answer } = await slowGateway();
      const client = await rawConnect(server.port);
      client.send(message);
      await asked;
      server.kill("SIGTERM");
      // Clients connect without a pause, until no worker accepts them any more.
      const comers = Array.from({ length: 20 }, async () => {
        const ends = new Set<string>();
        while (!ends.has("refused") && !ends.has("hangs")) ends.add(await ended(server.port));
        return ends;
      });
      for (const ends of await Promise.all(comers)) expect(ends).not.toContain("hangs");
      answer();
      expect((await server.ended).code).toBe(0);
    }
  });

  it("ends at once on a second signal", async () => {
    const { server, message, asked } = await slowGateway();
    const client = await rawConnect(server.port);
    client.send(message);
    await asked;
    server.kill("SIGTERM");
    await refused(server);
    server.kill("SIGINT");
    expect((await server.ended).code).toBe(1);
    await client.closed();
  });
});

/** Resolves when a gateway accepts no connections any more. */
async function refused({ url }: Server): Promise<void> {
  const answers = (): Promise<boolean> =>
    ask(`${url}/_afterword/health`).then(
      () => true,
      () => false,
    );
  await expect.poll(answers, patience).toBe(false);
}

/** Two workers in front of a vendor that answers a message when the test lets it. */
async function slowGateway() {
  let answer: () => void = () => undefined;
  let arrived: () => void = () => undefined;
  const signal = new Promise<void>((resolve) => (answer = resolve));
  const asked = new Promise<void>((resolve) => (arrived = resolve));
  const text = "Sorry.";
  const body = {
    answers: [{ type: "answer", message: text, messageList: [text], flags: ["no-results"] }],
  };
  const vendor = await startScriptedUpstream({
    async handler() {
      arrived();
      await signal;
      return { headers: ["Content-Type", "application/json"], body: JSON.stringify(body) };
    },
  });
  const place = await workspace();
  const file = await place.write(
    "slow.yaml",
    [
      "version: 1",
      `upstream: { auth: "${vendor.origin}", apis: { chatbot: "${vendor.origin}" } }`,
      "instances: [{ name: bot, match: {}, language: en, created: 2018-06-01 }]",
      "messages: { use: [shipped] }",
      "state: { store: file }",
    ].join("\n"),
  );
  const server = await serveProcess(["serve", "--config", file, "--port", "0", "--workers", "2"]);
  const message =
    "POST /v1/conversation/message HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 15\r\n\r\n" +
    '{"message":"x"}';
  return { server, message, asked, answer: () => answer() };
}

async function ready({ url }: Server, agent?: http.Agent): Promise<unknown> {
  if (agent === undefined) return (await ask(`${url}/_afterword/ready`)).json();
  return JSON.parse(await textOn(agent, `${url}/_afterword/ready`)) as unknown;
}

async function workerOn(server: Server, agent: http.Agent): Promise<unknown> {
  return valueAt(await ready(server, agent), "workers", "answering");
}

async function answering(server: Server, times: number): Promise<ReadonlySet<unknown>> {
  const all = new Set<unknown>();
  for (let i = 0; i < times; i++) all.add(valueAt(await ready(server), "workers", "answering"));
  return all;
}

/** The workers' snapshots: one hash if they agree. */
async function snapshots(server: Server): Promise<readonly string[]> {
  const all = new Set<string>();
  for (let i = 0; i < 6; i++) all.add(String(valueAt(await ready(server), "reload", "snapshot")));
  return [...all];
}

async function reloadStates(server: Server): Promise<ReadonlySet<unknown>> {
  const all = new Set<unknown>();
  for (let i = 0; i < 6; i++) all.add(valueAt(await ready(server), "reload", "state"));
  return all;
}

function oneOtherThan(before: string | null) {
  return (hashes: unknown): boolean =>
    Array.isArray(hashes) && hashes.length === 1 && hashes[0] !== before;
}

/** Requests for messages and starts, summed over all workers. */
async function counted({ url }: Server): Promise<number> {
  const { text } = await ask(`${url}/_afterword/metrics`);
  const found = text.matchAll(/^afterword_requests_total\{.*\} (\d+)$/gmu);
  return found.reduce((sum, [, count]) => sum + Number(count), 0);
}

function startsOf(server: Server): readonly { readonly slot: number; readonly pid: number }[] {
  const found = server.stderr().matchAll(/"event":"worker-started","slot":(\d+),"pid":(\d+)/gu);
  return Array.from(found, ([, slot, pid]) => ({ slot: Number(slot), pid: Number(pid) }));
}

function pids(server: Server): readonly number[] {
  return startsOf(server).map(({ pid }) => pid);
}

function pidOf(server: Server, slot: number): number {
  const found = startsOf(server).findLast((start) => start.slot === slot);
  if (found === undefined) throw new Error(`no worker ${slot}`);
  return found.pid;
}

function restarted(server: Server, slot: number): boolean {
  return startsOf(server).filter((start) => start.slot === slot).length > 1;
}

async function tellOn({ url }: Server, agent: http.Agent, session: string): Promise<string> {
  const body = '{"message":"something nobody knows"}';
  const text = await textOn(agent, `${url}/v1/conversation/message`, session, body);
  return String(valueAt(JSON.parse(text), "answers", 0, "message"));
}

function textOn(agent: http.Agent, url: string, session = "", body = ""): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = {
      "content-type": "application/json",
      "x-inbenta-session": `Bearer ${session}`,
    };
    const outgoing = http.request(url, { agent, method: body === "" ? "GET" : "POST", headers });
    outgoing.once("error", reject);
    outgoing.once("response", (incoming) => {
      let text = "";
      incoming.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      incoming.once("error", reject);
      incoming.once("end", () => resolve(text));
    });
    outgoing.end(body);
  });
}
