import { gzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import { openBackend } from "../../../src/backend/node.ts";
import type { UpstreamConfig } from "../../../src/config/config.ts";
import { createChatDoor } from "../../../src/escalation/doors/chat.ts";
import { createTicketDoor } from "../../../src/escalation/doors/ticket.ts";
import type { Outside } from "../../../src/escalation/doors/call.ts";
import { createOutside } from "../../../src/gateway/outside/outside.ts";
import type { Transport } from "../../../src/gateway/transport.ts";
import { createEmbeddedTransport } from "../../../src/runtime/node/embedded-transport.ts";
import { createNodePlatform } from "../../../src/runtime/node/platform.ts";
import { createNodeTransport } from "../../../src/runtime/node/transport.ts";
import { createFetchTransport } from "../../../src/runtime/web/fetch-transport.ts";
import { startScriptedUpstream } from "../../../src/testing/scripted-upstream.ts";
import { contentDirectory, signingKey } from "../../backend/client.ts";
import { ana, bed, valueOf } from "./bed.ts";

describe("the doors", () => {
  it("lead to the backend in this process, at addresses that nobody dials", async () => {
    const { app, close } = await openBackend({
      content: contentDirectory,
      database: null,
      signingKeys: [signingKey],
      demo: true,
      bases: (product) => `embedded:${product}`,
    });
    onTestFinished(() => close());
    const outside = outsideOver(
      createEmbeddedTransport(app.fetch),
      "embedded:auth",
      "embedded:chat",
    );
    await expectBothWork(outside, "embedded:auth", "embedded:chat");
  });

  it("go over fetch where there are no sockets", async () => {
    const { url } = await bed();
    const outside = outsideOver(createFetchTransport(), url, `${url}/chat`);
    await expectBothWork(outside, url, `${url}/chat`);
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
      const outside = outsideOver(transport, upstream.origin, upstream.origin);
      const door = createChatDoor({ outside, base: upstream.origin, appId: "a", secret: "b" });
      expect((await door.findUser("x")).kind).toBe(kind);
    }
  });
});

async function expectBothWork(outside: Outside, auth: string, base: string): Promise<void> {
  const chat = createChatDoor({ outside, base, appId: "demo-app", secret: "demo-app-secret" });
  const user = { externalId: "ana", person: ana, extraInfo: {} };
  const { id } = valueOf(await chat.createUser(user));
  expect(valueOf(await chat.findUser("ana"))).toEqual({ id, chats: [] });
  const tickets = createTicketDoor({
    outside,
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
    fields: {},
    idempotencyKey: "key",
  };
  const { number } = valueOf(await tickets.create(ticket));
  expect(valueOf(await tickets.find("key"))).toMatchObject({ number });
}

function outsideOver(transport: Transport, auth: string, chat: string): Outside {
  const upstream: UpstreamConfig = {
    auth,
    chat,
    apis: {},
    allow: [],
    keyHeader: "x-vendor-key",
    timeouts: { connect: 3000, headers: 27_000, total: 28_000, idle: 60_000 },
  };
  const platform = createNodePlatform({ transport, log: () => undefined });
  return createOutside({ platform, upstream, via: "1.1 afterword-test" });
}
