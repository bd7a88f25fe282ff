// Suite: long
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { answerIn, startConversation } from "./client.ts";
import { afterword, serveProcess, workspace } from "../../runtime/processes/processes.ts";
import { createFolder } from "../../fixtures/folder.ts";

const inits: readonly (readonly string[])[] = [["init"], ["backend", "init"]];

it.each([
  ["init, then backend init", inits],
  ["backend init, then init", inits.toReversed()],
])("after %s the gateway, check and keys are about one bot", async (_, commands) => {
  const cwd = createFolder();
  let printed = "";
  for (const command of commands) {
    const { code, stdout } = await afterword(command, { cwd });
    expect(code).toBe(0);
    printed += stdout;
  }
  const content = join(cwd, "config", "backend", "contents.en.yaml");
  const written = await readFile(content, "utf8");

  await writeFile(content, `${written}    nonsense: true\n`);
  const checked = await afterword(["check"], { cwd });
  expect(checked.code).toBe(1);
  expect(checked.stdout).toContain("config/backend/contents.en.yaml");
  await writeFile(content, written.replace("tracking link", "Tracking here"));
  expect((await afterword(["check"], { cwd })).code).toBe(0);

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

  const listed = await afterword(["backend", "key", "list"], { cwd });
  expect(listed.stdout).toContain("first");
  await expect(stat(join(cwd, "config", ".afterword"))).rejects.toThrow(/ENOENT/u);
});

it("backend init writes contents in the language of the configuration, and knows languages", async () => {
  const cwd = createFolder();
  await afterword(["init", "--locale", "fr"], { cwd });
  const unknown = await afterword(["backend", "init", "--language", "Deutsch"], { cwd });
  expect(unknown.code).toBe(2);
  expect(unknown.stderr).toContain('there is no language "Deutsch". Did you mean "de"?');
  const { stdout } = await afterword(["backend", "init"], { cwd });
  expect(stdout).toContain("wrote config/backend/contents.fr.yaml");
  const checked = await afterword(["check"], { cwd });
  expect(checked.stdout).toContain("0 errors, 0 warnings");
});

it("a key is made in the database of the folder's configuration, and a new one is named", async () => {
  const cwd = createFolder();
  await afterword(["init"], { cwd });
  const file = join(cwd, "config", "afterword.yaml");
  const written = await readFile(file, "utf8");
  await writeFile(file, written.replace(/^backend: .*$/mu, "backend: { database: ./other.db }"));
  const first = await afterword(["backend", "key", "add", "first"], { cwd });
  expect(first.stderr).toContain("created a new database config/other.db");
  const second = await afterword(["backend", "app", "add", "desk"], { cwd });
  expect(second.stderr).not.toContain("new database");
  for (const options of [
    ["--config", file],
    ["--database", "config/other.db"],
  ]) {
    const { stdout } = await afterword(["backend", "key", "list", ...options], { cwd });
    expect(stdout).toContain("first");
  }
  const elsewhere = { cwd: tmpdir(), env: { AFTERWORD_CONFIG: file } };
  expect((await afterword(["backend", "app", "list"], elsewhere)).stdout).toContain("desk");
  expect((await afterword(["backend", "init"], { cwd })).stdout).toContain("config/other.db");
  await expect(stat(join(cwd, ".afterword", "backend.db"))).rejects.toThrow(/ENOENT/u);

  await writeFile(file, "version: 1\nupstream: [\n");
  const broken = await afterword(["backend", "key", "add", "third"], { cwd });
  expect(broken).toMatchObject({ code: 1, stdout: "" });
  expect(broken.stderr).toMatch(/does not say which database .*--database/u);
});

it("beside a gateway with a database of its own, backend init says what to write there", async () => {
  const cwd = createFolder();
  await afterword(["init"], { cwd });
  const file = join(cwd, "config", "afterword.yaml");
  const written = await readFile(file, "utf8");
  await writeFile(file, written.replace(/^backend: .*$/mu, "backend: { database: ./other.db }"));
  const other = ["backend", "init", "--database", ".afterword/backend.db"];
  const { stdout } = await afterword(other, { cwd });
  const [line = ""] = /^ {2}backend: .*$/mu.exec(stdout) ?? [];
  expect(line).toBe("  backend: { content: ./backend, database: ../.afterword/backend.db }");
  expect(stdout).toContain("the keys of config/other.db");

  await writeFile(file, written.replace(/^backend: .*$/mu, line.trim()));
  expect((await afterword(["backend", "init"], { cwd })).stdout).toContain(
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
  const { code, stderr } = await afterword(["backend", "report"], { cwd });
  expect(code).toBe(1);
  expect(stderr).toContain("--database config/.afterword/backend.db");
});
