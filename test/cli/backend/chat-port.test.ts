// Suite: long
import { once } from "node:events";
import { connect } from "node:net";
import { expect, test, vi } from "vitest";
import type { Json } from "../../backend/client.ts";
import {
  afterword as process,
  type Server,
  serveProcess,
} from "../../runtime/processes/processes.ts";
import { backendIn, shown } from "./place.ts";
import { createFolder } from "../../fixtures/folder.ts";

// Starts processes, several of them in one test.
vi.setConfig({ testTimeout: 180_000 });

interface Running {
  readonly server: Server;
  /** Address of the separate chat port. */
  readonly chat: string;
  readonly cwd: string;
  readonly appId: string;
  readonly secret: string;
}

/** A backend with a chat port, and an app that was added while it ran. */
async function running(): Promise<Running> {
  const cwd = createFolder();
  await backendIn(cwd, ["init"]);
  const args = ["backend", "--no-demo", "--port", "0", "--chat-port", "0"];
  const server = await serveProcess(args, { cwd });
  await expect.poll(() => server.stdout()).toMatch(/The chat listens on/);
  const [, chat = ""] = /The chat listens on (\S+)/.exec(server.stdout()) ?? [];
  const { stdout } = await backendIn(cwd, ["app", "add", "Shop"]);
  return { server, chat, cwd, appId: shown("App ID", stdout), secret: shown("secret", stdout) };
}

async function ask(
  url: string,
  headers: Record<string, string>,
  body?: object,
): Promise<{ status: number; body: Json }> {
  const answer = await fetch(url, {
    headers,
    ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: await answer.json() };
}

test("on the chat port the chat answers, in the specification's spellings, and nothing else does", async () => {
  const { server, chat, appId, secret } = await running();
  const app = { "x-hyper-appId": appId };
  const both = { ...app, "x-hyper-secret": secret };
  expect((await ask(`${chat}/v1/users`, app, { name: "Ana" })).status).toBe(200);
  for (const path of ["media", "settings", "surveys"]) {
    for (const spelling of [`/v1/${path}`, `/${path}`, `/v1/${path}/`, `/${path}/?x=1`]) {
      expect([spelling, (await ask(chat + spelling, both)).status]).toEqual([spelling, 200]);
    }
  }
  const elsewhere = ["/", "/v1/auth", "/v2/settings", "/users", "/chat/v1/settings", "/v1/apis"];
  for (const path of [...elsewhere, "/knowledge/v1/contents", "/v1/conversation", "/desk"]) {
    expect([path, await ask(chat + path, both)]).toEqual([
      path,
      { status: 404, body: { error: { code: 404, message: "There is nothing here." } } },
    ]);
  }
  // Accepted without a header that names the chat, because only the chat is served here.
  const bare = await ask(`${chat}/v1/settings`, {});
  expect([bare.status, bare.body.error.code]).toEqual([401, 401]);
  expect((await ask(`${server.url}/v1/settings`, both)).status).toBe(200);
  expect((await ask(`${server.url}/v1/apis`, both)).status).toBe(404);
});

test("an app or agent that is revoked while the backend runs is disconnected at once", async () => {
  const { chat, cwd, appId, secret } = await running();
  const app = { "x-hyper-appId": appId };
  const both = { ...app, "x-hyper-secret": secret };
  const { stdout } = await backendIn(cwd, ["agent", "add", "sam", "--room", "1"]);
  const login = { login: "sam", password: shown("password", stdout) };
  const { body: sam } = await ask(`${chat}/v1/agents/login`, app, login);
  const { body: ana } = await ask(`${chat}/v1/users`, app, { name: "Ana" });
  const asSam = { ...app, "x-hyper-token": sam.session.token };
  const asAna = { ...app, "x-hyper-token": ana.session.token };
  const made = await ask(`${chat}/v1/chats`, both, { room: "1", creator: ana.user.id });
  const { id } = made.body.chat;
  const available = `${chat}/v1/agents/available?roomIds=1`;
  expect((await ask(`${chat}/v1/chats/${id}/assign`, both)).body.agent.id).toBe(sam.agent.id);
  const accepted = await ask(`${chat}/v1/invitations/accept`, asSam, { chatId: id });
  expect(accepted.status).toBe(200);
  const streams = await Promise.all(
    [asSam, asAna, both].map((headers) => fetch(`${chat}/v1/events`, { headers })),
  );

  await backendIn(cwd, ["agent", "revoke", "sam"]);
  expect((await ask(`${chat}/v1/chats`, asSam)).status).toBe(401);
  expect((await ask(available, app)).body).toEqual({ agents: { 1: 0 } });
  const { body } = await ask(`${chat}/v1/chats/${id}/history`, both);
  expect(body.history.at(-1).trigger).toBe("forever:alone");
  // The stream of a person without permission ends by itself.
  expect(await streams[0]?.text()).not.toContain("after sam");
  const message = { sender: ana.user.id, message: "after sam" };
  expect((await ask(`${chat}/v1/chats/${id}/messages`, asAna, message)).status).toBe(200);

  await backendIn(cwd, ["app", "revoke", "Shop"]);
  for (const headers of [app, both, asAna]) {
    expect((await ask(available, headers)).status).toBe(401);
  }
  // A revoked app gets no events of the service itself, not even the end of the chat.
  const texts = await Promise.all([streams[1]?.text(), streams[2]?.text()]);
  for (const text of texts) expect(text).toContain("after sam");
});

test("a port that is taken, or the backend's own, ends in one line, and nothing listens", async () => {
  const { server, chat, cwd } = await running();
  const taken = new URL(chat).port;
  const busy = await process(["backend", "--port", "0", "--chat-port", taken], { cwd });
  expect(busy).toMatchObject({ code: 1, stdout: "" });
  expect(busy.stderr).toBe(
    `127.0.0.1:${taken} is in use: stop what listens there, or choose another port with --chat-port\n`,
  );
  const other = String(server.port);
  const same = await backendIn(cwd, ["--port", other, "--chat-port", other]);
  expect(same).toMatchObject({ code: 2, stdout: "" });
  expect(same.stderr).toMatch(
    /^afterword backend: --chat-port \d+ is the backend's own port[^\n]*\n$/,
  );
  for (const port of ["x", "-1", "70000", "8000.5"]) {
    const wrong = await backendIn(cwd, [`--chat-port=${port}`]);
    expect(wrong).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^[^\n]*not a port[^\n]*\n$/),
    });
  }
});

