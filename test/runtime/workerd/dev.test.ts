import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openWranglerStore } from "../../../src/cli/overrides/command.ts";
import { listKey, readList, toVersionKey } from "../../../src/runtime/worker/pushed-texts.ts";
import { afterword } from "../../cli/terminal.ts";
import { textOf, type ClientAnswer } from "../../clients/conformance/exchange.ts";
import { engine, flagged, message, question, start } from "../../clients/conformance/scenario.ts";
import { createSocketClient } from "../../clients/conformance/socket-client.ts";
import { type PlainUpstream, startUpstream } from "../../clients/conformance/upstream.ts";
import { type DevWorker, startWranglerDev } from "../../clients/conformance/wrangler.ts";
import { writeConfiguration } from "../../clients/conformance/write-configuration.ts";
import { createFolder } from "../../fixtures/folder.ts";

interface WorkerSetup {
  readonly directory: string;
  readonly upstream: PlainUpstream;
  readonly configuration: string;
  startWorker(
    vars?: Record<string, string | null>,
    change?: (toml: string) => string,
  ): Promise<DevWorker>;
}

async function createSetup(): Promise<WorkerSetup> {
  const upstream = await startUpstream();
  const directory = createFolder();
  onTestFinished(() => upstream.close());
  const configuration = await writeConfiguration(directory, upstream.port);
  return {
    directory,
    upstream,
    configuration,
    async startWorker(vars, change) {
      const worker = await startWranglerDev(directory, configuration, vars, change);
      onTestFinished(() => worker.stop());
      return worker;
    },
  };
}

describe("a worker behind wrangler dev", () => {
  it("answers every route with the command to run when its keys are missing", async () => {
    const { startWorker } = await createSetup();
    const client = createSocketClient((await startWorker({ AFTERWORD_ROUTE_KEYS: null })).port);
    for (const asked of [question(), { target: "/_afterword/health" }]) {
      const answer = await client.ask(asked);
      expect(answer.status).toBe(503);
      expect(textOf(answer)).toContain("npx wrangler secret put AFTERWORD_ROUTE_KEYS");
    }
  });

  it("remembers conversations after a restart", async () => {
    const { startWorker, upstream } = await createSetup();
    await upstream.script({
      [start]: engine('{"sessionToken":"s-1"}'),
      [message]: engine(flagged("welcome")),
    });
    const first = await startWorker();
    await createSocketClient(first.port).ask(
      question({ target: "/v1/conversation", body: '{"lang":"fr"}' }),
    );
    await first.stop();
    const headers = ["x-inbenta-session", "Bearer s-1"];
    const answer = await createSocketClient((await startWorker()).port).ask(question({ headers }));
    expect(textOf(answer)).toContain("Bonjour de notre part !");
  });

  it("answers with pushed texts, keeps the last valid ones if newer ones are damaged, and rolls back", async () => {
    const { directory, upstream, configuration, startWorker } = await createSetup();
    await upstream.script({ [message]: engine(flagged("welcome")) });
    const state = join(directory, "state");
    const file = join(directory, "wrangler.toml");
    const worker = await startWorker({ AFTERWORD_TEXTS_SECONDS: "0" });
    const client = createSocketClient(worker.port);
    const readAnswer = async (): Promise<string> => textOf(await client.ask(question()));
    const overrides = async (): Promise<unknown> =>
      JSON.parse(textOf(await client.ask({ target: "/_afterword/version" }))).overrides;
    const command = (...argv: string[]) =>
      afterword(["overrides", ...argv, "--wrangler", file, "--local", state]);
    expect(await readAnswer()).toContain("Hello from us!");

    await writeFile(join(directory, "messages/en.yaml"), "welcome: Ahoy!\n");
    const pushed = await command("push", "--config", configuration);
    expect([pushed.code, pushed.error]).toEqual([0, ""]);
    const [, first = ""] = /^(\S+) is in force/.exec(pushed.out) ?? [];
    await waitUntil(async () => (await readAnswer()).includes("Ahoy!"));
    expect(await overrides()).toEqual({ version: first, pushed: expect.any(String), refused: [] });

    const store = openWranglerStore({ file, environment: null, local: state, env: {} });
    const list = readList((await store.get(listKey)) ?? "") ?? expect.fail("no list");
    const broken = { id: "later-and-broken", pushed: "now", hash: "0".repeat(64) };
    await store.put(toVersionKey(broken.id), "{}");
    await store.put(
      listKey,
      JSON.stringify({ ...list, current: broken.id, versions: [broken, ...list.versions] }),
    );
    await waitUntil(async () => JSON.stringify(await overrides()).includes("damaged"));
    expect(await readAnswer()).toContain("Ahoy!");
    expect(await overrides()).toMatchObject({
      version: first,
      refused: [{ version: broken.id, reason: "damaged" }],
    });

    expect((await command("rollback", "deployed")).code).toBe(0);
    await waitUntil(async () => (await readAnswer()).includes("Hello from us!"));
    expect(await overrides()).toEqual({ version: null, pushed: null, refused: [] });
    expect((await command("list")).out).toBe(`  ${broken.id}\n  ${first}\n* deployed\n`);
  }, 180_000);

  it("reaches an upstream that is also a worker through a service binding", async () => {
    const { directory, upstream, startWorker } = await createSetup();
    await writeFile(
      join(directory, "vendor.js"),
      `export default { fetch: async (request) => Response.json({ answers: [{ message: "x", flags: ["welcome"], by: new URL(request.url).host }] }) };`,
    );
    await writeFile(
      join(directory, "vendor.toml"),
      'name = "vendor"\nmain = "vendor.js"\ncompatibility_date = "2026-10-01"\n',
    );
    const host = `127.0.0.1:${upstream.port}`;
    const worker = await startWorker(
      { AFTERWORD_SERVICES: `${host}=VENDOR` },
      (toml) => `${toml}\n[[services]]\nbinding = "VENDOR"\nservice = "vendor"\n`,
    );
    const client = createSocketClient(worker.port);
    let answer: ClientAnswer | null = null;
    await waitUntil(async () => (answer = await client.ask(question())).status === 200);
    expect(JSON.parse(answer === null ? "" : textOf(answer))).toEqual({
      answers: [{ message: "Hello from us!", flags: ["welcome"], by: host }],
    });
    expect(await upstream.received()).toEqual([]);
  });
});

describe("the store of texts that calls wrangler", () => {
  it("fails with wrangler's reason when the configuration has no namespace for texts", async () => {
    const directory = createFolder();
    const file = join(directory, "wrangler.toml");
    await writeFile(file, 'name = "x"\ncompatibility_date = "2026-10-01"\n');
    const store = openWranglerStore({ file, environment: null, local: directory, env: {} });
    await expect(store.get(listKey)).rejects.toMatchObject({
      code: "call-failed",
      message: expect.stringMatching(/wrangler kv key .*AFTERWORD_TEXTS|kv_namespaces/i),
    });
  });
});

async function waitUntil(done: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 500; tries++) {
    if (await done()) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error("the condition did not become true within 500 checks");
}
