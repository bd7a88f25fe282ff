import { readdir, readFile, rm, stat } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { rawConnect, startScriptedUpstream } from "../../src/testing/index.ts";
import { answerIn, startConversation, textAt, valueAt } from "./client.ts";
import { ask } from "./http.ts";
import { holding } from "./nodes.ts";
import {
  afterword,
  createWorkspace,
  npmStart,
  root,
  serveProcess,
  startServer,
  workspace,
  type Workspace,
} from "./processes.ts";
import { engineTexts, shippedTexts } from "./texts.ts";
import { freePort } from "../fixtures/free-port.ts";

const english = shippedTexts("en");

describe("npm start", () => {
  it("does the main job on the port that PORT names", async () => {
    const port = await freePort();
    const { url } = await npmStart(await workspace(), { PORT: String(port) });
    expect(url).toBe(`http://127.0.0.1:${port}`);
    const { base, say } = await startConversation(url);
    expect(base.startsWith(`${url}/r/`)).toBe(true);
    expect(answerIn(await say({ message: "" }))).toEqual({
      flags: ["welcome"],
      message: english["welcome"],
    });
    expect(english["welcome"]).not.toBe(engineTexts("en")["welcome"]);
  });

  it("does it while it is developed, too", async () => {
    const { url } = await npmStart(await workspace(), { PORT: "0" }, "dev");
    const { say } = await startConversation(url);
    expect(answerIn(await say({ message: "" })).message).toBe(english["welcome"]);
  });

  it("listens where the configuration says when nothing else is named, and PORT=0 takes any", async () => {
    const place = await workspace();
    const port = await freePort();
    const written = await readFile(place.config, "utf8");
    expect(written).toContain("port: 8787");
    await place.write("afterword.yaml", written.replace("port: 8787", `port: ${port}`));
    expect((await npmStart(place, {})).url).toBe(`http://127.0.0.1:${port}`);
    expect((await npmStart(place, { PORT: "0" })).port).not.toBe(port);
  });

  it("writes nothing but its data directory, which is closed to others", async () => {
    const place = await workspace();
    const before = await readdir(join(place.path, "config"));
    const { url, stop } = await npmStart(place, { PORT: "0" });
    await startConversation(url);
    await stop();
    const data = join(place.path, "config", ".afterword");
    expect((await readdir(join(place.path, "config"))).toSorted()).toEqual(
      [...before, ".afterword"].toSorted(),
    );
    expect((await stat(data)).mode & 0o077).toBe(0);
    for (const name of ["route-key", "token-key"]) {
      expect([name, (await stat(join(data, name))).mode & 0o777]).toEqual([name, 0o600]);
    }
  });
});

