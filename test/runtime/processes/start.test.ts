// Suite: slow
import { once } from "node:events";
import { readdir, readFile, stat } from "node:fs/promises";
import { type AddressInfo, connect, createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { rawConnect, startScriptedUpstream } from "../../../src/testing/index.ts";
import { answerIn, startConversation } from "../../clients/connectors/client.ts";
import { ask } from "../../clients/connectors/http.ts";
import { remembering } from "./nodes.ts";
import {
  afterword,
  npmStart,
  root,
  type Server,
  serveProcess,
  workspace,
  type Workspace,
} from "./processes.ts";
import { engineTexts, shippedTexts } from "../../clients/connectors/texts.ts";
import { freePort } from "../../fixtures/free-port.ts";

const english = shippedTexts("en");

describe("npm start", () => {
  it("answers on the port that PORT names, and writes only its data directory, which is private", async () => {
    const place = await workspace();
    const before = await readdir(join(place.path, "config"));
    const port = await freePort();
    const server = await npmStart(place, { PORT: String(port) });
    const { url } = server;
    expect(url).toBe(`http://127.0.0.1:${port}`);
    expect((await startConversation(url)).base.startsWith(`${url}/r/`)).toBe(true);
    expect(await firstAnswer(server)).toEqual({
      flags: ["welcome"],
      message: english["welcome"],
    });
    expect(english["welcome"]).not.toBe(engineTexts("en")["welcome"]);
    await server.stop();
    const data = join(place.path, "config", ".afterword");
    expect((await readdir(join(place.path, "config"))).toSorted()).toEqual(
      [...before, ".afterword"].toSorted(),
    );
    expect((await stat(data)).mode & 0o077).toBe(0);
    for (const name of ["route-key", "token-key"]) {
      expect([name, (await stat(join(data, name))).mode & 0o777]).toEqual([name, 0o600]);
    }
  });

  it("does so in development too", async () => {
    const server = await npmStart(await workspace(), { PORT: "0" }, "dev");
    expect((await firstAnswer(server)).message).toBe(english["welcome"]);
  });

  it("listens where the configuration says when nothing else is named", async () => {
    const place = await workspace();
    const port = await freePort();
    const written = await readFile(place.config, "utf8");
    expect(written).toContain("port: 8787");
    await place.write("afterword.yaml", written.replace("port: 8787", `port: ${port}`));
    expect((await npmStart(place, {})).url).toBe(`http://127.0.0.1:${port}`);
  });
});

describe("afterword serve", () => {
  it("listens on HOST, unless --host and --port say otherwise", async () => {
    const { config } = await slowVendor();
    const env = { HOST: "127.0.0.2", PORT: "0", AFTERWORD_CONFIG: config };
    const { url } = await serveProcess(["serve"], { env });
    expect(url).toMatch(/^http:\/\/127\.0\.0\.2:\d+$/u);
    // With PORT=0 the port is not the configured one.
    expect(url).not.toContain(":8787");
    const port = await freePort();
    const args = ["serve", "--host", "127.0.0.1", "--port", String(port)];
    expect((await serveProcess(args, { env })).url).toBe(`http://127.0.0.1:${port}`);
    // An empty value, as of an unset variable of a script, is none. It does not mean every address.
    const empty = await serveProcess(["serve", "--host", ""], { env });
    expect(empty.url).toMatch(/^http:\/\/127\.0\.0\.2:\d+$/u);
  });

  it("prints a token for one start, and how to use it, and logs neither that nor targets, texts and secrets", async () => {
    const server = await serve(await workspace(), { AFTERWORD_LOG: "debug" });
    const command = /curl -H "Authorization: (Bearer [\w-]{32})" (http:\S+)\n/u;
    const [, authorization = "", url = ""] = command.exec(server.stdout()) ?? [];
    expect(url).toBe(`${server.url}/_afterword/escalations`);
    expect((await ask(url)).status).toBe(404);
    expect((await ask(url, { headers: { authorization } })).status).toBe(200);
    const metrics = { headers: { authorization, "x-real-ip": "192.0.2.1" } };
    expect((await ask(`${server.url}/_afterword/metrics`, metrics)).status).toBe(200);
    const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as {
      version: string;
    };
    expect((await ask(`${server.url}/_afterword/version/`)).json()).toEqual({
      version,
      snapshot: expect.stringMatching(/^[\da-f]{64}$/u),
    });
    const { accessToken, session, base, say } = await startConversation(server.url);
    await say({ message: "confidential question" });
    await ask(`${server.url}/v1/conversation/message?token=confidential`, { body: "{}" });
    await ask(`${server.url}/nothing/confidential`);
    const { stdout, stderr } = await server.stop();
    const lines = stderr.trim().split("\n");
    for (const line of lines) expect(JSON.parse(line)).toMatchObject({ event: expect.any(String) });
    expect(stderr).not.toContain(authorization.slice("Bearer ".length));
    const segment = base.split("/r/")[1]?.split("/")[0] ?? "no segment";
    for (const word of ["confidential", "demo-secret", accessToken, session, segment]) {
      expect(stdout + stderr).not.toContain(word);
    }
  });
});

/** The first answer of a new conversation. */
function firstAnswer(server: Server) {
  return remembering(server, async () => {
    const { say } = await startConversation(server.url);
    return answerIn(await say({ message: "" }));
  });
}

/** A gateway that gets the signal to stop during a request. */
async function stopping() {
  const slow = await slowVendor();
  const { config } = slow;
  const server = await serveProcess(["serve", "--config", config], { env: { PORT: "0" } });
  const client = await rawConnect(server.port);
  client.send(message);
  await slow.asked;
  server.kill("SIGTERM");
  await refusedAt(server.port);
  return { slow, server, client };
}

describe("stopping", () => {
  it("finishes the request that is under way, and takes no other", async () => {
    const { slow, server, client } = await stopping();
    slow.answer();
    const answer = await client.answer();
    expect(answer.complete).toBe(true);
    expect(new TextDecoder().decode(answer.body)).toContain(JSON.stringify(english["no-results"]));
    await client.closed();
    const { code, stderr } = await server.ended;
    expect(code).toBe(0);
    expect(stderr).toContain('"event":"stopped","broken":0');
  });

  it("ends at once on a second signal", async () => {
    const { server, client } = await stopping();
    server.kill("SIGINT");
    expect((await server.ended).code).toBe(1);
    await client.closed();
  });
});

describe("a start that fails", () => {
  it("says in one line that the port is taken", async () => {
    const { config } = await workspace();
    const other = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void other.close());
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    const end = await afterword(["serve", "--config", config, "--port", String(port)]);
    expect(end).toEqual({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(
        new RegExp(`^127\\.0\\.0\\.1:${port} is in use: .+--port.+\\n$`, "u"),
      ),
    });
  });
});

