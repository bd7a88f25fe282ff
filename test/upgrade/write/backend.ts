import { execFileSync } from "node:child_process";
import { createServer as createHttpServer } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClients } from "../../../src/index.ts";
import { testCertificates } from "../../runtime/node/certificates.ts";
import { type Process, startAfterword } from "../stage.ts";

/** A backend that calls the addresses here. */
export function startBackend(
  checkout: string,
  content: string,
  database: string,
): Promise<Process> {
  const place = ["--content", content, "--database", database, "--port", "0"];
  const env = { NODE_EXTRA_CA_CERTS: testCertificates().caFile };
  return startAfterword(["backend", ...place, "--webhooks", "127.0.0.1"], { checkout, env });
}

type Clients = ReturnType<typeof createClients>;

export function clientsAt(url: string): Clients {
  return createClients({
    auth: { url, apiKey: "demo-key", secret: "demo-secret" },
    chat: { url, appId: "demo-app", secret: "demo-app-secret" },
  });
}

/** The app's own client, and the demo agent's, who has room for all and answers when it suits. */
export async function people(
  url: string,
): Promise<{ readonly chat: Clients["chat"]; readonly sam: Clients["chat"] }> {
  const { chat } = clientsAt(url);
  const { agent, token } = await chat.login("demo-agent", "demo-agent");
  if (token === null) throw new Error("no token");
  await chat.changeSettings({ invitationTimeout: 3600, allowedMediaTypes: ["text/plain"] });
  await chat.changeAgent(agent.id, { slots: 1000, online: true });
  return { chat, sam: chat.as(token) };
}

/**
 * Leaves something in every table of a backend; its database is no longer used by then, or allows
 * for a second process.
 */
export async function fillBackend(
  url: string,
  checkout: string,
  database: string,
  content: string,
): Promise<void> {
  const conversation = await clientsAt(url).chatbot.start({ lang: "en" });
  await conversation.send({ message: "opening hours" });
  await fillTicketing(url);
  await fillKnowledge(url);
  await fillChat(url);
  await fillByCommands(checkout, database, content);
}

async function fillTicketing(url: string): Promise<void> {
  const { auth, ticketing } = clientsAt(url);
  const { accessToken, apis } = await auth.current();
  const call = async (method: string, path: string, body: object): Promise<unknown> => {
    const response = await fetch(`${apis["ticketing"]}/v1${path}`, {
      method,
      headers: {
        "x-inbenta-key": "demo-key",
        authorization: `Bearer ${accessToken}`,
        "content-type": "application/json",
      },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  // It answers the challenge, and takes nothing after that.
  const listener = createServer(testCertificates(), ({ headers }, outgoing) => {
    const challenge = headers["x-inbenta-challenge"];
    outgoing.writeHead(challenge === undefined ? 503 : 200).end(challenge);
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const { port } = listener.address() as AddressInfo;
  await ticketing.createWebhook({
    item: "ticket",
    url: `https://127.0.0.1:${port}/hook`,
    secret: "a-secret-of-the-fixtures",
  });
  const ada = await ticketing.createUser({ name: "Ada Lovelace", address: "ada@example.test" });
  const grace = await ticketing.createUser({ name: "Grace Hopper", address: "grace@example.test" });
  const file = await ticketing.upload({
    name: "plan.txt",
    bytes: new TextEncoder().encode("the plan"),
  });
  const ticket = await ticketing.createTicket(
    {
      title: "A broken engine",
      message: "<p>It does not turn.</p>",
      creator: String(ada.uuid),
      external_id: "case-7",
      attachments: [String(file.uuid)],
      history: { messages: [{ user: "Ada", message: "Hello" }] },
    },
    { idempotencyKey: "case-7" },
  );
  await ticketing.createReply(String(ticket.uuid), {
    message: "We look at it.",
    creator: String(grace.uuid),
  });
  await ticketing.changeTicket(String(ticket.uuid), { title: "A broken analytical engine" });
  await call("POST", "/queues", { name: "Engines" });
  const timetable = await ticketing.workTimetable();
  await call("PUT", "/settings/work-timetable", timetable);
  const survey = (await call("POST", "/surveys", {
    name: "After the case",
    pages: [{ id: 1, items: [{ id: 1, type: "question", subtype: "text" }] }],
  })) as { uuid: number };
  const started = await ticketing.startSurvey(String(survey.uuid), String(ticket.uuid));
  await ticketing.submitSurvey(String(survey.uuid), started.token, { 1: "fine" });
  await new Promise((resolve) => setTimeout(resolve, 500));
  await new Promise((resolve) => listener.close(resolve));
}

async function fillKnowledge(url: string): Promise<void> {
  const { knowledge } = clientsAt(url);
  const { sessionToken } = await knowledge.startSession();
  const found = await knowledge.search("opening hours", { session: sessionToken });
  const [first] = found.results;
  if (first !== undefined) await knowledge.click(first.tracking.clickCode);
}

async function fillChat(url: string): Promise<void> {
  const { chat, sam } = await people(url);
  const target = createHttpServer((incoming, outgoing) => {
    const secret = incoming.headers["x-hook-secret"];
    outgoing.writeHead(
      secret === undefined ? 503 : 200,
      secret === undefined ? {} : { "x-hook-secret": secret },
    );
    outgoing.end();
  });
  await new Promise<void>((resolve) => target.listen(0, "127.0.0.1", resolve));
  const { port } = target.address() as AddressInfo;
  await chat
    .createWebhook({ events: "messages:new", target: `http://127.0.0.1:${port}/hook` })
    .catch((error: unknown) => console.error(`no webhook of the chat: ${String(error)}`));
  await chat.createSurvey({ name: "After the chat", url: "https://surveys.example.test/1" });
  await chat.login("demo-agent", "wrong").catch(() => undefined);
  const { user } = await chat.createUser({ name: "Ada", externalId: "ada" });
  const opened = await chat.createChat({
    room: 1,
    creator: user.id,
    source: 3,
    lang: "en",
    externalId: "chat-of-ada",
  });
  await chat.assign(opened.id);
  await sam.accept(opened.id);
  const said = await chat.send(opened.id, { sender: user.id, message: "Is this a person?" });
  await sam.read(said.id);
  await sam.send(opened.id, { message: "It is Sam" });
  const file = {
    name: "plan.txt",
    bytes: new TextEncoder().encode("the plan"),
    type: "text/plain",
  };
  await sam.upload(file, { chatId: opened.id });
  await new Promise((resolve) => setTimeout(resolve, 500));
  await new Promise((resolve) => target.close(resolve));
}

async function fillByCommands(checkout: string, database: string, content: string): Promise<void> {
  const run = (...args: readonly string[]): void => {
    execFileSync(
      process.execPath,
      [join(checkout, "src/cli/main.ts"), "backend", ...args, "--database", database],
      { stdio: "ignore", cwd: checkout },
    );
  };
  const directory = await mkdtemp(join(tmpdir(), "afterword-import-"));
  const csv = join(directory, "contents.csv");
  await writeFile(csv, contents);
  run("import", csv, "--language", "en", "--content", content);
  run("key", "add", "browser", "--domain", "shop.example");
  run("app", "add", "second");
  run("room", "add", "7", "--name", "Seventh", "--app", "second");
  run("agent", "add", "ada", "--room", "7", "--app", "second");
  await rm(directory, { recursive: true, force: true });
}

const contents =
  "id,title,alternatives,answer\n9001,Stored engines,engine of the database,<p>From the database.</p>\n";
