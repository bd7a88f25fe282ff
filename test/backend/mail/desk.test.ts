// Suite: slow
import { createHmac } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { openBackend } from "../../../src/backend/node.ts";
import { pause } from "../../../src/wait.ts";
import type { Json } from "../client.ts";
import { scriptedSmtp } from "./scripted-smtp.ts";

const secret = "sixteen or more signs";

/** A backend with e-mail, a ticket of Ada's, and an agent who may answer it. */
async function desk(smtp: string) {
  const mail = {
    smtp,
    from: "Shop <help@shop.example>",
    inbound: { kind: "webhook", secret },
    acknowledge: null,
  } as const;
  const backend = await openBackend({
    content: "config/backend",
    database: null,
    signingKeys: [new Uint8Array(32).fill(7)],
    demo: true,
    mail,
  });
  onTestFinished(() => backend.close());
  const send = async (
    method: string,
    path: string,
    headers: object,
    body?: unknown,
  ): Promise<Json> => {
    const response = await backend.app.request(path, {
      method,
      headers: { ...headers },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    return { status: response.status, ...(await response.json()) };
  };
  const app = { "x-hyper-appId": "demo-app" };
  const server = { ...app, "x-hyper-secret": "demo-app-secret" };
  const key = { "x-inbenta-key": "demo-key" };
  const { accessToken } = await send("POST", "/v1/auth", key, { secret: "demo-secret" });
  const own = { ...key, authorization: `Bearer ${accessToken}` };
  const ada = await send("POST", "/ticketing/v1/users", own, {
    name: "Ada",
    address: "ada@ada.example",
  });
  const { id } = await send("POST", "/ticketing/v1/tickets", own, {
    title: "A lamp",
    message: "Is it blue?",
    creator: ada.uuid,
  });
  const rights = { TICKET_VIEW: true, TICKET_EDIT: true };
  const login = { login: "kim", password: "a long password" };
  await send("POST", "/v1/agents", server, { name: "Kim", ...login, rooms: ["1"], rights });
  const { session } = await send("POST", "/v1/agents/login", app, login);
  const agent = { ...app, "x-hyper-token": session.token };
  return {
    does: (method: string, path: string, body?: unknown) =>
      send(method, `/v1/tickets/${id}${path}`, agent, body),
    arrive: (source: string) =>
      send(
        "POST",
        "/ticketing/v1/mail",
        {
          "x-hook-signature": `sha256=${createHmac("sha256", secret).update(source).digest("hex")}`,
        },
        source,
      ),
  };
}

test("an agent sees what became of a mail, sends a failed one again, and decides about a held one", async () => {
  let refuses = true;
  const smtp = await scriptedSmtp({
    answer: (word) => (refuses && word === "RCPT" ? "550 mailbox full" : undefined),
  });
  const { does, arrive } = await desk(smtp.address);
  await does("POST", "/replies", { message: "Yes, blue.", seen: 1 });
  const mails = async (): Promise<Json> => (await does("GET", "")).ticket.mails;
  const until = async (state: string): Promise<Json> => {
    for (;;) {
      const found = await mails();
      if (found.at(-1)?.state === state) return found.at(-1);
      await pause(50);
    }
  };
  const failed = await until("failed");
  expect(failed).toMatchObject({
    address: "ada@ada.example",
    reason: expect.stringContaining("mailbox full"),
  });
  refuses = false;
  expect((await does("POST", "/mails", { mail: failed.id, action: "resend" })).status).toBe(200);
  await until("sent");
  expect((await does("POST", "/mails", { mail: failed.id, action: "resend" })).status).toBe(409);

  const id = /^Message-ID:\s*(<[^>]+>)/im.exec(smtp.mails[0] ?? "")?.[1];
  const mail = (number: number): string =>
    `From: ada@work.example\r\nMessage-ID: <${number}@work.example>\r\nIn-Reply-To: ${id}\r\nSubject: Re\r\n\r\nFrom work: ${number}\r\n`;
  expect(await arrive(mail(1))).toMatchObject({ state: "held" });
  expect(await arrive(mail(2))).toMatchObject({ state: "held" });
  const [, one, two] = await mails();
  expect(one).toMatchObject({
    message: "From work: 1",
    reason: "somebody else sent it",
    reply: null,
  });
  await does("POST", "/mails", { mail: one.id, action: "accept" });
  await does("POST", "/mails", { mail: two.id, action: "discard" });
  const { ticket } = await does("GET", "");
  expect(ticket.replies).toMatchObject([
    { message: "Yes, blue." },
    { type: "reply", user: "Ada", message: "From work: 1" },
  ]);
  expect(ticket.mails.map(({ state }: Json) => state)).toEqual(["sent", "taken", "discarded"]);
  expect((await does("POST", "/mails", { mail: 999, action: "accept" })).status).toBe(404);
});
