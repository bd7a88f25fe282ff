import { join } from "node:path";
import { expect, test } from "vitest";
import { checkConfig } from "../../../src/config/check/check.ts";
import { load, workspace } from "../workspace.ts";

const ENV = { SECRET: "sixteen-or-more-signs" };

function file(webhook: string): Record<string, string> {
  return {
    "afterword.yaml": `version: 1\nupstream: embedded\ninsights:\n  webhook: ${webhook}\n`,
  };
}

async function findings(webhook: string): Promise<readonly string[]> {
  const directory = await workspace({ "locales/en.yaml": "{}\n", ...file(webhook) });
  const options = { env: ENV, shipped: join(directory, "locales") };
  const { diagnostics } = await checkConfig(join(directory, "afterword.yaml"), options);
  return diagnostics
    .filter((one) => one.code !== "created-missing" && one.file.endsWith("afterword.yaml"))
    .map(({ line, message }) => `${line} ${message}`);
}

test.each([
  "https://hooks.example.com/insights?of=shop",
  "http://127.0.0.1:8080/hook",
  "http://collector.internal/hook",
])("weekly sums go to %s", async (url) => {
  const { insights } = await load(file(`{ url: "${url}", secret: "\${SECRET}" }`), ENV);
  expect(insights?.webhook).toEqual({ url, secret: ENV.SECRET });
  expect(await findings(`{ url: "${url}", secret: "\${SECRET}" }`)).toEqual([]);
});

test("nothing is sent where no address is named", async () => {
  const counting = { "afterword.yaml": "version: 1\nupstream: embedded\ninsights: {}\n" };
  expect((await load(counting)).insights?.webhook).toBeNull();
});

test.each([
  ['{ url: http://hooks.example.com/a, secret: "${SECRET}" }', "hooks.example.com must be https"],
  ['{ url: hooks.example.com, secret: "${SECRET}" }', "such as https://hooks.example.com"],
  ['{ url: "https://", secret: "${SECRET}" }', "such as https://hooks.example.com"],
  ['{ url: "https://ada:pass@hooks.example.com/", secret: "${SECRET}" }', "a user or password"],
  ['{ url: "https://hooks.example.com/#a", secret: "${SECRET}" }', "must not have a fragment"],
  ["{ url: https://hooks.example.com/, secret: short }", "at least 16 characters"],
  ["{ url: https://hooks.example.com/ }", "secret"],
  ['{ secret: "${SECRET}" }', "url"],
  [
    "{ url: https://hooks.example.com/, secret: sixteen-or-more-signs }",
    "a secret stands in this file",
  ],
])("%s is reported at its position: %s", async (webhook, message) => {
  expect(await findings(webhook)).toEqual([expect.stringMatching(/^4 /)]);
  expect(await findings(webhook)).toEqual([expect.stringContaining(message)]);
});
