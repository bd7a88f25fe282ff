// Suite: slow
import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { pause } from "../../../src/wait.ts";
import type { Json } from "../client.ts";
import { openTicketBackend } from "../chat/ticket-backend.ts";
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
  const { send, app, server, project } = await openTicketBackend({ database: null, mail });
  const shop = await project("demo-key");
  const ada = await shop("POST", "users", { name: "Ada", address: "ada@ada.example" });
  const asked = { title: "A lamp", message: "Is it blue?", creator: ada.uuid };
  const { id } = await shop("POST", "tickets", asked);
  const rights = { TICKET_VIEW: true, TICKET_EDIT: true };
  const login = { login: "kim", password: "a long password" };
  await send("POST", "/v1/agents", server, { name: "Kim", ...login, rooms: ["1"], rights });
  const { session } = (await send("POST", "/v1/agents/login", app, login)).body;
  const agent = { ...app, "x-hyper-token": session.token };
  return {
    async request(method: string, path: string, sent?: unknown): Promise<Json> {
      const { status, body } = await send(method, `/v1/tickets/${id}${path}`, agent, sent);
      return { status, ...body };
    },
    async arrive(source: string): Promise<Json> {
      const hmac = createHmac("sha256", secret).update(source).digest("hex");
      const signed = { "x-hook-signature": `sha256=${hmac}` };
      return (await send("POST", "/ticketing/v1/mail", signed, source)).body;
    },
  };
}

test("an agent sees the state of a mail, sends a failed one again, and decides about a held one", async () => {
  let refuses = true;
  const smtp = await scriptedSmtp({
    answer: (word) => (refuses && word === "RCPT" ? "550 mailbox full" : undefined),
  });
  const { request, arrive } = await desk(smtp.address);
  await request("POST", "/replies", { message: "Yes, blue.", seen: 1 });
  const mails = async (): Promise<Json> => (await request("GET", "")).ticket.mails;
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
  expect((await request("POST", "/mails", { mail: failed.id, action: "resend" })).status).toBe(200);
  await until("sent");
  expect((await request("POST", "/mails", { mail: failed.id, action: "resend" })).status).toBe(409);

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
  await request("POST", "/mails", { mail: one.id, action: "accept" });
  await request("POST", "/mails", { mail: two.id, action: "discard" });
  const { ticket } = await request("GET", "");
  expect(ticket.replies).toMatchObject([
    { message: "Yes, blue." },
    { type: "reply", user: "Ada", message: "From work: 1" },
  ]);
  expect(ticket.mails.map(({ state }: Json) => state)).toEqual(["sent", "taken", "discarded"]);
  expect((await request("POST", "/mails", { mail: 999, action: "accept" })).status).toBe(404);
});