describe("afterword serve", () => {
  it("listens on HOST, unless --host and --port say otherwise", async () => {
    const { config } = await workspace();
    const env = { HOST: "127.0.0.2", PORT: "0", AFTERWORD_CONFIG: config };
    expect((await serveProcess(["serve"], { env })).url).toMatch(/^http:\/\/127\.0\.0\.2:\d+$/u);
    const port = await freePort();
    const args = ["serve", "--host", "127.0.0.1", "--port", String(port)];
    expect((await serveProcess(args, { env })).url).toBe(`http://127.0.0.1:${port}`);
  });

  it("tells everybody that it lives, and only this machine what it counts", async () => {
    const { url } = await serve(await workspace());
    const health = await ask(`${url}/_afterword/health`);
    expect([health.status, health.json()]).toEqual([200, { status: "ok" }]);
    expect((await ask(`${url}/_afterword/ready`)).json()).toMatchObject({ status: "ready" });
    const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as {
      version: string;
    };
    expect((await ask(`${url}/_afterword/version/`)).json()).toEqual({
      version,
      snapshot: expect.stringMatching(/^[\da-f]{64}$/u),
    });
    const metrics = await ask(`${url}/_afterword/metrics`);
    expect([metrics.status, metrics.text]).toEqual([
      200,
      expect.stringContaining("afterword_requests_total"),
    ]);
    for (const headers of [
      { origin: "https://evil.example" },
      { origin: url },
      { "x-forwarded-for": "192.0.2.1" },
      { forwarded: "for=192.0.2.1" },
      { via: "1.1 proxy" },
      { "x-real-ip": "192.0.2.1" },
      { "cf-connecting-ip": "192.0.2.1" },
      { host: "bot.example.com" },
    ]) {
      for (const name of ["metrics", "coverage", "explain", "escalations", "nothing"]) {
        const answer = await ask(`${url}/_afterword/${name}`, { headers });
        expect([name, headers, answer.status]).toEqual([name, headers, 404]);
      }
      expect((await ask(`${url}/_afterword/health`, { headers })).status).toBe(200);
    }
  });

  it("prints a token for one start, and how to use it, and logs neither", async () => {
    const server = await serve(await workspace(), { AFTERWORD_LOG: "debug" });
    const command = /curl -H "Authorization: (Bearer [\w-]{32})" (http:\S+)\n/u;
    const [, authorization = "", url = ""] = command.exec(server.stdout()) ?? [];
    expect(url).toBe(`${server.url}/_afterword/escalations`);
    expect((await ask(url)).status).toBe(404);
    expect((await ask(url, { headers: { authorization } })).status).toBe(200);
    const metrics = { headers: { authorization, "x-real-ip": "192.0.2.1" } };
    expect((await ask(`${server.url}/_afterword/metrics`, metrics)).status).toBe(200);
    const { stderr } = await server.stop();
    expect(stderr).not.toContain(authorization.slice("Bearer ".length));
  });

  it("has no admin without a token where others reach it", async () => {
    const place = await workspace();
    const env = { HOST: "0.0.0.0", AFTERWORD_DEMO_CREDENTIALS: "generate" };
    const server = await serve(place, env);
    expect(server.stdout()).not.toContain("Bearer");
    for (const name of ["metrics", "coverage", "explain", "escalations"]) {
      expect([name, (await ask(`${server.url}/_afterword/${name}`)).status]).toEqual([name, 404]);
    }
    expect(server.stderr()).toContain('"event":"no-admin"');
  });

  it("asks for the admin token once there is one, on this machine too", async () => {
    const AFTERWORD_ADMIN_TOKEN = "open-sesame-please";
    const { url, stdout } = await serve(await workspace(), { AFTERWORD_ADMIN_TOKEN });
    expect(stdout()).toBe(`Afterword listens on ${url}\n`);
    const asked = async (authorization?: string): Promise<number> => {
      const headers = authorization === undefined ? {} : { authorization };
      return (await ask(`${url}/_afterword/metrics`, { headers })).status;
    };
    expect(await asked()).toBe(404);
    expect(await asked("Bearer open-sesame-pleas")).toBe(404);
    expect(await asked("Bearer open-sesame-please1")).toBe(404);
    expect(await asked("Bearer open-sesame-please")).toBe(200);
    expect((await ask(`${url}/_afterword/health`)).status).toBe(200);
  });

  it("leaves the engine's words alone with AFTERWORD_DISABLE=on, says so, and still routes", async () => {
    const { url, stderr } = await serve(await workspace(), { AFTERWORD_DISABLE: "on" });
    expect(stderr()).toContain('"level":"warn","event":"disabled"');
    const { base, say } = await startConversation(url);
    expect(base.startsWith(url)).toBe(true);
    expect(answerIn(await say({ message: "" })).message).toBe(engineTexts("en")["welcome"]);
  });

  it("logs neither targets nor texts nor secrets", async () => {
    const server = await serve(await workspace(), { AFTERWORD_LOG: "debug" });
    const { accessToken, session, base, say } = await startConversation(server.url);
    await say({ message: "confidential question" });
    await ask(`${server.url}/v1/conversation/message?token=confidential`, { body: "{}" });
    await ask(`${server.url}/nothing/confidential`);
    const { stdout, stderr } = await server.stop();
    const lines = stderr.trim().split("\n");
    for (const line of lines) expect(JSON.parse(line)).toMatchObject({ event: expect.any(String) });
    const segment = base.split("/r/")[1] ?? "no segment";
    for (const word of ["confidential", "demo-secret", accessToken, session, segment]) {
      expect(stdout + stderr).not.toContain(word);
    }
  });
});

