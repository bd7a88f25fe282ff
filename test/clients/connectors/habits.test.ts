// Suite: long
import { readFile, rm } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { rawConnect, type RawAnswer, type RawConnection } from "../../../src/testing/index.ts";
import { valueAt } from "./client.ts";
import { asJson, type Data, type Habit, HABITS, type Plain, withLength } from "./habits.ts";
import {
  createWorkspace,
  commandModule,
  type Server,
  startServer,
  type Workspace,
} from "../../runtime/processes/processes.ts";
import { shippedTexts } from "./texts.ts";

/** A reader's text, in which some encoding changes each sign. */
const typed = 'Zoë & Ÿves: «1+1=2», 50% "off"; a/b\\c 😀';

let place: Workspace;
let server: Server;

beforeAll(async () => {
  place = await createWorkspace();
  await place.write("messages/fr.yaml", "no-results: 'Rien pour {{query}}'\n");
  // The store in a file may be late on a busy machine, and then an answer stays as it came.
  const config = await readFile(place.config, "utf8");
  await place.write("afterword.yaml", config.replace(/^state:.*$/m, "state: { store: memory }"));
  const command = ["serve", "--config", place.config, "--port", "0"];
  server = await startServer([commandModule, ...command], {});
});

afterAll(async () => {
  await server.stop();
  await rm(place.path, { recursive: true, force: true });
});

type Fields = Readonly<Record<string, string>>;

/**
 * Sends a request as a client with this habit does, and returns the answer's JSON; every answer is
 * 200.
 */
interface OddClient {
  ask(request: string, fields: Fields, data?: Data): Promise<unknown>;
  /** The raw last answer. */
  last(): RawAnswer;
}

function createClient(habit: Habit, port: number): OddClient {
  let connection: RawConnection | null = null;
  let last: RawAnswer | null = null;
  onTestFinished(() => connection?.destroy());

  async function exchange(plain: Plain): Promise<RawAnswer> {
    connection ??= await rawConnect(port);
    if (habit.send === undefined) connection.send(withLength(plain));
    else await habit.send(connection, plain);
    const answer = await connection.answer();
    if (habit.reconnects === true || isLast(answer)) {
      connection.destroy();
      connection = null;
    }
    return answer;
  }

  return {
    async ask(request, fields, data) {
      const [method = "", target = ""] = request.split(" ");
      const { type, body } =
        method === "GET" || data === undefined
          ? { type: null, body: "" }
          : (habit.encode?.(data) ?? { type: "application/json", body: asJson(data) });
      const plain: Plain = {
        method,
        target,
        version: "1.1",
        fields: [
          ["Host", `127.0.0.1:${port}`],
          ...Object.entries(fields),
          ...(type === null ? [] : ([["Content-Type", type]] as const)),
        ],
        body: Buffer.from(body),
      };
      last = await exchange(habit.change?.(plain) ?? plain);
      const text = last.body.toString();
      expect([request, last.status, text]).toEqual([request, 200, expect.any(String)]);
      expect([request, last.complete]).toEqual([request, true]);
      return JSON.parse(text);
    },
    last: () => last ?? expect.unreachable("nothing was asked yet"),
  };
}

/** True when the server says that nothing follows on this connection. */
function isLast({ head }: RawAnswer): boolean {
  return /\r\nconnection: close\r\n/iu.test(Buffer.from(head).toString("latin1"));
}

const key = { "x-inbenta-key": "demo-key" };

async function logIn({ ask }: OddClient): Promise<{ known: Fields; bases: Fields }> {
  const login = await ask("POST /v1/auth", key, { secret: "demo-secret" });
  expect(login).toMatchObject({ expires_in: 1200, isUserIdentified: false });
  const known = { ...key, Authorization: `Bearer ${String(valueAt(login, "accessToken"))}` };
  const { apis } = (await ask("GET /v1/apis", known)) as { apis: Fields };
  const bases = Object.entries(apis).map(([name, address]) => [name, new URL(address).pathname]);
  await ask("POST /v1/refreshToken", known, null);
  return { known, bases: Object.fromEntries(bases) as Fields };
}

