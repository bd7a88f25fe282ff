import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
const quiet = {
  WRANGLER_SEND_METRICS: "false",
  WRANGLER_SEND_ERROR_REPORTS: "false",
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
  WRANGLER_HIDE_BANNER: "true",
  NO_UPDATE_NOTIFIER: "1",
};

it("bundles for the edge without a loader, a Node built-in or a secret", async () => {
  const out = await mkdtemp(join(tmpdir(), "afterword-worker-"));
  const wrangler = join(root, "node_modules/wrangler/bin/wrangler.js");
  await promisify(execFile)(process.execPath, [wrangler, "deploy", "--dry-run", "--outdir", out], {
    cwd: root,
    env: { ...process.env, ...quiet },
  });
  const bundle = await readFile(join(out, "main.js"), "utf8");
  expect(bundle).toContain("no-subset-match");
  expect(bundle).not.toMatch(/["']node:|i18next|ZodError|YAMLParseError|demo-secret/);
  await rm(out, { recursive: true });
});