describe("stopping", () => {
  it("finishes the request that is under way, and takes no other", async () => {
    const slow = await slowVendor();
    const { config } = slow;
    const server = await serveProcess(["serve", "--config", config], { env: { PORT: "0" } });
    const client = await rawConnect(server.port);
    client.send(message);
    await slow.asked;
    server.kill("SIGTERM");
    await refusedAt(server.port);
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
    const slow = await slowVendor();
    const { config } = slow;
    const server = await serveProcess(["serve", "--config", config], { env: { PORT: "0" } });
    const client = await rawConnect(server.port);
    client.send(message);
    await slow.asked;
    server.kill("SIGTERM");
    await refusedAt(server.port);
    server.kill("SIGINT");
    expect((await server.ended).code).toBe(1);
    await client.closed();
  });

  it("and starting again leaves clients with what they had: token, session and routes", async () => {
    const place = await workspace();
    const PORT = String(await freePort());
    const first = await serve(place, { PORT });
    const { say, get } = await startConversation(first.url, { lang: "en" });
    await say({ message: "" });
    await first.stop("SIGKILL");
    await serve(place, { PORT });
    expect(answerIn(await say({ message: "" }))).toEqual({
      flags: ["no-question"],
      message: english["no-question"],
    });
    const history = (await get("conversation/history")).json();
    expect([0, 1].map((i) => valueAt(history, i, "message"))).toEqual([
      engineTexts("en")["welcome"],
      engineTexts("en")["no-question"],
    ]);
  });
});

describe("a restart", () => {
  it("lets a conversation go on in its language", async () => {
    const french = shippedTexts("fr");
    const place = await workspace();
    const PORT = String(await freePort());
    const first = await serve(place, { PORT });
    const { say } = await startConversation(first.url, { lang: "fr" });
    await holding(first, "welcome")(answerIn(await say({ message: "" })).message, "fr");
    await first.stop();
    await serve(place, { PORT });
    await expect
      .poll(async () => answerIn(await say({ message: "" })).message)
      .toBe(french["no-question"]);
  });
});

describe("a start that cannot be", () => {
  it("says in one line that the port is taken", async () => {
    const place = await workspace();
    const { port } = await serve(place);
    const end = await afterword(["serve", "--config", place.config, "--port", String(port)]);
    expect(end).toEqual({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(
        new RegExp(`^127\\.0\\.0\\.1:${port} is in use: .+--port.+\\n$`, "u"),
      ),
    });
  });

  it("says in one line that the host is not this machine's", async () => {
    const { config } = await workspace();
    const end = await afterword(
      ["serve", "--config", config, "--port", "0", "--host", "192.0.2.1"],
      {
        env: { AFTERWORD_DEMO_CREDENTIALS: "generate" },
      },
    );
    expect(end).toMatchObject({ code: 1, stdout: "" });
    expect(lastLine(end.stderr)).toMatch(/^192\.0\.2\.1 is no address of this machine: .+$/u);
    expect(end.stderr).not.toMatch(/^\s+at /mu);
  });

  it.each([
    [
      "a misspelt key",
      "created:",
      "craeted:",
      /afterword\.yaml:26:5: error: .*Did you mean "created"\?/u,
    ],
    ["no YAML", "listen: {", "listen: [{", /afterword\.yaml:\d+:\d+: error: /u],
    [
      "a variable that is not set",
      "demo-key",
      '"${NOT_SET_ANYWHERE}"',
      /afterword\.yaml:\d+:\d+: error: .*NOT_SET_ANYWHERE/u,
    ],
  ])("shows where the configuration has %s", async (_what, from, to, expected) => {
    const place = await workspace();
    const written = await readFile(place.config, "utf8");
    await place.write("afterword.yaml", written.replace(from, to));
    const end = await afterword(["serve"], { env: { PORT: "0", AFTERWORD_CONFIG: place.config } });
    expect(end).toMatchObject({ code: 1, stdout: "", stderr: expect.stringMatching(expected) });
    expect(end.stderr).not.toMatch(/^\s+at /mu);
  });

  it("shows where a text is wrong, and where a content is", async () => {
    const place = await workspace();
    await place.write(join("messages", "en.yaml"), 'welcom: "Hello"\n');
    const texts = await afterword(["serve", "--config", place.config, "--port", "0"]);
    expect(texts).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/messages\/en\.yaml:1:1: error: .*welcome/u),
    });
    await place.write(join("messages", "en.yaml"), "");
    await place.write(join("backend", "shop.en.yaml"), "language: en\ncontents:\n  - { id: 0 }\n");
    const content = await afterword(["serve", "--config", place.config, "--port", "0"]);
    expect(content).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(/backend\/shop\.en\.yaml:3:\d+: /u),
    });
    expect(texts.stderr + content.stderr).not.toMatch(/^\s+at /mu);
  });
});

