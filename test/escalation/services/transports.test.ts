import { gzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import { openBackend } from "../../../src/backend/node.ts";
import type { UpstreamConfig } from "../../../src/config/config.ts";
import { createChatService } from "../../../src/escalation/services/chat-service.ts";
import { createTicketService } from "../../../src/escalation/services/ticket-service.ts";
import type { SendCall } from "../../../src/escalation/services/call-result.ts";
import { createServiceSend } from "../../../src/gateway/upstream/service-fetch.ts";
import type { Transport } from "../../../src/gateway/exchange/transport.ts";
import { createEmbeddedTransport } from "../../../src/runtime/node/embedded.ts";
import { createNodePlatform } from "../../../src/runtime/node/platform.ts";
import { createNodeTransport } from "../../../src/runtime/node/transport.ts";
import { createFetchTransport } from "../../../src/runtime/web/fetch-transport.ts";
import { startScriptedUpstream } from "../../../src/testing/scripted-upstream.ts";
import { contentDirectory, signingKey } from "../../backend/client.ts";
import { ana, bed, valueOf } from "./bed.ts";

describe("the services", () => {
  it("lead to the backend in this process, at addresses that nobody dials", async () => {
    const { app, close } = await openBackend({
      content: contentDirectory,
      database: null,
      signingKeys: [signingKey],
      demo: true,
      bases: (product) => `embedded:${product}`,
    });
    onTestFinished(() => close());
    const send = sendOver(createEmbeddedTransport(app.fetch), "embedded:auth", "embedded:chat");
    await expectBothWork(send, "embedded:auth", "embedded:chat");
  });

  it("go over fetch where there are no sockets", async () => {
    const { url } = await bed();
    const send = sendOver(createFetchTransport(), url, `${url}/chat`);
    await expectBothWork(send, url, `${url}/chat`);
  });

  it("read an answer in the codings that are known, and no other", async () => {
    for (const [coding, kind] of [
      ["gzip", "ok"],
      ["zstd", "failed"],
    ] as const) {
      const body = coding === "gzip" ? gzipSync('{"users":[]}') : Buffer.from('{"users":[]}');
      const upstream = await startScriptedUpstream({
        handler: () => ({ headers: ["Content-Encoding", coding], body }),
      });
      onTestFinished(() => upstream.close());
      const transport = createNodeTransport();
      onTestFinished(() => transport.close());
      const send = sendOver(transport, upstream.origin, upstream.origin);
      const service = createChatService({ send, base: upstream.origin, appId: "a", secret: "b" });
      expect((await service.findUser("x")).kind).toBe(kind);
    }
  });
});

async function expectBothWork(send: SendCall, auth: string, base: string): Promise<void> {
  const chat = createChatService({ send, base, appId: "demo-app", secret: "demo-app-secret" });
  const user = { externalId: "ana", person: ana, extraInfo: {} };
  const { id } = valueOf(await chat.createUser(user));
  expect(valueOf(await chat.findUser("ana"))).toEqual({ id, chats: [] });
  const tickets = createTicketService({
    send,
    auth,
    ticketing: null,
    apiKey: "demo-key",
    secret: "demo-secret",
    keyHeader: "x-vendor-key",
    now: Date.now,
  });
  const ticket = {
    externalId: "key",
    person: ana,
    title: "t",
    message: "m",
    language: "en",
    transcript: { name: "a.txt", text: "text" },
    conversation: { dropped: 0, lines: [] },
    fields: {},
    idempotencyKey: "key",
  };
  const { number } = valueOf(await tickets.create(ticket));
  expect(valueOf(await tickets.find("key"))).toMatchObject({ number });
}

function sendOver(transport: Transport, auth: string, chat: string): SendCall {
  const upstream: UpstreamConfig = {
    auth,
    chat,
    apis: {},
    allow: [],
    keyHeader: "x-vendor-key",
    timeouts: { connect: 3000, headers: 27_000, total: 28_000, idle: 60_000 },
  };
  const platform = createNodePlatform({ transport, log: () => undefined });
  return createServiceSend({ platform, upstream, via: "1.1 afterword-test" });
}
