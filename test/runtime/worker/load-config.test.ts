import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fillBindings } from "../../../src/runtime/worker/bindings.ts";
import { loadCompiled, toCompiled } from "../../../src/runtime/worker/compiled.ts";
import { loadForWorker } from "../../../src/runtime/worker/load-config.ts";
import { workspace } from "../../config/workspace.ts";

const SHOP = `version: 1
data: ./secret-folder
upstream: { auth: "https://\${VENDOR}/x" }
state: { store: "redis://:\${REDIS_PASSWORD}@127.0.0.1:6379", key: "\${STATE_KEY}" }
instances:
  - name: shop
    match: { apiKey: demo }
    created: 2018-06-01
    credentials: { apiKey: "\${SHOP_KEY}", secret: "pre-\${SHOP_SECRET}" }
`;
const environment = {
  VENDOR: "api.example.com",
  REDIS_PASSWORD: "hunter1",
  STATE_KEY: "5ec2e75ec2e75ec2e75ec2e75ec2e75ec2e75ec2e75ec2e75ec2e75ec2e75ec2",
  SHOP_KEY: "hunter2",
  SHOP_SECRET: "hunter3",
};

async function compile(text: string, env: Record<string, string> = environment) {
  const directory = await workspace({ "afterword.yaml": text });
  const { config, secrets } = await loadForWorker(join(directory, "afterword.yaml"), env);
  return { config, secrets, compiled: toCompiled(config, "") };
}

describe("a configuration for a worker", () => {
  it("carries neither a credential nor a path, although the environment had them when it was compiled", async () => {
    const { compiled, secrets } = await compile(SHOP);
    expect(JSON.stringify(compiled)).not.toMatch(/hunter|5ec2e7|secret-folder|\/tmp/);
    expect(compiled.config.upstream.auth).toBe("https://api.example.com/x");
    expect(secrets).toEqual(["SHOP_KEY", "SHOP_SECRET"]);
  });

  it("gets its credentials from the worker's bindings", async () => {
    const { compiled } = await compile(SHOP, { ...environment, SHOP_KEY: "x" });
    const config = loadCompiled(JSON.parse(JSON.stringify(compiled)));
    const filled = fillBindings(config, { SHOP_KEY: "bound-1", SHOP_SECRET: "${SHOP_KEY}" });
    // A value from a binding is not parsed again.
    expect(filled.instances[0]?.credentials).toMatchObject({
      apiKey: "bound-1",
      secret: "pre-${SHOP_KEY}",
    });
  });

  it("names every binding that is missing, and how it is set", async () => {
    const { config } = await compile(SHOP);
    expect(() => fillBindings(config, { SHOP_KEY: "" })).toThrow(
      /needs SHOP_KEY, SHOP_SECRET: .*wrangler secret put/,
    );
  });

  it("is refused with a credential that stands in the file", async () => {
    const literal = SHOP.replace("pre-${SHOP_SECRET}", "in-the-file");
    await expect(compile(literal)).rejects.toMatchObject({
      code: "config-invalid",
      message: expect.stringMatching(/shop: credentials\.secret stands in the file.*\$\{NAME\}/),
    });
  });

  it("is refused with an embedded backend", async () => {
    await expect(compile("version: 1\nupstream: embedded\n")).rejects.toMatchObject({
      code: "config-invalid",
      message: expect.stringContaining("no embedded backend"),
    });
  });

  it.each([
    ["questions: true", "keeps no words of questions: remove `insights.questions`"],
    [
      'webhook: { url: "https://hooks.example.com", secret: "${SHOP_SECRET}${SHOP_SECRET}" }',
      "sends no weekly sums: remove `insights.webhook`",
    ],
  ])("is refused with insights of %s", async (setting, message) => {
    await expect(compile(`${SHOP}insights: { ${setting} }\n`)).rejects.toMatchObject({
      code: "config-invalid",
      message: expect.stringContaining(message),
    });
  });

  it("is refused where the same file is refused elsewhere, with the place", async () => {
    await expect(compile(SHOP.replace("created", "creatde"))).rejects.toMatchObject({
      message: expect.stringMatching(/afterword\.yaml:8:5/),
    });
  });
});
