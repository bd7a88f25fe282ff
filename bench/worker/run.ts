/** Measures the cost of a message in workerd: `npm run bench -- worker --help`. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { Agent, request, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeConfiguration } from "../../test/clients/conformance/write-configuration.ts";
import { medianOf } from "../statistics.ts";
import { byHand, passing } from "./by-hand.ts";
import { startWorker, startWorkerd, type Workerd } from "./workerd.ts";
import { readOptions, whole } from "../options.ts";

const { messages, connections } = readOptions({
  name: "npm run bench -- worker",
  about:
    "CPU that workerd spends on a message (user and system time of the whole process), 1.7 KB with a flag and a related title, under the limits that hold where none are configured. A Worker that only passes on, one written by hand for one flag, and Afterword take turns, so that what slows the machine down slows all of them.",
  options: {
    messages: whole("messages to each", 20_000),
    connections: whole("open connections", 32),
  },
  fails: "a message costs more than 1.7 times what it costs in the Worker by hand",
});
const rounds = 5;
const warmUp = Math.min(2000, messages);
const limit = 1.7;

const filler = "x".repeat(1300);
const answer = Buffer.from(
  JSON.stringify({
    answers: [
      {
        type: "answer",
        message: "Sorry, we could not find any answers to your question.",
        messageList: ["Sorry, we could not find any answers to your question."],
        flags: ["no-results"],
        parameters: { contents: { related: { relatedTitle: "Related", relatedContents: [] } } },
        attributes: { filler },
      },
    ],
  }),
);

const upstream = createServer((incoming, outgoing) => {
  incoming.resume().on("end", () => {
    outgoing.writeHead(200, {
      "content-type": "application/json",
      "content-length": answer.length,
    });
    outgoing.end(answer);
  });
});

interface Contestant {
  readonly name: string;
  readonly says: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly worker: Workerd;
  readonly agent: Agent;
  /** Milliseconds of CPU for a message, by round. */
  readonly spent: number[];
}

const directory = await mkdtemp(join(tmpdir(), "afterword-bench-worker-"));
const contestants: Contestant[] = [];
await new Promise<void>((resolve) => upstream.listen(0, "127.0.0.1", resolve));
try {
  const port = (upstream.address() as AddressInfo).port;
  const address = `http://127.0.0.1:${port}`;
  const said = ["Nothing for", "See also:"];
  const session = { "x-inbenta-session": "Bearer bench" };
  await enter("a Worker that passes on", [], {}, (at) => startWorker(at, passing(address)));
  const handWritten = await enter("a Worker by hand: parse, change, write", said, {}, (at) =>
    startWorker(at, byHand(address)),
  );
  const ours = await enter("Afterword", said, {}, (at) => startAfterword(at, port, false));
  // The session's object, which reads its row, runs in the same process and is counted too.
  await enter("Afterword, a Durable Object for the session", said, session, (at) =>
    startAfterword(at, port, true),
  );
  for (const one of contestants) await send(one, warmUp);
  for (let round = 0; round < rounds; round++) {
    for (const one of round % 2 === 0 ? contestants : contestants.toReversed()) {
      const count = Math.ceil(messages / rounds);
      const before = await one.worker.cpu();
      await send(one, count);
      one.spent.push(((await one.worker.cpu()) - before) / count);
    }
  }
  const beside = medianOf(handWritten.spent);
  report(beside);
  if (!(medianOf(ours.spent) <= limit * beside)) process.exitCode = 1;
} finally {
  for (const { agent, worker } of contestants) {
    agent.destroy();
    await worker.stop();
  }
  upstream.close();
  await rm(directory, { recursive: true });
}

/** @param beside the figures that ratios refer to */
function report(beside: number): void {
  console.log(`${messages} messages each, ${connections} connections: ms of workerd's CPU for one`);
  for (const { name, spent } of contestants) {
    const spread = `${Math.min(...spent).toFixed(3)}–${Math.max(...spent).toFixed(3)}`;
    const ratio = (medianOf(spent) / beside).toFixed(2);
    console.log(`  ${name.padEnd(46)} ${medianOf(spent).toFixed(3)} (${spread})  ${ratio}`);
  }
}

async function enter(
  name: string,
  says: readonly string[],
  headers: Readonly<Record<string, string>>,
  start: (directory: string) => Promise<Workerd>,
): Promise<Contestant> {
  const own = join(directory, String(contestants.length));
  await mkdir(own);
  const worker = await start(own);
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const contestant = { name, says, headers, worker, agent, spent: [] };
  contestants.push(contestant);
  return contestant;
}

async function startAfterword(own: string, port: number, remembers: boolean): Promise<Workerd> {
  const configuration = await writeConfiguration(own, port);
  // The limits of the tests let in a dozen at once, and under their times an answer is taken piece
  // by piece.
  const text = await readFile(configuration, "utf8");
  await writeFile(configuration, text.replaceAll(/^(?: *timeouts|limits):.*\n/gm, ""));
  return startWorkerd(own, configuration, remembers);
}

async function send(to: Contestant, count: number): Promise<void> {
  let left = count;
  const lane = async (): Promise<void> => {
    while (left-- > 0) await ask(to);
  };
  await Promise.all(Array.from({ length: connections }, lane));
}

function ask({ agent, headers, says, worker: { port } }: Contestant): Promise<void> {
  const body = '{"message":"where is my parcel?"}';
  return new Promise((resolve, reject) => {
    const asking = request({
      agent,
      port,
      method: "POST",
      path: "/v1/conversation/message",
      headers: {
        "x-inbenta-key": "fixed",
        ...headers,
        "content-type": "application/json",
        "content-length": body.length,
      },
    });
    asking.on("error", reject);
    asking.on("response", (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => {
        const text = Buffer.concat(chunks).toString("utf8");
        if (response.statusCode === 200 && says.every((part) => text.includes(part))) resolve();
        else reject(new Error(`${response.statusCode}: ${text.slice(0, 200)}`));
      });
    });
    asking.end(body);
  });
}
