// npm run bench:worker: CPU that workerd spends on a message (user and system time of the whole process), over 20,000
// messages of 1.7 KB with a flag and a related title, under the timeouts that hold when nobody names any. Fails above 0.3 ms.
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { Agent, request, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeConfiguration } from "../../test/conformance/write-configuration.ts";
import { startWorkerd } from "./workerd.ts";

const messages = Number(process.argv[2] ?? 20_000);
const warmUp = Math.min(2000, messages);
// As many as the configuration under test lets in at once.
const lanes = 6;
const limit = 0.3;

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
await new Promise<void>((resolve) => upstream.listen(0, "127.0.0.1", resolve));
const upstreamPort = (upstream.address() as AddressInfo).port;
let each = 0;
try {
  each = await measure("one isolate, no session", false, {});
  // For comparison: the session's object, which reads its row, runs in the same process and is counted too.
  await measure("with a Durable Object for the session", true, {
    "x-inbenta-session": "Bearer bench",
  });
} finally {
  upstream.close();
}
if (each > limit) process.exitCode = 1;

/** Milliseconds of CPU for a message. */
async function measure(
  name: string,
  remembers: boolean,
  headers: Readonly<Record<string, string>>,
): Promise<number> {
  const directory = await mkdtemp(join(tmpdir(), "afterword-bench-worker-"));
  const configuration = await writeConfiguration(directory, upstreamPort);
  await takeUsualTimeouts(configuration);
  const worker = await startWorkerd(directory, configuration, remembers);
  const agent = new Agent({ keepAlive: true, maxSockets: lanes });
  try {
    const send = (count: number): Promise<void> =>
      sendAll(count, () => ask(agent, worker.port, headers));
    await send(warmUp);
    const before = await worker.cpu();
    await send(messages);
    const spent = ((await worker.cpu()) - before) / messages;
    console.log(`${name.padEnd(40)} ${messages} messages  ${spent.toFixed(3)} ms CPU each`);
    return spent;
  } finally {
    agent.destroy();
    await worker.stop();
    await rm(directory, { recursive: true });
  }
}

/** Those of the tests are short, and under them an answer is taken piece by piece. */
async function takeUsualTimeouts(configuration: string): Promise<void> {
  const text = await readFile(configuration, "utf8");
  await writeFile(configuration, text.replace(/^ *timeouts:.*\n/m, ""));
}

async function sendAll(count: number, send: () => Promise<void>): Promise<void> {
  let left = count;
  const lane = async (): Promise<void> => {
    while (left-- > 0) await send();
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

function ask(agent: Agent, port: number, headers: Readonly<Record<string, string>>): Promise<void> {
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
        if (text.includes("Nothing for") && text.includes("See also:")) resolve();
        else reject(new Error(`${response.statusCode}: ${text.slice(0, 200)}`));
      });
    });
    asking.end(body);
  });
}
