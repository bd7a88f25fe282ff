// Suite: long
import { readFile, rename, symlink } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, it } from "vitest";
import { answerIn, startConversation, textAt, valueAt } from "../../clients/connectors/client.ts";
import { ask } from "../../clients/connectors/http.ts";
import { remembering } from "./nodes.ts";
import { npmStart, type Server, serveProcess, workspace } from "./processes.ts";

it("a text that is edited while npm start runs is in the next answer", async () => {
  const place = await workspace();
  const server = await npmStart(place, { PORT: "0" });
  const { say } = await startConversation(server.url);
  await say({ message: "" });
  const before = await snapshotOf(server);
  await place.write(join("messages", "en.yaml"), 'no-question: "Edited just now."\n');
  await until(async () => (await snapshotOf(server)) !== before);
  const answer = await remembering(server, async () => answerIn(await say({ message: "" })));
  expect(answer).toEqual({
    flags: ["no-question"],
    message: "Edited just now.",
  });
  const { stdout, stderr, code } = await server.stop();
  expect(code).toBe(0);
  expect(stdout + stderr).not.toContain("Edited just now.");
});

it("SIGHUP reads everything again, and ends nothing", async () => {
  const place = await workspace();
  const server = await serveProcess(["serve", "--config", place.config, "--port", "0"]);
  // A change before the start is counted at most once.
  for (let times = 0; times < 3; times++) {
    const before = reloads(server);
    server.kill("SIGHUP");
    await until(() => reloads(server) > before);
  }
  expect((await ask(`${server.url}/_afterword/health`)).status).toBe(200);
});

it("a broken file is said once, in one line, and the last good texts stay", async () => {
  const place = await workspace();
  const server = await serveProcess(["serve", "--config", place.config, "--port", "0"]);
  const before = await snapshotOf(server);
  const file = await place.write(join("messages", "en.yaml"), 'welcome: "Hello\n');
  await until(async () => valueAt(await ready(server), "reload", "state") === "failed");
  expect(textAt(await ready(server), "reload", "diagnostics", 0, "file")).toBe(file);
  const refused = await refusals(server);
  server.kill("SIGHUP");
  await until(async () => (await refusals(server)) > refused);
  expect(await snapshotOf(server)).toBe(before);
  const { say } = await startConversation(server.url);
  expect(answerIn(await say({ message: "" })).flags).toEqual(["welcome"]);
  const { stderr } = await server.stop();
  const lines = stderr.split("\n").filter((line) => line.includes("config-diagnostic"));
  expect(lines).toHaveLength(1);
  const spot = { file, line: expect.any(Number), column: expect.any(Number) };
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({ level: "error", code: "yaml", ...spot });
});

it("a broken content file is said once, with its place, and the last good contents answer until it is mended", async () => {
  const place = await workspace();
  const written = await readFile(join(place.path, "config/backend/shop.en.yaml"), "utf8");
  const server = await serveProcess(["serve", "--config", place.config, "--port", "0"]);
  const file = await place.write(
    join("backend", "shop.en.yaml"),
    "language: en\ncontents: [{ id: 1, title: T }]\n",
  );
  await until(() => server.stderr().includes("content-refused"));
  const { say } = await startConversation(server.url);
  expect(answerIn(await say({ message: "Opening hours" })).flags).toEqual([]);
  server.kill("SIGHUP");
  await until(() => reloads(server) > 0);
  const lines = server
    .stderr()
    .split("\n")
    .filter((line) => line.includes("content-refused"));
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({ level: "warn", errors: 1 });
  expect(textAt(JSON.parse(lines[0] ?? ""), "detail")).toMatch(`${file}:2:`);
  const mistake = { state: "failed", errors: 1, detail: expect.stringContaining(`${file}:2:`) };
  expect(valueAt(await ready(server), "content")).toMatchObject(mistake);
  const stranger = { headers: { "x-real-ip": "192.0.2.1" } };
  const shown = (await ask(`${server.url}/_afterword/ready`, stranger)).json();
  expect(textAt(shown, "content", "detail")).toMatch(/^shop\.en\.yaml:2:\d+$/u);
  const counted = async (): Promise<string> => (await ask(`${server.url}/_afterword/metrics`)).text;
  expect(await counted()).toContain("\nafterword_content_reload_failed 1\n");

  await place.write(join("backend", "shop.en.yaml"), written);
  await until(() => server.stderr().includes('"event":"content-reloaded"'));
  expect(server.stderr()).toMatch(/"event":"content-reloaded","contents":\d+,"mended":true/u);
  expect(valueAt(await ready(server), "content", "state")).toBe("ok");
  const text = await counted();
  expect(text).toContain('afterword_content_reloads_total{result="failed"} 1\n');
  expect(text).toContain('afterword_content_reloads_total{result="ok"} 1\n');
  expect(text).toContain("\nafterword_content_reload_failed 0\n");
});

it("a messages directory may be a link that is switched", async () => {
  const place = await workspace();
  const messages = join(place.path, "config", "messages");
  await rename(messages, `${messages}-1`);
  await symlink("messages-1", messages);
  const server = await serveProcess(["serve", "--config", place.config, "--port", "0"]);
  const before = await snapshotOf(server);
  await symlink("backend/texts", join(place.path, "config", "messages-new"));
  await rename(join(place.path, "config", "messages-new"), messages);
  await until(async () => (await snapshotOf(server)) !== before);
  expect(valueAt(await ready(server), "reload", "state")).toBe("ok");
});

function reloads(server: Server): number {
  return server.stderr().split('"event":"reloaded"').length - 1;
}

async function snapshotOf({ url }: Server): Promise<string> {
  return textAt((await ask(`${url}/_afterword/version`)).json(), "snapshot");
}

async function ready({ url }: Server): Promise<unknown> {
  return (await ask(`${url}/_afterword/ready`)).json();
}

async function refusals({ url }: Server): Promise<number> {
  const { text } = await ask(`${url}/_afterword/metrics`);
  return Number(/result="failed"\} (\d+)/u.exec(text)?.[1]);
}

async function until(wanted: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await wanted())) await wait(20);
}
