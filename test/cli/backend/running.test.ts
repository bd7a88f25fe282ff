// Suite: long
import { mkdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import type { Json } from "../../backend/client.ts";
import { type Server, serveProcess } from "../../runtime/processes/processes.ts";
import { backendIn, shown } from "./place.ts";
import { createFolder } from "../../fixtures/folder.ts";

// Starts processes, several of them in one test.
vi.setConfig({ testTimeout: 180_000 });

/** A folder with what `backend init` makes, and the credentials that it showed. */
async function initialised(): Promise<{ cwd: string; apiKey: string; secret: string }> {
  const cwd = createFolder();
  const { code, stdout } = await backendIn(cwd, ["init"]);
  expect(code).toBe(0);
  return { cwd, apiKey: shown("API key", stdout), secret: shown("secret", stdout) };
}

const anyPort = ["--port", "0"];

async function ask(
  url: string,
  apiKey: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: Json }> {
  const answer = await fetch(url, {
    method: "POST",
    headers: { "x-vendor-key": apiKey, "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: await answer.json() };
}

const login = (server: Server, apiKey: string, secret: string) =>
  ask(`${server.url}/v1/auth`, apiKey, { secret });

test("from an empty folder to a conversation on a real address, and a report of it", async () => {
  const { cwd, apiKey, secret } = await initialised();
  const publicUrl = "https://bot.example.com/afterword/";
  const args = ["backend", "--host", "0.0.0.0", ...anyPort, "--public-url", publicUrl];
  const server = await serveProcess(args, { cwd });
  const url = server.url.replace("0.0.0.0", "127.0.0.1");
  const { body } = await ask(`${url}/v1/auth`, apiKey, { secret });
  expect(body["apis"].chatbot).toBe("https://bot.example.com/afterword/chatbot");
  const reference = await (await fetch(`${url}/docs`)).text();
  expect(reference).toContain("BASE=https://bot.example.com/afterword\n");
  expect((await ask(`${url}/v1/auth`, "demo-key", { secret: "demo-secret" })).status).toBe(401);

  const token = { authorization: `Bearer ${body["accessToken"]}` };
  const start = await ask(`${url}/v1/conversation`, apiKey, {}, token);
  const talk = { ...token, "x-inbenta-session": `Bearer ${start.body["sessionToken"]}` };
  const question = { message: "When will my order arrive?" };
  const answer = await ask(`${url}/v1/conversation/message`, apiKey, question, talk);
  const [first] = answer.body["answers"];
  expect(first.message).toContain("tracking link");
  const { rateCode } = first.parameters.contents.trackingCode;
  const rating = { type: "rate", data: { code: rateCode, value: 1 } };
  expect((await ask(`${url}/v1/tracking/events`, apiKey, rating, talk)).status).toBe(200);

  const report = await backendIn(cwd, ["report", "--by", "content", "--format", "csv"]);
  expect(report.stdout.split("\r\n")[1] ?? report.stdout).toBe(
    '"1","Where is my order?","1","1","0","1","0","0"',
  );
  await server.stop();
});

test("a key that is made or revoked while the backend runs counts at once", async () => {
  const { cwd, apiKey, secret } = await initialised();
  const server = await serveProcess(["backend", "--no-demo", ...anyPort], { cwd });
  expect((await login(server, apiKey, secret)).status).toBe(200);
  const { stdout } = await backendIn(cwd, ["key", "add", "late"]);
  const late = [shown("API key", stdout), shown("secret", stdout)] as const;
  const { status, body } = await login(server, ...late);
  expect(status).toBe(200);
  await backendIn(cwd, ["key", "revoke", "late"]);
  await expect
    .poll(async () => (await login(server, ...late)).status, { timeout: 50_000, interval: 200 })
    .toBe(401);
  const token = { authorization: `Bearer ${body["accessToken"]}` };
  expect((await ask(`${server.url}/v1/conversation`, late[0], {}, token)).status).toBe(401);
  expect((await login(server, apiKey, secret)).status).toBe(200);
});

test("the demo credentials work on loopback only, and not when they are switched off", async () => {
  const { cwd } = await initialised();
  const demo = (server: Server) => login(server, "demo-key", "demo-secret");
  const local = await serveProcess(["backend", ...anyPort], { cwd });
  expect((await demo(local)).status).toBe(200);
  for (const args of [["--no-demo"], ["--public-url", "https://bot.example.com"]]) {
    const server = await serveProcess(["backend", ...anyPort, ...args], { cwd });
    expect((await demo(server)).status).toBe(401);
  }
});

test.each([
  [["--host", "0.0.0.0"], "the listener 0.0.0.0 can be reached from elsewhere"],
  [["--host", "::", "--no-demo"], "the listener :: can be reached from elsewhere"],
  [["--public-url", "https://bot.example.com"], "the public address is https://bot.example.com"],
])(
  "without a key of its own it does not start with %j, and says how to make one",
  async (args, why) => {
    const cwd = createFolder();
    const ended = await backendIn(cwd, [...anyPort, ...args]);
    expect(ended).toMatchObject({ code: 1, stdout: "" });
    expect(ended.stderr.split("\n").at(-2)).toMatch(
      new RegExp(
        `^afterword backend: .*${why.replaceAll(".", "\\.")}.*afterword backend key add NAME`,
      ),
    );
  },
);

test("an empty host is the default, and does not open every address", async () => {
  const { cwd } = await initialised();
  const server = await serveProcess(["backend", ...anyPort, "--host", ""], { cwd });
  expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:/);
});

test("credentials are generated instead, into a file that only its owner can read", async () => {
  const { cwd } = await initialised();
  await mkdir(join(cwd, "fresh"));
  const args = ["backend", ...anyPort, "--host", "0.0.0.0", "--database", "fresh/backend.db"];
  const env = { AFTERWORD_DEMO_CREDENTIALS: "generate" };
  const server = await serveProcess(args, { cwd, env });
  const file = join(cwd, "fresh", "demo-credentials.json");
  expect(server.stderr()).toContain(file);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const [first] = JSON.parse(await readFile(file, "utf8"));
  expect(server.stderr() + server.stdout()).not.toContain(first.secret);
  const url = server.url.replace("0.0.0.0", "127.0.0.1");
  const answer = await ask(`${url}/v1/auth`, first.apiKey, { secret: first.secret });
  expect(answer.status).toBe(200);
  const wrong = await backendIn(cwd, [], { AFTERWORD_DEMO_CREDENTIALS: "yes" });
  expect(wrong).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^[^\n]*"generate"[^\n]*\n$/),
  });
});