describe("the demo credentials", () => {
  it.each([
    ["on an address that others reach", { HOST: "0.0.0.0" }, ""],
    ["under a public address", {}, "publicUrl: https://bot.example.com"],
    ["behind a proxy", {}, "trustProxies: [127.0.0.1]"],
  ])("are not offered %s", async (_where, env, line) => {
    const place = await workspace();
    const written = await readFile(place.config, "utf8");
    await place.write(
      "afterword.yaml",
      written.replace(
        /^listen: \{(.*) \}$/mu,
        `listen: {${line === "" ? "$1" : ` port: 0, ${line}`} }`,
      ),
    );
    const end = await afterword(["serve", "--config", place.config], {
      env: { PORT: "0", ...env },
    });
    expect(end).toMatchObject({ code: 1, stdout: "" });
    expect(end.stderr).toMatch(
      /^[^\n]*demo credentials[^\n]*AFTERWORD_DEMO_CREDENTIALS=generate[^\n]*\n$/u,
    );
  });

  it("are replaced by random ones when asked, whose values only their file shows", async () => {
    const place = await workspace();
    const env = {
      HOST: "0.0.0.0",
      PORT: "0",
      AFTERWORD_DEMO_CREDENTIALS: "generate",
      AFTERWORD_LOG: "debug",
    };
    const server = await serveProcess(["serve", "--config", place.config], { env });
    const file = join(place.path, "config", ".afterword", "demo-credentials.json");
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const credentials = JSON.parse(await readFile(file, "utf8")) as {
      apiKey: string;
      secret: string;
      project: string;
    }[];
    expect(credentials.map(({ project }) => project)).toEqual(["shop", "modern"]);
    const [shop] = credentials;
    const { say } = await startConversation(server.url, shop);
    expect(answerIn(await say({ message: "" })).message).toBe(english["welcome"]);
    const known = await ask(`${server.url}/v1/auth`, {
      headers: { "x-inbenta-key": "demo-key" },
      body: "secret=demo-secret",
    });
    expect(known.status).toBe(401);
    const { stdout, stderr } = await server.stop();
    expect(stderr).toContain(file);
    for (const { apiKey, secret } of credentials) {
      expect(stdout + stderr).not.toContain(apiKey);
      expect(stdout + stderr).not.toContain(secret);
    }
    const again = await serveProcess(["serve", "--config", place.config], { env });
    await startConversation(again.url, shop);
  });

  describe("are refused to a request that came through a proxy", () => {
    let url = "";
    beforeAll(async () => {
      const place = await createWorkspace();
      const env = { PORT: "0", AFTERWORD_CONFIG: place.config };
      const server = await startServer([join(root, "src", "cli", "main.ts"), "serve"], { env });
      url = server.url;
      return async () => {
        await server.stop("SIGKILL");
        await rm(place.path, { recursive: true, force: true });
      };
    });

    it.each([
      ...["x-forwarded-for", "forwarded", "x-real-ip", "cf-connecting-ip", "x-client-ip", "via"],
      ...["true-client-ip", "fly-client-ip", "x-envoy-external-address", "x-amzn-trace-id"],
      "x-original-forwarded-for",
    ])("as %s says", async (name) => {
      const headers = { "x-inbenta-key": "demo-key" };
      const body = "secret=demo-secret";
      expect((await ask(`${url}/v1/auth`, { headers, body })).status).toBe(200);
      const proxied = { ...headers, [name]: "192.0.2.1" };
      const refused = await ask(`${url}/v1/auth`, { headers: proxied, body });
      expect([refused.status, textAt(refused.json(), "errors", 0, "message")]).toEqual([
        401,
        "Unauthorized",
      ]);
    });
  });
});

function serve({ config }: Workspace, env: Readonly<Record<string, string>> = {}) {
  return serveProcess(["serve"], { env: { PORT: "0", AFTERWORD_CONFIG: config, ...env } });
}

const message =
  "POST /v1/conversation/message HTTP/1.1\r\nHost: gateway.test\r\nContent-Length: 2\r\n\r\n{}";

/** A vendor that holds its answer back. */
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

/** Resolves once nobody listens on the port any more. */
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

function lastLine(text: string): string {
  return text.trimEnd().split("\n").at(-1) ?? "";
}