test("requests in flight on both ports are finished before it stops", async () => {
  const { server, chat, appId, secret } = await running();
  const both = { "x-hyper-appId": appId, "x-hyper-secret": secret };
  const stream = await fetch(`${chat}/v1/events`, { headers: both });
  const body = '{"name":"Ana"}';
  const slow = async (url: string): Promise<() => Promise<string>> => {
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    await once(socket, "connect");
    const head = ["POST /v1/users HTTP/1.1", "Host: x", `x-hyper-appId: ${appId}`];
    socket.write(`${[...head, `Content-Length: ${body.length}`].join("\r\n")}\r\n\r\n{`);
    return async () => {
      socket.write(body.slice(1));
      let text = "";
      for await (const chunk of socket.setEncoding("utf8")) text += String(chunk);
      return text;
    };
  };
  const finish = await Promise.all([slow(server.url), slow(chat)]);
  // Before both have been read, the process does not know about them.
  await ask(`${chat}/v1/settings`, { "x-hyper-appId": appId });
  await ask(`${server.url}/v1/settings`, { "x-hyper-appId": appId });
  server.kill("SIGTERM");
  for (const url of [server.url, chat]) {
    await expect
      .poll(
        () =>
          fetch(url).then(
            () => "answers",
            () => "refused",
          ),
        { timeout: 50_000 },
      )
      .toBe("refused");
  }
  for (const text of await Promise.all(finish.map((one) => one()))) {
    expect(text).toMatch(/^HTTP\/1\.1 200 /);
    expect(text).toContain('"name":"Ana"');
  }
  // A client that only listens is asked to reconnect, and delays nobody.
  expect(await stream.text()).toContain('"reason":"restart"');
  expect((await server.ended).code).toBe(0);
});
