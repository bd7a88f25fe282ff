import { readFile } from "node:fs/promises";
import type { MailServers } from "../../../fixtures/mail-servers.ts";
import { ask } from "../../../clients/connectors/http.ts";
import { startConversation, valueAt } from "../../../clients/connectors/client.ts";
import { type Server, serveProcess, workspace } from "../../../runtime/processes/processes.ts";
import { freePort } from "../../../fixtures/free-port.ts";
import type { Json } from "../../client.ts";

/** A running gateway whose tickets are answered by mail, with one ticket of Ada's. */
export interface MailingDesk {
  /** Answers it at the desk as the page does: with the agent's token and a key. */
  answer(message: string, key?: string): Promise<{ readonly status: number; readonly body: Json }>;
  /** Its messages, the oldest first. */
  replies(): Promise<readonly string[]>;
  /** Its mails as the desk shows them. */
  mails(): Promise<readonly Json[]>;
  crash(): Promise<void>;
  stderr(): string;
  readonly pid: number;
}

/** @param around a program that starts the process, such as one that mounts a small disk */
export async function openMailingDesk(
  servers: MailServers,
  around: { readonly database?: string; readonly under?: readonly string[] } = {},
): Promise<MailingDesk> {
  const place = await workspace();
  const written = await readFile(place.config, "utf8");
  const mail = `mail: { smtp: "\${SMTP}", from: Shop <help@shop.example>, inbound: "\${IMAP}" }`;
  const mailing = written.replace(/^backend: \{/m, `backend: { ${mail}, `);
  const { database, under } = around;
  const config = await place.write(
    "mail.yaml",
    database === undefined
      ? mailing
      : mailing.replace(/database: [^ ,}]+/u, `database: ${database}`),
  );
  const env = { PORT: String(await freePort()), SMTP: servers.smtp, IMAP: servers.imap };
  const options = { env, ...(under !== undefined && { under }) };
  const start = (): Promise<Server> => serveProcess(["serve", "--config", config], options);
  let server = await start();
  const { base, accessToken } = await startConversation(server.url);
  const { origin } = new URL(base);
  const json = { "content-type": "application/json" };
  const own = { ...json, "x-inbenta-key": "demo-key", authorization: `Bearer ${accessToken}` };
  const call = async (path: string, body: object): Promise<unknown> => {
    const url = `${origin}/ticketing/v1${path}`;
    return (await ask(url, { headers: own, body: JSON.stringify(body) })).json();
  };
  const ada = valueAt(await call("/users", { name: "Ada", address: "ada@ada.example" }), "uuid");
  const asked = { title: "A lamp", message: "Is it blue?", creator: ada };
  const ticket = String(valueAt(await call("/tickets", asked), "id"));

  const app = { ...json, "x-hyper-appId": "demo-app" };
  const desk = async (method: string, path: string, headers: object, body?: object) => {
    const response = await fetch(`${origin}/v1/${path}`, {
      method,
      headers: { ...app, ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const answer: Json = await response.json();
    return { status: response.status, body: answer };
  };
  const rights = { rights: { TICKET_VIEW: true, TICKET_EDIT: true } };
  await desk("PUT", "agents/demo-agent", { "x-hyper-secret": "demo-app-secret" }, rights);
  const login = { login: "demo-agent", password: "demo-agent" };
  const { session } = (await desk("POST", "agents/login", {}, login)).body;
  const agent = { "x-hyper-token": session.token };
  const shown = async (): Promise<Json> =>
    (await desk("GET", `tickets/${ticket}`, agent)).body.ticket;
  return {
    answer: (message, key) => {
      const once = key === undefined ? {} : { "idempotency-key": key };
      return desk("POST", `tickets/${ticket}/replies`, { ...agent, ...once }, { message });
    },
    replies: async () => (await shown()).replies.map(({ message }: Json) => String(message)),
    mails: async () => (await shown()).mails,
    async crash() {
      await server.stop("SIGKILL");
      server = await start();
    },
    stderr: () => server.stderr(),
    get pid() {
      return server.pid;
    },
  };
}

/** The sent mails without their heads. */
export function bodiesOf(servers: MailServers): readonly string[] {
  return servers.sent().map((mail) => mail.split(/\r?\n\r?\n/)[1]?.trim() ?? "");
}

export interface IncomingMail {
  readonly id: string;
  readonly from?: string;
  readonly to?: string;
  /** The mail that it answers. Default: the Message-ID of the first sent mail. */
  readonly about?: string;
  readonly type?: string;
  readonly body: string | Buffer;
}

/** Creates a mail that answers the first sent one. */
export function answerTo(servers: MailServers, mail: IncomingMail): Buffer {
  const [sent = ""] = servers.sent();
  const own = /^Message-ID:\s*(<[^>]+>)/im.exec(sent)?.[1] ?? "";
  const {
    id,
    from = "ada@ada.example",
    to = "help@shop.example",
    about = own,
    type = "text/plain; charset=utf-8",
    body,
  } = mail;
  const head = [
    `From: Ada <${from}>`,
    `To: ${to}`,
    `Message-ID: <${id}@ada.example>`,
    `In-Reply-To: ${about}`,
    "Subject: Re: A lamp",
    "MIME-Version: 1.0",
    `Content-Type: ${type}`,
    "Content-Transfer-Encoding: 8bit",
  ];
  return Buffer.concat([
    Buffer.from(`${head.join("\n")}\n\n`),
    Buffer.from(body),
    Buffer.from("\n"),
  ]);
}
