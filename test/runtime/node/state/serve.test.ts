import { DatabaseSync } from "node:sqlite";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { serve } from "../../../../src/runtime/node/serve.ts";
import { rawRequest } from "../../../../src/testing/index.ts";
import { config, tables } from "../../../fixtures/config.ts";
import { type BenchOptions, flagged, json, rawPost, withBench } from "../../../gateway/harness.ts";
import { createFolder } from "../../../fixtures/folder.ts";

const session = ["x-inbenta-session: Bearer abc"];
const handler: NonNullable<BenchOptions["handler"]> = ({ target }) => ({
  headers: json,
  body: target.endsWith("/message")
    ? flagged("no-results")
    : '{"sessionId":"1","sessionToken":"abc"}',
});

describe("a gateway with its state in a file", () => {
  it("answers in the conversation's language after a restart", async () => {
    const options = inFile();
    await withBench(options, async ({ port }) => {
      await rawRequest(port, rawPost("/v1/conversation", '{"lang":"fr"}'));
    });
    // A turn waits only 50 ms for the file, which a busy machine may exceed.
    await withBench(options, async ({ port }) => {
      await expect.poll(() => readAnswer(port)).toContain("Rien trouvé.");
    });
  });

  it("answers in the instance's language when what was stored cannot be read, and counts it", async () => {
    const options = inFile();
    await withBench(options, async ({ port, metrics }) => {
      await rawRequest(port, rawPost("/v1/conversation", '{"lang":"fr"}'));
      const database = new DatabaseSync(join(options.data, "state.db"));
      onTestFinished(() => database.close());
      const damage = database.prepare("UPDATE conversations SET value = 'damaged'");
      await expect.poll(() => damage.run().changes).toBe(1);
      expect(await readAnswer(port)).toContain("Nothing found.");
      await expect.poll(metrics).toContain('afterword_memory_failures_total{doing="decode"} 1\n');
    });
  });

  it("lets go of the file when it does not start", async () => {
    const { data, config: state } = inFile();
    const starting = serve({
      config: { ...config(tables({})), ...state, data },
      // An address for documentation (RFC 5737): no machine has it.
      host: "192.0.2.1",
      port: 0,
      env: {},
      log() {},
    });
    await expect(starting).rejects.toMatchObject({ code: "listen-failed" });
    // The last process to close the database removes its log files.
    expect(readdirSync(data)).toEqual(["route-key", "state.db"]);
  });
});

function inFile() {
  const data = createFolder();
  return { data, handler, config: { state: { store: "file", retention: 0 } } };
}

async function readAnswer(port: number): Promise<string> {
  const answer = await rawRequest(
    port,
    rawPost("/v1/conversation/message", '{"message":"x"}', session),
  );
  return Buffer.from(answer.body).toString();
}