/** The bot welcomes, finds nothing, answers, is rated, and knows the history. */
async function converse(client: OddClient): Promise<void> {
  const { ask, last } = client;
  const { known, bases } = await logIn(client);
  const bot = `${bases["chatbot"]}/v1`;
  expect(await ask(`POST ${bot}/conversation`, known, null)).toHaveProperty("sessionToken");

  const settings = { lang: "fr", forms: { allowUserToAbandonForm: true, errorRetries: 2 } };
  const begun = await ask(`POST ${bot}/conversation`, known, settings);
  expect(Buffer.from(last().head).toString()).toMatch(/\r\nX-INBENTA-AUTH-EXPIRATION: \d{10}\r\n/u);
  const session = { "x-inbenta-session": `Bearer ${String(valueAt(begun, "sessionToken"))}` };
  const talking = { ...known, ...session };
  const readAnswer = async (data: Data): Promise<unknown> =>
    valueAt(await ask(`POST ${bot}/conversation/message`, talking, data), "answers", 0);

  const { welcome } = shippedTexts("fr");
  expect(await readAnswer({ message: "" })).toMatchObject({ flags: ["welcome"], message: welcome });
  const missed = await readAnswer({ message: typed });
  expect(missed).toMatchObject({ flags: ["no-results"] });
  expect(String(valueAt(missed, "message")).replaceAll(/[\u2068\u2069]/gu, "")).toBe(
    `Rien pour ${escapeMarkup(typed)}`,
  );

  const found = await readAnswer({ message: "Où est ma commande ?" });
  expect(found).toMatchObject({
    flags: [],
    parameters: { contents: { title: expect.any(String) } },
  });
  const code = valueAt(found, "parameters", "contents", "trackingCode", "rateCode");
  const rating = { type: "rate", data: { code, value: 2, comment: "Ça & là" } };
  expect(await ask(`POST ${bot}/tracking/events`, talking, rating)).toMatchObject({
    success: true,
  });
  await ask(`POST ${bot}/conversation/variables`, talking, { name: "name", value: "José" });
  expect(await ask(`GET ${bot}/conversation/variables`, talking)).toMatchObject({
    name: { value: "José" },
  });
  const history = await ask(`GET ${bot}/conversation/history`, talking);
  expect(JSON.stringify(history)).toContain(JSON.stringify(typed));
}

function escapeMarkup(text: string): string {
  const marks = { "&": "&amp;", '"': "&quot;", "<": "&lt;", ">": "&gt;" };
  return text.replaceAll(/[&"<>]/gu, (mark) => marks[mark as keyof typeof marks]);
}

/** A ticket has the written text and the sent file. */
async function createTicket(client: OddClient, address: string): Promise<void> {
  const { ask } = client;
  const { known, bases } = await logIn(client);
  const desk = `${bases["ticketing"]}/v1`;
  const creator = valueAt(await ask(`POST ${desk}/users`, known, { name: "Zoë", address }), "uuid");
  // Its base64 has both signs with another meaning in a form.
  const content = Buffer.from("«»ûÿ ~~??>>ÿÿ\u{1f600}ûïÿ").toString("base64");
  expect(content).toMatch(/\+.*\/|\/.*\+/u);
  const media = await ask(`POST ${desk}/media`, known, { name: "a note.txt", content });
  const attachments = [valueAt(media, "hash_uuid")];
  const ticket = { title: typed, message: `1\r\n2 ${typed}`, creator, attachments };
  const { id } = (await ask(`POST ${desk}/tickets`, known, ticket)) as { id: number };
  expect(await ask(`GET ${desk}/tickets/${id}`, known)).toMatchObject({
    title: typed,
    message: ticket.message,
    attachments: [{ name: "a note.txt" }],
  });
}

/** A chat has its messages, and closes. */
async function chat({ ask }: OddClient): Promise<void> {
  const app = { "x-hyper-appId": "demo-app", "x-hyper-secret": "demo-app-secret" };
  const person = { name: "Zoë", extraInfo: { plan: "gold" } };
  const { user } = (await ask("POST /v1/users", app, person)) as { user: { id: string } };
  const opened = await ask("POST /v1/chats", app, { room: 1, creator: user.id, lang: "fr" });
  const id = String(valueAt(opened, "chat", "id"));
  const message = { sender: user.id, message: typed };
  expect(await ask(`POST /v1/chats/${id}/messages`, app, message)).toMatchObject({ message });
  const history = await ask(`GET /v1/chats/${id}/history`, app);
  expect(JSON.stringify(history)).toContain(JSON.stringify(typed));
  await ask(`DELETE /v1/chats/${id}?userId=${user.id}`, app);
  expect(await ask(`GET /v1/chats/${id}`, app)).toMatchObject({ chat: { status: "closed" } });
}

describe.each(HABITS)("a client whose habit is $name", (habit) => {
  test("converses, makes a ticket and chats", async () => {
    const client = createClient(habit, server.port);
    await converse(client);
    await createTicket(client, `habit-${HABITS.indexOf(habit)}@example.com`);
    await chat(client);
  });
});
