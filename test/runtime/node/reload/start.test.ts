import { expect, it, onTestFinished } from "vitest";
import { loadConfig } from "../../../../src/config/load/load.ts";
import { serve } from "../../../../src/runtime/node/serve.ts";
import { folder, until, vendorConfig } from "./support.ts";

it("a text that is edited during the start is not lost", async () => {
  const place = await folder({
    "afterword.yaml": vendorConfig("https://api.example.com"),
    "messages/en.yaml": "no-results: A\n",
  });
  const file = place.at("afterword.yaml");
  const loadedAt = Date.now();
  const config = await loadConfig(file, { env: {} });
  await place.write("messages/en.yaml", "no-results: B\n");
  const running = await serve({
    config,
    port: 0,
    env: {},
    log: () => {},
    reload: { file, loadedAt },
  });
  onTestFinished(() => running.close());
  await until(() => running.gateway.core.snapshot().config.hash !== config.hash);
  expect(running.gateway.core.snapshot().config.hash).not.toBe(config.hash);
});
