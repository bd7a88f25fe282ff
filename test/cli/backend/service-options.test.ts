// Suite: long
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { scriptedSmtp } from "../../backend/mail/scripted-smtp.ts";
import type { Json } from "../../backend/client.ts";
import { serveProcess } from "../../runtime/processes/processes.ts";
import { backendIn, inDatabase, shown } from "./place.ts";
import { createFolder } from "../../fixtures/folder.ts";

// Starts processes, several of them in one test.
vi.setConfig({ testTimeout: 180_000 });

interface Caller {
  (
    path: string,
    init?: { body?: object; headers?: Record<string, string> },
  ): Promise<{
    status: number;
    body: Json;
  }>;
}

/**
 * A backend in a process of its own, with these arguments, and a caller with a key of this project.
 */
async function running(
  project: string,
  ...args: readonly string[]
): Promise<Caller & { cwd: string }> {
  const cwd = createFolder();
  const made = await backendIn(cwd, ["init", "--project", project]);
  const key = { "x-vendor-key": shown("API key", made.stdout) };
  const server = await serveProcess(["backend", "--port", "0", ...args], { cwd });
  const call = async (
    path: string,
    { body, headers = {} }: { body?: object; headers?: Record<string, string> } = {},
  ): Promise<{ status: number; body: Json }> => {
    const answer = await fetch(`${server.url}${path}`, {
      headers: { "content-type": "application/json", ...key, ...headers },
      ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: await answer.json() };
  };
  const login = await call("/v1/auth", { body: { secret: shown("secret", made.stdout) } });
  const authorization = `Bearer ${login.body.accessToken}`;
  return Object.assign(
    (path: string, init: { body?: object; headers?: Record<string, string> } = {}) =>
      call(path, { ...init, headers: { authorization, ...init.headers } }),
    { cwd },
  );
}

async function welcomeFlags(call: Caller): Promise<readonly string[]> {
  const start = await call("/v1/conversation", { body: {} });
  const session = { "x-inbenta-session": `Bearer ${start.body.sessionToken}` };
  const answer = await call("/v1/conversation/message", {
    body: { message: "" },
    headers: session,
  });
  return answer.body.answers[0].flags;
}

test("a project made today has active default content; --created says that it is older", async () => {
  expect(await welcomeFlags(await running("main"))).toEqual([]);
  expect(await welcomeFlags(await running("main", "--created", "2018-09-30"))).toEqual(["welcome"]);
  const other = ["--created", "2018-09-30", "--created", "main=2018-10-01"];
  expect(await welcomeFlags(await running("main", ...other))).toEqual([]);
});

test("a project of one's own called like a demo project counts as made today with --no-demo", async () => {
  expect(await welcomeFlags(await running("shop", "--no-demo"))).toEqual([]);
});

test("--wire seed emits the specification's identifiers and chat states, --empty-search its other status, and --log-… what is recorded", async () => {
  const args = ["--wire", "seed", "--empty-search", "200", "--log-ip", "--log-user-agent"];
  const call = await running("main", ...args);
  const user = await call("/ticketing/v1/users", { body: { name: "Ada", address: "a@b.example" } });
  expect(user.body.uuid).toMatch(/^[0-9a-f]{8}-/);
  const search = { body: { query: "zebra crossing in Lisbon" }, headers: { "user-agent": "UA/1" } };
  expect(await call("/knowledge/v1/search", search)).toMatchObject({
    status: 200,
    body: { results: [] },
  });

  const app = await backendIn(call.cwd, ["app", "add", "site"]);
  const chat = {
    "x-hyper-appId": shown("App ID", app.stdout),
    "x-hyper-secret": shown("secret", app.stdout),
  };
  await backendIn(call.cwd, ["room", "add", "sales"]);
  const creator = await call("/chat/v1/users", { body: { name: "Ada" }, headers: chat });
  const made = await call("/chat/v1/chats", {
    body: { room: "sales", creator: creator.body.user.id },
    headers: chat,
  });
  expect(made.body.chat.status).toBe("open");

  const events = await inDatabase(`${call.cwd}/.afterword/backend.db`, ({ kysely }) =>
    kysely.selectFrom("knowledge_events").select(["ip", "user_agent"]).execute(),
  );
  expect(events).toContainEqual({ ip: "127.0.0.1", user_agent: "UA/1" });
});

test("--mail-config has tickets answered by e-mail, as backend.mail of that file says", async () => {
  const smtp = await scriptedSmtp();
  const file = join(createFolder(), "mail.yaml");
  const mail = `{ smtp: "\${SMTP}", from: Shop <help@shop.example>, acknowledge: We have it. }`;
  writeFileSync(file, `version: 1\nupstream: embedded\nbackend: { mail: ${mail} }\n`);
  vi.stubEnv("SMTP", smtp.address);
  onTestFinished(() => void vi.unstubAllEnvs());
  const call = await running("main", "--mail-config", file);
  const user = { body: { name: "Ada", address: "ada@example.com" } };
  const { uuid } = (await call("/ticketing/v1/users", user)).body;
  const ticket = { title: "My lamp", message: "It is broken", creator: uuid };
  expect((await call("/ticketing/v1/tickets", { body: ticket })).status).toBe(200);
  await vi.waitFor(() => expect(smtp.mails.join()).toContain("We have it."), 30_000);
  expect(smtp.mails.join()).toMatch(/^To: .*ada@example\.com/mu);
});

test("--mail-config refuses a file that says nothing of e-mail", async () => {
  const file = join(createFolder(), "quiet.yaml");
  writeFileSync(file, "version: 1\nupstream: embedded\n");
  const { code, stderr } = await backendIn(createFolder(), ["--mail-config", file]);
  expect([code, stderr]).toEqual([2, expect.stringContaining(`backend.mail; ${file} has none`)]);
});

test("--ticketing-media-types says which files ticketing takes", async () => {
  const args = ["--ticketing-media-types", ".md, image/*", "--ticketing-media-types", "step"];
  const call = await running("main", ...args);
  const upload = (name: string) =>
    call("/ticketing/v1/media", { body: { name, content: btoa("x") } });
  for (const name of ["a.md", "a.step", "a.tiff"]) {
    expect([name, (await upload(name)).status]).toEqual([name, 200]);
  }
  const refused = await upload("a.txt");
  expect([refused.status, refused.body.error.message]).toEqual([
    422,
    expect.stringContaining("these are: .md, image/*, step"),
  ]);
});

test.each([
  [["--wire", "old"], "--wire is deployed or seed"],
  [["--empty-search", "204"], "--empty-search is 404 or 200"],
  [["--ticketing-media-types", ".md,image/nothing"], 'for all, not "image/nothing"'],
  [["--created", "main=2018-02-30"], "--created is a day such as"],
  [["--created", "yesterday"], "--created is a day such as"],
])("%j is refused in one line", async (args, message) => {
  const { code, stderr } = await backendIn(createFolder(), args);
  expect(code).not.toBe(0);
  expect(stderr).toContain(message);
});
