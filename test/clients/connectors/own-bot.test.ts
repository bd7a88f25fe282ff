// Suite: long
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { answerIn, startConversation } from "./client.ts";
import { type Ended, serveProcess, workspace } from "../../runtime/processes/processes.ts";
import { endedHere } from "../../cli/terminal.ts";
import { createFolder } from "../../fixtures/folder.ts";

const inits: readonly (readonly string[])[] = [["init"], ["backend", "init"]];

/** Runs a command in a folder, without a process for it: a start takes most of a second. */
async function runIn(
  cwd: string,
  argv: readonly string[],
  env: Record<string, string> = {},
): Promise<Ended> {
  const before = process.cwd();
  process.chdir(cwd);
  try {
    return await endedHere(argv, env);
  } finally {
    process.chdir(before);
  }
}

it.each([
  ["init, then backend init", inits],
  ["backend init, then init", inits.toReversed()],
])("after %s the gateway, check and keys are about one bot", async (_, commands) => {
  const cwd = createFolder();
  let printed = "";
  for (const command of commands) {
    const { code, stdout } = await runIn(cwd, command);
    expect(code).toBe(0);
    printed += stdout;
  }
  const content = join(cwd, "config", "backend", "contents.en.yaml");
  const written = await readFile(content, "utf8");

  await writeFile(content, `${written}    nonsense: true\n`);
  const checked = await runIn(cwd, ["check"]);
  expect(checked.code).toBe(1);
  expect(checked.stdout).toContain("config/backend/contents.en.yaml");
  await writeFile(content, written.replace("tracking link", "Tracking here"));
  expect((await runIn(cwd, ["check"])).code).toBe(0);

  const { url } = await serveProcess(["serve"], { cwd, env: { PORT: "0" } });
  const [, key = ""] = /^API key +(\S+)$/mu.exec(printed) ?? [];
  const [, secret = ""] = /^secret +(\S+)$/mu.exec(printed) ?? [];
  const post = async (path: string, body: unknown, headers = {}): Promise<Response> =>
    fetch(`${url}${path}`, {
      method: "POST",
      headers: { "x-vendor-key": key, "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
  const login = await post("/v1/auth", { secret });
  expect(login.status).toBe(200);
  const { accessToken } = (await login.json()) as { accessToken: string };
  const bearer = { authorization: `Bearer ${accessToken}` };
  const started = await post("/v1/conversation", {}, bearer);
  const { sessionToken } = (await started.json()) as { sessionToken: string };
  const answer = await post(
    "/v1/conversation/message",
    { message: "Where is my order?" },
    { ...bearer, "x-inbenta-session": `Bearer ${sessionToken}` },
  );
  expect(await answer.text()).toContain("Tracking here");

  const listed = await runIn(cwd, ["backend", "key", "list"]);
  expect(listed.stdout).toContain("first");
  await expect(stat(join(cwd, "config", ".afterword"))).rejects.toThrow(/ENOENT/u);
});

it("backend init writes contents in the language of the configuration, and knows languages", async () => {
  const cwd = createFolder();
  await runIn(cwd, ["init", "--locale", "fr"]);
  const unknown = await runIn(cwd, ["backend", "init", "--language", "Deutsch"]);
  expect(unknown.code).toBe(2);
  expect(unknown.stderr).toContain('there is no language "Deutsch". Did you mean "de"?');
  const { stdout } = await runIn(cwd, ["backend", "init"]);
  expect(stdout).toContain("wrote config/backend/contents.fr.yaml");
  const checked = await runIn(cwd, ["check"]);
  expect(checked.stdout).toContain("0 errors, 0 warnings");
});

it("a key is made in the database of the folder's configuration, and a new one is named", async () => {
  const cwd = createFolder();
  await runIn(cwd, ["init"]);
  const file = join(cwd, "config", "afterword.yaml");
  const written = await readFile(file, "utf8");
  await writeFile(file, written.replace(/^backend: .*$/mu, "backend: { database: ./other.db }"));
  const first = await runIn(cwd, ["backend", "key", "add", "first"]);
  expect(first.stderr).toContain("created a new database config/other.db");
  const second = await runIn(cwd, ["backend", "app", "add", "desk"]);
  expect(second.stderr).not.toContain("new database");
  for (const options of [
    ["--config", file],
    ["--database", "config/other.db"],
  ]) {
    const { stdout } = await runIn(cwd, ["backend", "key", "list", ...options]);
    expect(stdout).toContain("first");
  }
  expect(
    (await runIn(tmpdir(), ["backend", "app", "list"], { AFTERWORD_CONFIG: file })).stdout,
  ).toContain("desk");
  expect((await runIn(cwd, ["backend", "init"])).stdout).toContain("config/other.db");
  await expect(stat(join(cwd, ".afterword", "backend.db"))).rejects.toThrow(/ENOENT/u);

  await writeFile(file, "version: 1\nupstream: [\n");
  const broken = await runIn(cwd, ["backend", "key", "add", "third"]);
  expect(broken).toMatchObject({ code: 1, stdout: "" });
  expect(broken.stderr).toMatch(/does not say which database .*--database/u);
});

it("beside a gateway with a database of its own, backend init says what to write there", async () => {
  const cwd = createFolder();
  await runIn(cwd, ["init"]);
  const file = join(cwd, "config", "afterword.yaml");
  const written = await readFile(file, "utf8");
  await writeFile(file, written.replace(/^backend: .*$/mu, "backend: { database: ./other.db }"));
  const other = ["backend", "init", "--database", ".afterword/backend.db"];
  const { stdout } = await runIn(cwd, other);
  const [line = ""] = /^ {2}backend: .*$/mu.exec(stdout) ?? [];
  expect(line).toBe("  backend: { content: ./backend, database: ../.afterword/backend.db }");
  expect(stdout).toContain("the keys of config/other.db");

  await writeFile(file, written.replace(/^backend: .*$/mu, line.trim()));
  expect((await runIn(cwd, ["backend", "init"])).stdout).toContain(
    "afterword serve   # config/afterword.yaml has the same contents and the same keys",
  );
});

it("the smallest configuration runs in an empty folder, as a demo shop, and says so", async () => {
  const cwd = createFolder();
  const file = join(cwd, "afterword.yaml");
  await writeFile(file, "version: 1\nupstream: embedded\n");
  const server = await serveProcess(["serve", "--config", file], { cwd, env: { PORT: "0" } });
  expect((await fetch(`${server.url}/`)).status).toBe(200);
  await expect.poll(() => server.stderr()).toContain('"event":"demo-content"');
});

it("two bots of one process answer the same question by their own thresholds", async () => {
  const place = await workspace();
  const config = await place.write(
    "thresholds.yaml",
    `version: 1
data: ./.afterword
upstream: embedded
backend: { content: ./backend, matching: { threshold: 0.99, offer: 0.99 } }
instances:
  - { name: shop, match: { apiKey: demo-key }, created: 2018-06-01 }
  - name: modern
    match: { apiKey: demo-modern }
    created: 2018-06-01
    backend: { matching: { threshold: 0.05, offer: 0.05 } }
`,
  );
  const { url } = await serveProcess(["serve", "--config", config, "--port", "0"]);
  const asked = async (apiKey: string): Promise<unknown> => {
    const { say } = await startConversation(url, { apiKey });
    return answerIn(await say({ message: "opening on the moon" })).flags;
  };
  expect(await asked("demo-key")).toEqual(["no-results"]);
  expect(await asked("demo-modern")).toEqual([]);
});

it("a report where nothing is names the database of the configuration's bot", async () => {
  const cwd = createFolder();
  await mkdir(join(cwd, "config", ".afterword"), { recursive: true });
  await writeFile(join(cwd, "config", ".afterword", "backend.db"), "");
  const { code, stderr } = await runIn(cwd, ["backend", "report"]);
  expect(code).toBe(1);
  expect(stderr).toContain("--database config/.afterword/backend.db");
});
