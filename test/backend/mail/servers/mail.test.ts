import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { ask } from "../../../clients/connectors/http.ts";
import { startConversation, valueAt } from "../../../clients/connectors/client.ts";
import { type Server, serveProcess, workspace } from "../../../runtime/processes/processes.ts";
import { freePort } from "../../../fixtures/free-port.ts";
import type { MailServers } from "../../../fixtures/mail-servers.ts";
import { mailServers } from "./mail-servers.ts";

/** A gateway whose tickets are answered by mail, and one ticket of Ada's. */
async function desk(servers: MailServers) {
  const place = await workspace();
  const written = await readFile(place.config, "utf8");
  const mail = `mail: { smtp: "\${SMTP}", from: Shop <help@shop.example>, inbound: "\${IMAP}" }`;
  const config = await place.write(
    "mail.yaml",
    written.replace(/^backend: \{/m, `backend: { ${mail}, `),
  );
  const env = { PORT: String(await freePort()), SMTP: servers.smtp, IMAP: servers.imap };
  const start = (): Promise<Server> => serveProcess(["serve", "--config", config], { env });
  let server = await start();
  const { base, accessToken } = await startConversation(server.url);
  const headers = {
    "content-type": "application/json",
    "x-inbenta-key": "demo-key",
    authorization: `Bearer ${accessToken}`,
  };
  const call = async (path: string, body?: object): Promise<unknown> =>
    (
      await ask(`${new URL(base).origin}/ticketing/v1${path}`, {
        headers,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
    ).json();
  const user = async (name: string, address: string): Promise<unknown> =>
    valueAt(await call("/users", { name, address }), "uuid");
  const [ada, sam] = [await user("Ada", "ada@ada.example"), await user("Sam", "sam@shop.example")];
  const ticket = valueAt(
    await call("/tickets", { title: "A lamp", message: "Is it blue?", creator: ada }),
    "id",
  );
  return {
    answer: (message: string) =>
      call(`/tickets/${String(ticket)}/replies`, { creator: sam, message }),
    replies: async (): Promise<readonly string[]> => {
      const { data } = (await call(`/tickets/${String(ticket)}/replies`)) as {
        data: { message: string }[];
      };
      return data.map(({ message }) => message);
    },
    async crash() {
      await server.stop("SIGKILL");
      server = await start();
    },
    stderr: () => server.stderr(),
  };
}

const bodies = (servers: MailServers): readonly string[] =>
  servers.sent().map((mail) => mail.split(/\r?\n\r?\n/)[1]?.trim() ?? "");

function answerTo(servers: MailServers, from: string, text: string, id: string): string {
  const [sent = ""] = servers.sent();
  const own = /^Message-ID:\s*(<[^>]+>)/im.exec(sent)?.[1] ?? "";
  return `From: Ada <${from}>\nTo: help@shop.example\nMessage-ID: <${id}@ada.example>\nIn-Reply-To: ${own}\nSubject: Re: A lamp\nContent-Type: text/plain; charset=utf-8\n\n${text}\n`;
}

test("an answer arrives in a mailbox, and the answer to it in the ticket, both once", async () => {
  const servers = await mailServers();
  const { answer, replies, crash } = await desk(servers);
  await servers.deliver("From: someone@else.example\nSubject: Hello\n\nNothing of ours\n");
  await answer("Yes, it is blue.");
  await expect.poll(() => bodies(servers)).toEqual(["Yes, it is blue."]);
  const mail = answerTo(
    servers,
    "ada@ada.example",
    "Then I take it.\n\nOn Monday Shop wrote:\n> blue",
    "one",
  );
  await servers.deliver(mail);
  await expect.poll(replies).toEqual(["Yes, it is blue.", "Then I take it."]);
  // The same mail once more, another sender's, and a crash change nothing.
  await servers.deliver(mail);
  await servers.deliver(answerTo(servers, "eve@evil.example", "Send it to me", "two"));
  await crash();
  await expect.poll(() => servers.mailbox().filter((name) => name.endsWith("S"))).toHaveLength(3);
  expect(await replies()).toEqual(["Yes, it is blue.", "Then I take it."]);
  // What names no ticket stays unread for people.
  expect(servers.mailbox().filter((name) => !name.endsWith("S"))).toHaveLength(1);
  expect(bodies(servers)).toEqual(["Yes, it is blue."]);
});

test("servers that go away come back to every mail, once, whoever is killed meanwhile", async () => {
  const servers = await mailServers();
  const { answer, replies, crash } = await desk(servers);
  await answer("One");
  await expect.poll(() => bodies(servers)).toEqual(["One"]);
  await servers.kill("smtp");
  await servers.kill("imap");
  await answer("Two");
  await servers.deliver(answerTo(servers, "ada@ada.example", "Three", "three"));
  await crash();
  await servers.start("smtp");
  await servers.start("imap");
  await expect.poll(() => bodies(servers).toSorted()).toEqual(["One", "Two"]);
  await expect.poll(replies).toEqual(["One", "Two", "Three"]);
});