test("a backup of a running backend is taken, and restored only after it has stopped", async () => {
  const { cwd, apiKey, secret } = await initialised();
  const server = await serveProcess(["backend", ...anyPort, "--no-demo"], { cwd });
  const copy = join(cwd, "copy.db");
  expect(await backendIn(cwd, ["backup", copy])).toMatchObject({ code: 0 });
  const busy = await backendIn(cwd, ["restore", copy]);
  expect(busy).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/is in use: stop the backend/),
  });
  expect((await login(server, apiKey, secret)).status).toBe(200);
  expect((await server.stop()).code).toBe(0);
  expect(await backendIn(cwd, ["restore", copy])).toMatchObject({ code: 0 });
});

test.each([
  [["--public-url", "bot.example.com"], /--public-url is an address/],
  [["--public-url", "https://bot.example.com/?a=b"], /--public-url is an address/],
  [["--language", "not a language"], /--language is a language tag/],
  [["--webhooks", "a.example,http://b.example/x"], /--webhooks takes .*not "http:\/\/b/],
  [["--port", "x"], /"x" is not a port/],
  [["start"], /there is no command "start"/],
])("%j end in one line and exit code 2", async (args, expected) => {
  const ended = await backendIn(createFolder(), args);
  expect(ended).toMatchObject({ code: 2, stdout: "", stderr: expect.stringMatching(expected) });
  expect(ended.stderr).toMatch(/^afterword backend: [^\n]*\n$/);
});