function serve({ config }: Workspace, env: Readonly<Record<string, string>> = {}) {
  return serveProcess(["serve"], { env: { PORT: "0", AFTERWORD_CONFIG: config, ...env } });
}

const message =
  "POST /v1/conversation/message HTTP/1.1\r\nHost: gateway.test\r\nContent-Length: 2\r\n\r\n{}";

/** A vendor that delays its answer. */
async function slowVendor(): Promise<{ config: string; asked: Promise<void>; answer: () => void }> {
  const asked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const upstream = await startScriptedUpstream({
    async handler() {
      asked.resolve();
      await released.promise;
      return {
        headers: ["Content-Type", "application/json"],
        body: '{"answers":[{"flags":["no-results"],"message":"Sorry"}]}',
      };
    },
  });
  onTestFinished(() => upstream.close());
  const place = await workspace();
  const config = await place.write(
    "vendor.yaml",
    `version: 1
upstream: { auth: ${upstream.origin}, apis: { chatbot: ${upstream.origin} } }
instances: [{ name: bot, match: {}, created: 2018-06-01 }]
`,
  );
  return { config, asked: asked.promise, answer: () => released.resolve() };
}

/** Resolves once the port refuses connections. */
async function refusedAt(port: number): Promise<void> {
  const refused = (): Promise<boolean> =>
    new Promise((resolve) => {
      const socket = connect({ port, host: "127.0.0.1" });
      socket.once("connect", () => {
        socket.destroy();
        resolve(false);
      });
      socket.once("error", () => resolve(true));
    });
  while (!(await refused())) await wait(20);
}
