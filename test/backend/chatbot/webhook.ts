import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Submit } from "../../../src/backend/chatbot/turn-context.ts";
import { createWebhookCaller } from "../../../src/backend/webhooks/caller.ts";
import { createWebhookTransport } from "../../../src/backend/webhooks/transport.ts";
import type { Json } from "../client.ts";

/** A webhook on a real socket that answers what a test wants next. */
export interface Webhook {
  readonly url: string;
  readonly submit: Submit;
  readonly received: Json[];
  /** Sets the answer from now on: JSON, or a text unchanged. */
  answer(body: unknown, status?: number): void;
  close(): Promise<void>;
}

export async function webhook(): Promise<Webhook> {
  const received: Json[] = [];
  let next = { status: 200, body: '{"ok":true}' };
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (chunk: string) => (body += chunk));
    request.on("end", () => {
      received.push(JSON.parse(body));
      response.writeHead(next.status, { "content-type": "application/json" }).end(next.body);
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  const caller = createWebhookCaller({
    allow: [`127.0.0.1:${port}`],
    transport: createWebhookTransport(),
    now: Date.now,
  });
  return {
    url: `http://127.0.0.1:${port}/`,
    submit: (submission, session) => caller.submit(submission, session),
    received,
    answer(body, status = 200) {
      next = { status, body: typeof body === "string" ? body : JSON.stringify(body) };
    },
    async close() {
      caller.close();
      await new Promise((closed) => server.close(closed));
    },
  };
}
